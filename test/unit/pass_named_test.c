// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that MLIR asks for by name: whose they are, what they keep and that
// all of it is freed.

#include "plugins/pass/state.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <string.h>

#define PLUGIN MLIR_PLUGIN("state")

static struct mlir_session session;

static void begin(void) {
  mlirplug_error *error = NULL;
  mlir_open(&session, "static", true);
  mlir_add(&session, PLUGIN);
  mlirRegisterAllPasses();
  cr_assert_eq(mlirplug_host_register_passes(session.host, &error), MLIRPLUG_OK,
               "%s", error->message);
  // Again is no error.
  cr_assert_eq(mlirplug_host_register_passes(session.host, &error),
               MLIRPLUG_OK);
}

static void end(void) { mlir_close(&session); }

TestSuite(passes_by_name, .init = begin, .fini = end);

static void expect_all_freed(void) {
  const struct state_counts *counts = mlir_plugin_data(PLUGIN, "state_counts");
  cr_assert_not_null(counts);
  cr_expect_gt(counts->created, 0);
  cr_expect_eq(counts->created + counts->cloned, counts->destroyed,
               "created %d, cloned %d, destroyed %d", counts->created,
               counts->cloned, counts->destroyed);
}

static const char two_functions[] =
    "module {\n"
    "  func.func @f() { return }\n"
    "  func.func @g() { call @f() : () -> () return }\n"
    "}";

static const char script[] =
    "module attributes {transform.with_named_sequence} {\n"
    "  func.func @f() { return }\n"
    "  func.func @g() { return }\n"
    "  transform.named_sequence @__transform_main(%m: !transform.any_op) {\n"
    "    %f = transform.structured.match ops{[\"func.func\"]} in %m : "
    "(!transform.any_op) -> !transform.any_op\n"
    "    %1 = transform.apply_registered_pass \"count\" to %f : "
    "(!transform.any_op) -> !transform.any_op\n"
    "    %2 = transform.apply_registered_pass \"count\" to %1 : "
    "(!transform.any_op) -> !transform.any_op\n"
    "    transform.yield\n"
    "  }\n"
    "}";

static const char four_runs[] =
    "{\"file\": \"input.mlir\", \"pass\": \"count\", \"runs\": 4}\n";

Test(passes_by_name, merge_what_each_application_has_counted) {
  cr_expect_eq(
      mlir_run(&session, "builtin.module(transform-interpreter)", script),
      MLIRPLUG_OK, "%s%s", mlir_message(&session), session.diagnostics.bytes);
  cr_expect_str_eq(session.records.bytes, four_runs);
  expect_all_freed();
}

/// The manager's second run begins at nothing.
Test(passes_by_name, begin_anew_in_each_run) {
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(&session,
                                    "builtin.module(transform-interpreter,"
                                    "inline{op-pipelines=func.func(count)})",
                                    true, &made),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  char first[512] = "";
  for (int i = 0; i < 3; ++i) {
    mlir_clear(&session);
    MlirModule module = mlir_parse(session.context, script);
    cr_expect_eq(mlirplug_manager_run(made.manager,
                                      mlirModuleGetOperation(module),
                                      "input.mlir", NULL),
                 MLIRPLUG_OK, "%s", session.diagnostics.bytes);
    mlirModuleDestroy(module);
    if (i == 0)
      (void)strncpy(first, session.records.bytes, sizeof first - 1);
    cr_expect_str_eq(session.records.bytes, first);
  }
  cr_expect(strstr(first, "\"pass\": \"count\""), "%s", first);
  mlir_pipeline_destroy(&made);
  expect_all_freed();
}

Test(passes_by_name, are_those_of_the_manager_that_is_built) {
  struct mlir_pipeline one, two;
  static const char pipeline[] =
      "builtin.module(inline{op-pipelines=func.func(count)},func.func(count))";
  cr_assert_eq(mlir_pipeline_create(&session, pipeline, true, &one),
               MLIRPLUG_OK);
  cr_assert_eq(mlir_pipeline_create(&session, pipeline, true, &two),
               MLIRPLUG_OK);
  mlir_pipeline_destroy(&one);
  MlirModule module = mlir_parse(session.context, two_functions);
  cr_expect_eq(mlirplug_manager_run(two.manager, mlirModuleGetOperation(module),
                                    "input.mlir", NULL),
               MLIRPLUG_OK);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&two);
  expect_all_freed();
}

Test(passes_by_name, of_a_plugin_still_clash_with_those_of_mlir) {
  mlir_add(&session, MLIR_PLUGIN("clash"));
  cr_assert_eq(mlirplug_host_register_passes(session.host, NULL), MLIRPLUG_OK);
  cr_expect_eq(mlir_run(&session, "builtin.module(cse)", two_functions),
               MLIRPLUG_FAILED);
  cr_expect(strstr(mlir_message(&session), "has the name of a pass of MLIR"),
            "%s", mlir_message(&session));
}

/// What fails in the inner pipeline fails the run.
Test(passes_by_name, that_fail_end_the_run) {
  mlir_add(&session, MLIR_PLUGIN("diagnose"));
  cr_assert_eq(mlirplug_host_register_passes(session.host, NULL), MLIRPLUG_OK);
  cr_expect_eq(
      mlir_run(&session,
               "builtin.module(inline{op-pipelines=func.func(fail-silently)})",
               two_functions),
      MLIRPLUG_FAILED);
  cr_expect(strstr(session.diagnostics.bytes, "pass 'fail-silently' failed"),
            "%s", session.diagnostics.bytes);
}
