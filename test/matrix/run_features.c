// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run-features: runs a pipeline of plugin passes on one provider and says what
// happened; matrix.py knows what should have.
//
//     run-features PROVIDER PIPELINE ROUNDS PLUGIN,PLUGIN... INPUT...
//
// In each of ROUNDS contexts, one after the other, it makes one manager and
// runs all inputs with it ROUNDS times. Each line of its output is a word, a
// tab and text:
//
//     provider    what was attached
//     context     a context was made
//     unread      an input that MLIR cannot parse; why is in the diagnostics
//     diagnostic  severity, location and text
//     record      a record of a pass
//     shape       the IR after the run, see shape.h
//     failed      why the run of a pipeline failed
//     invalid     an input that is not valid after the run
//     refused     why the rest was not tried
//     end         nothing is missing

#include "context.h"
#include "shape.h"

#include <mlirplug/ir.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
  const char *provider;
  const char *pipeline;
  long rounds;
  char *plugins; ///< Separated by commas; is cut.
  char **inputs; ///< Up to a null.
};

//===----------------------------------------------------------------------===//
// What is said
//===----------------------------------------------------------------------===//

/// Standard output is what the parent has when this process crashes.
static void say(const char *word, const char *text) {
  printf("%s\t", word);
  for (; *text; ++text)
    putchar(*text == '\n' ? ' ' : *text);
  putchar('\n');
  fflush(stdout);
}

static void chunk_print(MlirStringRef chunk, void *user_data) {
  (void)user_data;
  for (size_t i = 0; i < chunk.length; ++i)
    putchar(chunk.data[i] == '\n' ? ' ' : chunk.data[i]);
}

static MlirLogicalResult diagnostic_print(MlirDiagnostic diagnostic,
                                          void *user_data) {
  (void)user_data;
  static const char *const severities[] = {"error", "warning", "note",
                                           "remark"};
  printf("diagnostic\t%s: ", severities[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), chunk_print, NULL);
  fputs(": ", stdout);
  mlirDiagnosticPrint(diagnostic, chunk_print, NULL);
  putchar('\n');
  return mlirLogicalResultSuccess();
}

static void record_print(const char *line, size_t length, void *user_data) {
  (void)user_data;
  printf("record\t%.*s\n", (int)length, line);
}

/// Ends the process if `status` is a failure, which is an orderly end.
static void must(mlirplug_status status, mlirplug_error *const *error) {
  if (status == MLIRPLUG_OK)
    return;
  say("refused", (*error)->message);
  exit(0);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static char *file_content(const char *path) {
  FILE *file = fopen(path, "r");
  char *content = NULL;
  size_t size = 0;
  if (!file || getdelim(&content, &size, '\0', file) < 0) {
    fprintf(stderr, "run-features: cannot read %s\n", path);
    exit(2);
  }
  fclose(file);
  return content;
}

static void input_run(mlirplug_manager *manager, MlirContext context,
                      const char *path) {
  char *text = file_content(path);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  free(text);
  if (!module.ptr) {
    say("unread", path);
    return;
  }
  MlirOperation root = mlirModuleGetOperation(module);
  mlirplug_error *error = NULL;
  if (mlirplug_manager_run(manager, root, path, &error) != MLIRPLUG_OK)
    say("failed", error->message);
  mlirplug_error_destroy(error);
  shape_print(root);
  if (!mlirOperationVerify(root))
    say("invalid", path);
  mlirModuleDestroy(module);
}

static void context_run(mlirplug_pipeline *pipeline,
                        const struct arguments *arguments) {
  mlirplug_error *error = NULL;
  MlirContext context = context_create();
  say("context", "");
  mlirContextAttachDiagnosticHandler(context, diagnostic_print, NULL, NULL);
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration, .record = record_print, .verify = true};
  mlirplug_manager *manager;
  must(mlirplug_manager_create(pipeline, context, &configuration, &manager,
                               &error),
       &error);
  for (long i = 0; i < arguments->rounds; ++i)
    for (char **input = arguments->inputs; *input; ++input)
      input_run(manager, context, *input);
  mlirplug_manager_destroy(manager);
  mlirContextDestroy(context);
}

int main(int argument_count, char **arguments_given) {
  if (argument_count < 6) {
    fprintf(stderr,
            "usage: run-features PROVIDER PIPELINE ROUNDS PLUGINS INPUT...\n");
    return 2;
  }
  struct arguments arguments = {arguments_given[1], arguments_given[2],
                                strtol(arguments_given[3], NULL, 10),
                                arguments_given[4], arguments_given + 5};
  mlirplug_error *error = NULL;
  mlirplug_host *host;
  must(mlirplug_host_create(NULL, &host, &error), &error);
  must(mlirplug_host_attach_library(host, arguments.provider, &error), &error);
  say("provider", mlirplug_host_provider(host));
  must(context_prepare(host, &error), &error);
  for (char *plugin; (plugin = strsep(&arguments.plugins, ","));)
    must(mlirplug_host_add_plugin(host, plugin, NULL, &error), &error);
  mlirplug_pipeline *pipeline;
  must(mlirplug_pipeline_parse(host, arguments.pipeline, &pipeline, &error),
       &error);
  for (long i = 0; i < arguments.rounds; ++i)
    context_run(pipeline, &arguments);
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_host_destroy(host);
  say("end", "");
  return 0;
}
