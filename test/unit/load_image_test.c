// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/command.h"
#include "support/mlir.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;
static char *path; // of a plugin that the test may change

/// Builds the file anew, as compilers do: another file under the same name.
static void replace(const char *by) {
  struct command_result result = command_shell(
      "cp '%s' '%s.new' && mv '%s.new' '%s'", by, path, path, path);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

static void session_open(void) {
  mlir_open(&session, "static", false);
  char *directory = directory_create();
  cr_assert_gt(asprintf(&path, "%s/plugin.so", directory), 0);
  free(directory);
}

static void session_close(void) {
  mlir_close(&session);
  free(path);
}

static void expect_in(const char *text, const char *part) {
  cr_expect(strstr(text, part), "'%s' is not in: %s", part, text);
}

//===----------------------------------------------------------------------===//
// Files that do not stay what they were
//===----------------------------------------------------------------------===//

TestSuite(changed_files, .init = session_open, .fini = session_close);

Test(changed_files, removed_one_is_refused_by_name) {
  replace(MLIR_PLUGIN("version-1"));
  mlir_add(&session, path);
  remove(path);
  cr_assert_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), path);
  expect_in(mlir_message(&session), "No such file or directory");
}

Test(changed_files, one_that_others_may_write_to_by_now_is_not_loaded) {
  replace(MLIR_PLUGIN("version-1"));
  mlir_add(&session, path);
  system_set_mode(path, 0666);
  cr_assert_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), "everybody may write to the file");
  cr_expect(session.error->untrusted);
  cr_expect_null(mlir_plugin_data(path, "mlirplug_plugin"));
}

static void parent_add(void) {
  char *slash = strrchr(path, '/');
  *slash = '\0';
  cr_assert_eq(mlirplug_host_add_directory(session.host, path, NULL),
               MLIRPLUG_OK);
  system_set_mode(path, 0777);
  *slash = '/';
}

Test(changed_files, found_one_in_a_directory_of_others_by_now_is_not_loaded) {
  replace(MLIR_PLUGIN("version-1"));
  parent_add();
  cr_assert_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), "everybody may write to the directory");
  cr_expect_null(mlir_plugin_data(path, "mlirplug_plugin"));
}

Test(changed_files, named_one_in_such_a_directory_is) {
  replace(MLIR_PLUGIN("version-1"));
  parent_add();
  mlir_add(&session, path);
  cr_expect_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_OK, "%s", mlir_message(&session));
}

Test(changed_files, one_is_loaded_whatever_it_is_by_now_if_trust_is_off) {
  mlirplug_host *host;
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
  mlirplug_host_configuration configuration = {.size = sizeof configuration,
                                               .trust_any = true};
  cr_assert_eq(mlirplug_host_create(&configuration, &host, NULL), MLIRPLUG_OK);
  cr_assert_eq(mlirplug_host_attach_library(host, "static", NULL), MLIRPLUG_OK);
  replace(MLIR_PLUGIN("version-1"));
  cr_assert_eq(mlirplug_host_add_plugin(host, path, NULL, NULL), MLIRPLUG_OK);
  system_set_mode(path, 0666);
  cr_assert_eq(
      mlirplug_pipeline_parse(host, "builtin.module(version)", &pipeline, NULL),
      MLIRPLUG_OK);
  cr_expect_eq(
      mlirplug_manager_create(pipeline, session.context, NULL, &manager, NULL),
      MLIRPLUG_OK);
  mlirplug_manager_destroy(manager);
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_host_destroy(host);
}

Test(changed_files, another_in_its_place_is_not_loaded_unread) {
  replace(MLIR_PLUGIN("version-1"));
  mlir_add(&session, path);
  replace(MLIR_PLUGIN("load"));
  cr_assert_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), path);
  expect_in(mlir_message(&session), "another file has taken its place");
  cr_expect_null(mlir_plugin_data(path, "mlirplug_plugin"));
}

Test(changed_files, rebuilt_one_runs_its_new_code_and_the_old_manager_the_old) {
  static const char pipeline[] = "builtin.module(version)";
  struct mlir_pipeline old, new;
  replace(MLIR_PLUGIN("version-1"));
  mlir_add(&session, path);
  cr_assert_eq(mlir_pipeline_create(&session, pipeline, true, &old),
               MLIRPLUG_OK);
  replace(MLIR_PLUGIN("version-2"));
  mlir_add(&session, path);
  cr_assert_eq(mlir_pipeline_create(&session, pipeline, true, &new),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  MlirModule module = mlir_parse(session.context, "module {}");
  MlirOperation root = mlirModuleGetOperation(module);
  for (int round = 0; round < 2; ++round) {
    cr_expect_eq(mlirplug_manager_run(new.manager, root, NULL, NULL),
                 MLIRPLUG_OK);
    cr_expect_eq(mlirplug_manager_run(old.manager, root, NULL, NULL),
                 MLIRPLUG_OK);
  }
  cr_expect_str_eq(session.records.bytes,
                   "{\"pass\": \"version\", \"version\": 2}\n"
                   "{\"pass\": \"version\", \"version\": 1}\n"
                   "{\"pass\": \"version\", \"version\": 2}\n"
                   "{\"pass\": \"version\", \"version\": 1}\n");
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&old);
  mlir_pipeline_destroy(&new);
}

