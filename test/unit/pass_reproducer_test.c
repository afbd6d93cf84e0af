// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reproducers of runs in other programs than our command.

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;
static char path[4096];

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

static char note[8192];

static void session_open(void) {
  char *directory = directory_create();
  (void)snprintf(path, sizeof path, "%s/r.mlir", directory);
  free(directory);
  mlir_open(&session, "static", false);
  mlirContextAttachDiagnosticHandler(session.context, note_keep, note, NULL);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  mlir_add(&session, MLIR_PLUGIN("service"));
  mlir_add(&session, MLIR_PLUGIN("state"));
}

static void session_close(void) { mlir_close(&session); }

TestSuite(managers_with_reproducers, .init = session_open,
          .fini = session_close);

/// A pipeline and its manager, which writes to `path`.
static struct mlir_pipeline create(const char *text, bool local) {
  struct mlir_pipeline made = {0};
  mlirplug_manager_configuration configuration = {.size = sizeof configuration,
                                                  .verify = true,
                                                  .reproducer = path,
                                                  .local_reproducer = local};
  cr_assert_eq(mlirplug_pipeline_parse(session.host, text, &made.pipeline,
                                       &session.error),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  cr_assert_eq(mlirplug_manager_create(made.pipeline, session.context,
                                       &configuration, &made.manager,
                                       &session.error),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  return made;
}

static mlirplug_status run(const struct mlir_pipeline *pipeline,
                           const char *text) {
  MlirModule module = mlir_parse(session.context, text);
  mlir_clear(&session);
  mlirplug_status status = mlirplug_manager_run(
      pipeline->manager, mlirModuleGetOperation(module), "input.mlir", NULL);
  mlirModuleDestroy(module);
  return status;
}

static bool is_written(void) {
  FILE *file = fopen(path, "r");
  if (file)
    (void)fclose(file);
  return file;
}

static void expect_part(const char *text, const char *part) {
  cr_expect(strstr(text, part), "no '%s' in:\n%s", part, text);
}

/// What was written, to be destroyed; `text` is the whole of it, to be freed.
static mlirplug_reproducer *written(char **text) {
  mlirplug_reproducer *reproducer = NULL;
  mlirplug_error *error = NULL;
  *text = file_content(path);
  cr_assert_eq(
      mlirplug_reproducer_read(*text, strlen(*text), path, &reproducer, &error),
      MLIRPLUG_OK, "%s", error ? error->message : "");
  return reproducer;
}

static const char additions[] = "module { func.func @f(%x: i32) -> i32 {\n"
                                "  %a = arith.addi %x, %x : i32\n"
                                "  %b = arith.addi %x, %x : i32\n"
                                "  %c = arith.muli %a, %b : i32\n"
                                "  return %c : i32 } }";

Test(managers_with_reproducers, write_one_if_a_pass_fails) {
  struct mlir_pipeline made =
      create("builtin.module(cse,func.func(count),fail-silently,cse)", false);
  cr_expect_eq(run(&made, additions), MLIRPLUG_FAILED);
  expect_part(session.diagnostics.bytes,
              "Failures have been detected while processing an MLIR pass "
              "pipeline");
  char *text;
  mlirplug_reproducer *reproducer = written(&text);
  cr_expect_str_eq(reproducer->pipeline,
                   "builtin.module(cse,func.func(count),fail-silently,cse)");
  cr_expect_eq(reproducer->disable_threading, 1);
  cr_expect_eq(reproducer->verify, 1);
  expect_part(reproducer->provider, "MLIR 22");
  expect_part(text, "%1 = arith.addi"); // the IR before the first pass
  cr_assert_eq(reproducer->plugin_count, 2);
  cr_expect_str_eq(reproducer->plugins[0]->path, MLIR_PLUGIN("state"));
  cr_expect_str_eq(reproducer->plugins[1]->path, MLIR_PLUGIN("diagnose"));
  cr_expect_eq(strlen(reproducer->plugins[1]->checksum), 128);
  mlirplug_reproducer_destroy(reproducer);
  free(text);
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, write_none_if_all_is_well) {
  struct mlir_pipeline made = create("builtin.module(cse)", false);
  cr_expect_eq(run(&made, additions), MLIRPLUG_OK);
  cr_expect_not(is_written());
  cr_expect_eq(mlirplug_manager_save_reproducer(made.manager), ENODATA);
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, write_one_if_the_verifier_fails) {
  struct mlir_pipeline made =
      create("builtin.module(func.func(break-ir))", false);
  cr_expect_eq(run(&made, "module { func.func @f() { return } }"),
               MLIRPLUG_FAILED);
  cr_expect(is_written());
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, write_one_if_a_pass_cannot_begin) {
  struct mlir_pipeline made = create("builtin.module(fail-initialize)", false);
  cr_expect_eq(run(&made, additions), MLIRPLUG_FAILED);
  cr_expect(is_written());
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, write_the_failing_pass_alone) {
  struct mlir_pipeline made = create(
      "builtin.module(func.func(count),cse,func.func(cse,break-ir),cse)", true);
  cr_expect_eq(run(&made, additions), MLIRPLUG_FAILED);
  char *text;
  mlirplug_reproducer *reproducer = written(&text);
  cr_expect_str_eq(reproducer->pipeline, "builtin.module(func.func(break-ir))");
  cr_expect_null(strstr(text, "%2"), "the IR is not the one before:\n%s", text);
  cr_assert_eq(reproducer->plugin_count, 1);
  cr_expect_str_eq(reproducer->plugins[0]->path, MLIR_PLUGIN("anchor"));
  mlirplug_reproducer_destroy(reproducer);
  free(text);
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, begin_anew_with_each_run) {
  struct mlir_pipeline made =
      create("builtin.module(func.func(cse,break-ir))", true);
  cr_expect_eq(run(&made, "module { func.func @f() { return } }"),
               MLIRPLUG_FAILED);
  cr_expect_eq(run(&made, "module {}"), MLIRPLUG_OK, "%s",
               session.diagnostics.bytes);
  cr_expect_eq(remove(path), 0);
  cr_expect_eq(run(&made, "module { func.func @g() { return } }"),
               MLIRPLUG_FAILED);
  char *text;
  mlirplug_reproducer *reproducer = written(&text);
  expect_part(text, "@g");
  mlirplug_reproducer_destroy(reproducer);
  free(text);
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, say_if_it_cannot_be_written) {
  (void)strcpy(path, "/nowhere/r.mlir");
  struct mlir_pipeline made = create("builtin.module(fail-silently)", false);
  cr_expect_eq(run(&made, additions), MLIRPLUG_FAILED);
  expect_part(note,
              "cannot write the reproducer `/nowhere/r.mlir`: No such file or "
              "directory");
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, write_one_on_request) {
  struct mlir_pipeline made =
      create("builtin.module(func.func(count),cse)", false);
  MlirModule module = mlir_parse(session.context, additions);
  MlirOperation root = mlirModuleGetOperation(module);
  cr_expect_eq(mlirplug_manager_write_reproducer(made.manager, root, path,
                                                 &session.error),
               MLIRPLUG_OK);
  char *text;
  mlirplug_reproducer *reproducer = written(&text);
  cr_expect_str_eq(reproducer->pipeline,
                   "builtin.module(func.func(count),cse)");
  cr_expect_eq(reproducer->plugin_count, 1);
  // It is read by MLIR, too.
  MlirModule again = mlir_parse(session.context, text);
  mlirModuleDestroy(again);
  mlirplug_reproducer_destroy(reproducer);
  free(text);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
}

Test(managers_with_reproducers, name_the_plugins_in_options) {
  mlirRegisterAllPasses();
  cr_assert_eq(mlirplug_host_register_passes(session.host, &session.error),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  struct mlir_pipeline made =
      create("builtin.module(inline{op-pipelines=func.func(count)})", false);
  MlirModule module = mlir_parse(session.context, additions);
  cr_expect_eq(mlirplug_manager_write_reproducer(
                   made.manager, mlirModuleGetOperation(module), path, NULL),
               MLIRPLUG_OK);
  char *text;
  mlirplug_reproducer *reproducer = written(&text);
  cr_assert_eq(reproducer->plugin_count, 1);
  cr_expect_str_eq(reproducer->plugins[0]->path, MLIR_PLUGIN("state"));
  mlirplug_reproducer_destroy(reproducer);
  free(text);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
}

//===----------------------------------------------------------------------===//
// The plugins of a reproducer
//===----------------------------------------------------------------------===//

static mlirplug_reproducer_plugin wanted = {
    .id = "org.mlirplug.test.state",
    .version = "1.0.0",
    .path = MLIR_PLUGIN("state"),
};
static const mlirplug_reproducer_plugin *const plugins[] = {&wanted};
static mlirplug_reproducer reproducer = {
    .path = path, .plugins = plugins, .plugin_count = 1};

static mlirplug_status plugins_add(mlirplug_host **host) {
  cr_assert_eq(mlirplug_host_create(NULL, host, NULL), MLIRPLUG_OK);
  return mlirplug_host_add_reproducer(*host, &reproducer, &session.error);
}

Test(managers_with_reproducers, hosts_take_plugins_from_where_they_were) {
  mlirplug_host *host;
  cr_expect_eq(plugins_add(&host), MLIRPLUG_OK, "%s", mlir_message(&session));
  cr_assert_eq(mlirplug_host_plugin_count(host), 1);
  cr_expect_str_eq(mlirplug_host_plugin(host, 0)->path, MLIR_PLUGIN("state"));
  const mlirplug_directory *directory = mlirplug_host_plugin_directory(host, 0);
  cr_expect_str_eq(directory->origin, "reproducer");
  cr_expect_str_eq(directory->path,
                   MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass");
  cr_expect_eq(mlirplug_host_add_reproducer(host, &reproducer, NULL),
               MLIRPLUG_OK);
  cr_expect_eq(mlirplug_host_plugin_count(host), 1);
  mlirplug_host_destroy(host);
}

Test(managers_with_reproducers, hosts_say_where_they_have_looked) {
  mlirplug_host *host;
  wanted.id = "org.example.gone";
  cr_expect_eq(plugins_add(&host), MLIRPLUG_FAILED);
  expect_part(mlir_message(&session),
              "it needs the plugin 'org.example.gone' 1.0.0");
  expect_part(
      mlir_message(&session),
      "'" MLIR_PLUGIN("state") "': it is the plugin 'org.mlirplug.test.state'");
  expect_part(mlir_message(&session), "/state.so': No such file or directory");
  cr_expect_eq(mlirplug_host_plugin_count(host), 0);
  mlirplug_host_destroy(host);
}
