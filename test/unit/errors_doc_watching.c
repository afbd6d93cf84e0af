// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about what is shown of passes.

#include "errors_doc.h"

#include "host/host.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mlirplug_error *error;

static void show(const char *text, size_t length, void *user_data) {
  (void)text;
  (void)length;
  (void)user_data;
}

/// A manager that is asked for this cannot be made.
static void manager_says(const struct mlir_session *session,
                         const mlirplug_ir_dumps *dumps,
                         mlirplug_timing *timing) {
  mlirplug_manager_configuration configuration = {
      .size = sizeof configuration, .ir_dumps = dumps, .timing = timing};
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(session->host, "builtin.module(cse)",
                                       &pipeline, &error),
               MLIRPLUG_OK);
  errors_doc_expect_failure(mlirplug_manager_create(pipeline, session->context,
                                                    &configuration, &manager,
                                                    &error),
                            &error);
  mlirplug_pipeline_destroy(pipeline);
}

static void dumps_say(const struct mlir_session *session) {
  static const char *const names[] = {"nobody-has-this"};
  mlirplug_ir_dumps dumps = {
      .size = sizeof dumps, .show = show, .after_all = true, .whole = true};
  manager_says(session, &dumps, NULL);
  dumps.show = NULL;
  manager_says(session, &dumps, NULL);
  dumps.before = names;
  dumps.before_count = 1;
  manager_says(session, &dumps, NULL);
}

/// A warning, since the run goes on.
static void file_says(struct mlir_session *session) {
  char *directory = directory_create();
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/file", directory);
  file_write(path, "", 0);
  mlirplug_ir_dumps dumps = {
      .size = sizeof dumps, .directory = path, .after_all = true};
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .ir_dumps = &dumps};
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_manager *manager = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(session->host, "builtin.module(cse)",
                                       &pipeline, &error),
               MLIRPLUG_OK);
  cr_assert_eq(mlirplug_manager_create(pipeline, session->context,
                                       &configuration, &manager, &error),
               MLIRPLUG_OK);
  MlirModule module = mlir_parse(session->context, "module {}");
  cr_expect_eq(mlirplug_manager_run(manager, mlirModuleGetOperation(module),
                                    NULL, &error),
               MLIRPLUG_OK);
  const char *said = strstr(session->diagnostics.bytes, "cannot write the IR");
  cr_assert(said, "%s", session->diagnostics.bytes);
  char *line = strndup(said, strcspn(said, "\n"));
  errors_doc_expect(line);
  free(line);
  mlirModuleDestroy(module);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  free(directory);
}

/// With the provider's functions hidden that it takes.
static void other_provider_says(struct mlir_session *session) {
  static const char *const more_hidden[] = {"mlirplugExtTimingCreate", NULL};
  const struct binding *whole = session->host->binding;
  const mlirplug_ir_dumps dumps = {
      .size = sizeof dumps, .show = show, .after_all = true};
  mlirplug_timing *timing = NULL;
  cr_assert_eq(mlirplug_timing_create(session->host, NULL, &timing, &error),
               MLIRPLUG_OK);
  cr_assert_eq(binding_open_without("static", errors_doc_blind,
                                    &session->host->binding, &error),
               MLIRPLUG_OK);
  manager_says(session, &dumps, NULL);
  manager_says(session, NULL, timing);
  cr_assert_eq(binding_open_without("static", more_hidden,
                                    &session->host->binding, &error),
               MLIRPLUG_OK);
  manager_says(session, NULL, timing); // it is that of another binding
  mlirplug_timing *none = NULL;
  errors_doc_expect_failure(
      mlirplug_timing_create(session->host, NULL, &none, &error), &error);
  session->host->binding = NULL;
  errors_doc_expect_failure(
      mlirplug_timing_create(session->host, NULL, &none, &error), &error);
  session->host->binding = whole;
  mlirplug_timing_finish(timing, NULL, NULL);
}

void watching_says(void) {
  struct mlir_session session;
  mlir_open(&session, "static", true);
  dumps_say(&session);
  file_says(&session);
  other_provider_says(&session);
  mlir_close(&session);
}
