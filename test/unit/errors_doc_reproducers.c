// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about reproducers.

#include "errors_doc.h"

#include "host/host.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mlirplug_error *error;

//===----------------------------------------------------------------------===//
// Reading them
//===----------------------------------------------------------------------===//

static void faults_say(void) {
  static const char *const texts[] = {
      "{-# external_resources: {mlir_reproducer: {pipeline: }} #-}",
      "{-# external_resources: {mlirplug: {plugin_0_path: \"/a.so\"}} #-}"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    mlirplug_reproducer *reproducer = NULL;
    errors_doc_expect_failure(
        mlirplug_reproducer_read(texts[i], strlen(texts[i]), "r.mlir",
                                 &reproducer, &error),
        &error);
  }
}

static void warning_expect(const char *line, void *user_data) {
  (void)user_data;
  errors_doc_expect(line);
}

/// A plugin that is gone, and one that has changed.
static void plugins_say(void) {
  mlirplug_reproducer_plugin plugin = {"org.example.gone", "1.0.0",
                                       "/gone/x.so", "00"};
  const mlirplug_reproducer_plugin *const plugins[] = {&plugin};
  const mlirplug_reproducer reproducer = {
      .path = "r.mlir", .plugins = plugins, .plugin_count = 1};
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .warn = warning_expect};
  mlirplug_host *host = NULL;
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  errors_doc_expect_failure(
      mlirplug_host_add_reproducer(host, &reproducer, &error), &error);
  plugin.path = MLIR_PLUGIN("state");
  errors_doc_expect_failure(
      mlirplug_host_add_reproducer(host, &reproducer, &error), &error);
  plugin.id = "org.mlirplug.test.state";
  cr_expect_eq(mlirplug_host_add_reproducer(host, &reproducer, &error),
               MLIRPLUG_OK);
  plugin.version = "0.9.0";
  cr_expect_eq(mlirplug_host_add_reproducer(host, &reproducer, &error),
               MLIRPLUG_OK);
  mlirplug_host_destroy(host);
}

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

static mlirplug_status manager_make(struct mlir_session *session, bool local,
                                    const char *path,
                                    struct mlir_pipeline *made) {
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .reproducer = path,
                                                  .local_reproducer = local};
  *made = (struct mlir_pipeline){0};
  cr_assert_eq(mlirplug_pipeline_parse(session->host,
                                       "builtin.module(fail-silently)",
                                       &made->pipeline, &error),
               MLIRPLUG_OK);
  return mlirplug_manager_create(made->pipeline, session->context,
                                 &configuration, &made->manager, &error);
}

static void managers_say(void) {
  static const char *const silent[] = {"mlirOperationPrint",
                                       "mlirOperationPrintWithFlags", NULL};
  struct mlir_session session;
  struct mlir_pipeline made;
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  errors_doc_expect_failure(manager_make(&session, true, "r.mlir", &made),
                            &error);
  mlir_pipeline_destroy(&made);
  const struct binding *whole = session.host->binding;
  for (int i = 0; i < 2; ++i) {
    cr_assert_eq(binding_open_without("static", i ? silent : errors_doc_blind,
                                      &session.host->binding, &error),
                 MLIRPLUG_OK);
    errors_doc_expect_failure(manager_make(&session, true, "r.mlir", &made),
                              &error);
    mlir_pipeline_destroy(&made);
  }
  session.host->binding = whole; // for what closing calls
  mlir_close(&session);
}

static void part_add(MlirStringRef part, void *text) {
  strncat(text, part.data, part.length);
}

/// Keeps the first note of each diagnostic, and leaves it to others.
static MlirLogicalResult note_keep(MlirDiagnostic diagnostic, void *text) {
  if (mlirDiagnosticGetNumNotes(diagnostic) > 0) {
    *(char *)text = '\0';
    mlirDiagnosticPrint(mlirDiagnosticGetNote(diagnostic, 0), part_add, text);
  }
  return mlirLogicalResultFailure();
}

/// What is said when one is written, or not.
static void runs_say_reproducers(const char *path) {
  struct mlir_session session;
  struct mlir_pipeline made;
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  char note[8192] = "";
  mlirContextAttachDiagnosticHandler(session.context, note_keep, note, NULL);
  cr_assert_eq(manager_make(&session, false, path, &made), MLIRPLUG_OK);
  MlirModule module = mlir_parse(session.context, "module {}");
  cr_expect_eq(mlirplug_manager_run(made.manager,
                                    mlirModuleGetOperation(module), "x", NULL),
               MLIRPLUG_FAILED);
  errors_doc_expect(note);
  if (path[1] == 'n')
    errors_doc_expect_failure(
        mlirplug_manager_write_reproducer(
            made.manager, mlirModuleGetOperation(module), path, &error),
        &error);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  mlir_close(&session);
}

static void undeclared_dialect_says(void) {
  struct mlir_session session;
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  cr_expect_eq(mlir_run(&session, "builtin.module(insert-undeclared)",
                        "module { func.func @f() { return } }"),
               MLIRPLUG_FAILED);
  char *said = strstr(session.diagnostics.bytes, "pass '");
  cr_assert(said, "%s", session.diagnostics.bytes);
  said[strcspn(said, "\n")] = '\0';
  errors_doc_expect(said);
  mlir_close(&session);
}

void reproducers_say(void) {
  char path[4096];
  char *directory = directory_create();
  (void)snprintf(path, sizeof path, "%s/r.mlir", directory);
  faults_say();
  plugins_say();
  managers_say();
  runs_say_reproducers(path);
  runs_say_reproducers("/nowhere/r.mlir");
  undeclared_dialect_says();
  free(directory);
}
