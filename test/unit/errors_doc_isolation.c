// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of plugin passes in processes of their own.

#include "errors_doc.h"

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const usual[] = {MLIRPLUG_BUILD_DIRECTORY "/bin/mlirplug",
                                    MLIRPLUG_ISOLATED_COMMAND, NULL};

static void text_add_chunk(MlirStringRef chunk, void *user_data) {
  struct mlir_text *text = user_data;
  char *bytes = realloc(text->bytes, text->length + chunk.length + 1);
  cr_assert(bytes);
  text->bytes = bytes;
  memcpy(text->bytes + text->length, chunk.data, chunk.length);
  text->length += chunk.length;
  text->bytes[text->length] = '\0';
}

/// The diagnostic and its notes.
static MlirLogicalResult said(MlirDiagnostic diagnostic, void *user_data) {
  struct mlir_text text = {0};
  mlirDiagnosticPrint(diagnostic, text_add_chunk, &text);
  // Others are MLIR's own.
  if (strncmp(text.bytes, "pass '", 6) == 0 || strstr(text.bytes, "reproducer"))
    errors_doc_expect(text.bytes);
  free(text.bytes);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    (void)said(mlirDiagnosticGetNote(diagnostic, i), user_data);
  return mlirLogicalResultSuccess();
}

struct isolated_run {
  const char *plugin;
  const char *pipeline;
  mlirplug_manager_configuration configuration;
};

static void isolated_fails(const struct isolated_run *isolated) {
  struct mlir_session session;
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
  mlirplug_error *error = NULL;
  mlir_open(&session, "static", true);
  mlir_add(&session, isolated->plugin);
  mlirContextAttachDiagnosticHandler(session.context, said, NULL, NULL);
  cr_assert_eq(mlirplug_pipeline_parse(session.host, isolated->pipeline,
                                       &pipeline, &error),
               MLIRPLUG_OK);
  mlirplug_manager_configuration configuration = isolated->configuration;
  configuration.size = sizeof configuration;
  if (!configuration.isolate_command)
    configuration.isolate_command = usual;
  cr_assert_eq(mlirplug_manager_create(pipeline, session.context,
                                       &configuration, &manager, &error),
               MLIRPLUG_OK);
  MlirModule module =
      mlir_parse(session.context, "module { func.func @bad() { return } }");
  errors_doc_expect_failure(mlirplug_manager_run(manager,
                                                 mlirModuleGetOperation(module),
                                                 "input.mlir", &error),
                            &error);
  mlirModuleDestroy(module);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  mlir_close(&session);
}

#define FAULT(kind)                                                            \
  .plugin = MLIR_PLUGIN("fault"),                                              \
  .pipeline = "builtin.module(func.func(fault{kind=" kind "}))"

static void faults_say(const char *directory) {
  static const char *const nothing[] = {"/nowhere/x", NULL};
  static const char *const other[] = {"/bin/true", NULL};
  const struct isolated_run runs[] = {
      {FAULT("segment"), {.isolate_reproducer_directory = "/nowhere"}},
      {FAULT("abort"), {.isolate_reproducer_directory = directory}},
      {FAULT("exit"), {.isolate_reproducer_directory = directory}},
      {FAULT("kill"), {.isolate_reproducer_directory = directory}},
      {FAULT("fatal"), {.isolate_reproducer_directory = directory}},
      {FAULT("scribble"), {.isolate_reproducer_directory = directory}},
      {FAULT("hang"),
       {.isolate_reproducer_directory = directory,
        .pass_timeout_seconds = 0.5}},
#ifndef MLIRPLUG_SANITIZED // which needs all address space there is
      {FAULT("memory"),
       {.isolate_reproducer_directory = directory,
        .isolate_memory_bytes = 1 << 30}},
#endif
      {FAULT("segment"), {.isolate_command = nothing}},
      {FAULT("segment"), {.isolate_command = other}},
      {MLIR_PLUGIN("anchor"), "builtin.module(func.func(break-ir))", {0}},
  };
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i)
    isolated_fails(&runs[i]);
#ifdef MLIRPLUG_SANITIZED
  errors_doc_expect("pass 'fault' of plugin 'x' 1 (x.so) had no memory left "
                    "and crashed (SIGSEGV)");
#endif
  signal(SIGCHLD, SIG_IGN); // nobody can be waited for
  isolated_fails(&(struct isolated_run){
      FAULT("exit"), {.isolate_reproducer_directory = directory}});
  signal(SIGCHLD, SIG_DFL);
}

/// A plugin that was changed between being read and being run.
static void changed_plugin_says(const char *directory) {
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/changing.so", directory);
  struct command_result copied =
      command_shell("cp '" MLIR_PLUGIN("fault") "' '%s'", path);
  cr_assert_eq(copied.exit_code, 0);
  command_release(&copied);
  struct mlir_session session;
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
  mlirplug_error *error = NULL;
  mlir_open(&session, "static", true);
  mlir_add(&session, path);
  mlirContextAttachDiagnosticHandler(session.context, said, NULL, NULL);
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .isolate_command = usual};
  cr_assert_eq(mlirplug_pipeline_parse(session.host,
                                       "builtin.module(fault-initialize)",
                                       &pipeline, &error),
               MLIRPLUG_OK);
  cr_assert_eq(mlirplug_manager_create(pipeline, session.context,
                                       &configuration, &manager, &error),
               MLIRPLUG_OK);
  struct command_result touched = command_shell("touch '%s'", path);
  command_release(&touched);
  MlirModule module = mlir_parse(session.context, "module {}");
  errors_doc_expect_failure(mlirplug_manager_run(manager,
                                                 mlirModuleGetOperation(module),
                                                 "input.mlir", &error),
                            &error);
  mlirModuleDestroy(module);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  mlir_close(&session);
}

static void served_nobody_says(void) {
  mlirplug_error *error = NULL;
  errors_doc_expect_failure(mlirplug_isolated_serve(NULL, NULL, &error),
                            &error);
}

void isolation_says(void) {
  char *directory = directory_create();
  served_nobody_says();
  faults_say(directory);
  changed_plugin_says(directory);
  free(directory);
}