Test(changed_files, old_pipeline_makes_more_managers_of_the_old_code) {
  mlirplug_manager *first, *second;
  mlirplug_pipeline *pipeline;
  replace(MLIR_PLUGIN("version-1"));
  mlir_add(&session, path);
  cr_assert_eq(mlirplug_pipeline_parse(session.host, "builtin.module(version)",
                                       &pipeline, NULL),
               MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_manager_create(pipeline, session.context, NULL, &first, NULL),
      MLIRPLUG_OK);
  remove(path);
  cr_expect_eq(
      mlirplug_manager_create(pipeline, session.context, NULL, &second, NULL),
      MLIRPLUG_OK);
  mlirplug_manager_destroy(first);
  mlirplug_manager_destroy(second);
  mlirplug_pipeline_destroy(pipeline);
}

Test(changed_files, file_loaded_by_somebody_else_before_is_not_taken_for_it) {
  // The system's loader would hand out the object that it has by this name.
  replace(MLIR_PLUGIN("version-1"));
  cr_assert_not_null(dlopen(path, RTLD_NOW | RTLD_LOCAL));
  replace(MLIR_PLUGIN("version-2"));
  mlir_add(&session, path);
  cr_expect_eq(mlir_run(&session, "builtin.module(version)", "module {}"),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  expect_in(session.records.bytes, "\"version\": 2");
}

Test(changed_files, undefined_symbol_is_refused_by_name) {
  mlir_add(&session, MLIR_PLUGIN("undefined"));
  cr_assert_eq(mlir_run(&session, "builtin.module(load)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), MLIR_PLUGIN("undefined"));
  expect_in(mlir_message(&session), "nobody_defines_this");
  expect_in(mlir_message(&session), "-Wl,-z,defs");
}

//===----------------------------------------------------------------------===//
// Two copies of MLIR in one process
//===----------------------------------------------------------------------===//

static const char pipeline_of_both[] = "builtin.module(any(functions))";
static const char module_of_both[] = "module { func.func private @f() }";
static const char records_of_both[] =
    "{\"file\": \"input.mlir\", \"pass\": \"functions\", "
    "\"ran_on\": \"func.func\"}\n";

static void expect_good_run(struct mlir_session *of) {
  mlir_use(of);
  cr_expect_eq(mlir_run(of, pipeline_of_both, module_of_both), MLIRPLUG_OK,
               "%s", mlir_message(of));
  cr_expect_str_eq(of->records.bytes, records_of_both);
}

Test(two_copies_of_mlir, run_one_plugin_in_an_image_each) {
  struct mlir_session one, other;
  mlir_open(&one, "static", true);
  mlir_open(&other, "shared", true);
  mlir_add(&one, MLIR_PLUGIN("anchor"));
  mlir_add(&other, MLIR_PLUGIN("anchor"));
  for (int round = 0; round < 3; ++round) {
    expect_good_run(&one);
    expect_in(one.log.bytes, "runs from " MLIR_PLUGIN("anchor"));
    expect_good_run(&other);
    expect_in(other.log.bytes, "runs from /proc/self/fd/");
    expect_in(other.log.bytes, ", a copy of " MLIR_PLUGIN("anchor") " on ");
  }
  mlir_close(&other);
  mlir_close(&one);
}

Test(two_copies_of_mlir, tell_errors_of_plugins_to_their_own_context) {
  struct mlir_session one, other;
  mlir_open(&one, "static", false);
  mlir_open(&other, "shared", false);
  mlir_add(&one, MLIR_PLUGIN("diagnose"));
  mlir_add(&other, MLIR_PLUGIN("diagnose"));
  cr_expect_eq(mlir_run(&other, "builtin.module(mlir-error)", "module {}"),
               MLIRPLUG_FAILED);
  cr_expect_str_eq(one.diagnostics.bytes, "");
  expect_in(other.diagnostics.bytes, "complains");
  mlir_use(&one);
  cr_expect_eq(mlir_run(&one, "builtin.module(mlir-error)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(one.diagnostics.bytes, "complains");
  mlir_close(&other);
  mlir_close(&one);
}

Test(two_copies_of_mlir, one_session_after_the_other) {
  struct mlir_session one, other;
  mlir_open(&one, "shared", true);
  mlir_add(&one, MLIR_PLUGIN("anchor"));
  expect_good_run(&one);
  mlir_close(&one);
  mlir_open(&other, "static", true);
  mlir_add(&other, MLIR_PLUGIN("anchor"));
  expect_good_run(&other);
  mlir_close(&other);
}
