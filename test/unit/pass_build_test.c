// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pipelines and what they run on: test/plugins/pass/anchor.c.

#include "host/host.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;

static void session_open(void) {
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
}

static void session_close(void) { mlir_close(&session); }

TestSuite(building, .init = session_open, .fini = session_close);
TestSuite(anchors, .init = session_open, .fini = session_close);
TestSuite(dialects, .init = session_open, .fini = session_close);

static void expect_in(const char *text, const char *part) {
  cr_expect(strstr(text, part), "'%s' is not in: %s", part, text);
}

/// Building fails, and the message says all of `parts`.
static void expect_refused(const char *pipeline, const char *const *parts) {
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(&session, pipeline, true, &made),
               MLIRPLUG_FAILED);
  for (; *parts; ++parts)
    expect_in(mlir_message(&session), *parts);
}

//===----------------------------------------------------------------------===//
// What cannot be built
//===----------------------------------------------------------------------===//

Test(building, nest_on_an_unknown_operation_is_refused) {
  expect_refused("builtin.module(func.fun(anything))",
                 (const char *const[]){"'func.fun'", "MLIR 22.",
                                       "does not know", "none would run",
                                       NULL});
}

Test(building, nest_on_an_operation_that_is_not_isolated_is_refused) {
  expect_refused("builtin.module(func.func(scf.for(anything)))",
                 (const char *const[]){"'scf.for'", "not isolated from above",
                                       "none would run", NULL});
}

Test(building, nest_of_built_in_passes_is_checked_as_well) {
  expect_refused("builtin.module(scf.for(cse))",
                 (const char *const[]){"'scf.for'", NULL});
}

Test(building, root_that_is_not_isolated_is_refused) {
  expect_refused("scf.for(anything)", (const char *const[]){"'scf.for'", NULL});
}

Test(building, plugin_pass_with_the_name_of_a_built_in_one_is_refused) {
  mlir_add(&session, MLIR_PLUGIN("clash"));
  expect_refused("builtin.module(cse)",
                 (const char *const[]){"'cse'", MLIR_PLUGIN("clash"),
                                       "MLIR 22.", "rename", NULL});
}

Test(building, pass_that_nobody_has_is_refused_with_the_place) {
  expect_refused("builtin.module(cse,no-such-pass)",
                 (const char *const[]){"at character 20: MLIR 22.",
                                       "'no-such-pass'",
                                       "does not refer to a registered pass",
                                       "needs its plugin loaded", NULL});
}

Test(building, pass_that_nobody_has_asks_whether_a_close_one_is_meant) {
  expect_refused("builtin.module(severall)",
                 (const char *const[]){"did you mean 'several'?", NULL});
}

Test(building, pass_without_a_nest_is_shown_in_the_one_it_runs_on) {
  expect_refused(
      "insert-index{}",
      (const char *const[]){"'insert-index' at character 1 stands in no nest",
                            "write builtin.module(insert-index)", NULL});
  expect_refused(
      "several,cse",
      (const char *const[]){"write builtin.module(any(several),cse)", NULL});
}

Test(building, options_of_built_in_passes_are_checked_by_mlir) {
  expect_refused("builtin.module(canonicalize{top-up=false})",
                 (const char *const[]){"canonicalize{top-up=false}",
                                       "no such option", NULL});
}

Test(building, built_in_pass_in_a_nest_it_does_not_run_on_is_refused) {
  expect_refused("builtin.module(func.func(convert-linalg-to-std))",
                 (const char *const[]){"convert-linalg-to-std", NULL});
}

Test(building, needs_a_provider) {
  mlirplug_host *host;
  mlirplug_pipeline *pipeline;
  mlirplug_manager *manager;
  mlirplug_error *error;
  cr_assert_eq(mlirplug_host_create(NULL, &host, &error), MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_pipeline_parse(host, "builtin.module(cse)", &pipeline, &error),
      MLIRPLUG_OK);
  cr_assert_eq(mlirplug_manager_create(pipeline, session.context, NULL,
                                       &manager, &error),
               MLIRPLUG_FAILED);
  expect_in(error->message, "no provider is attached");
  mlirplug_error_destroy(error);
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_host_destroy(host);
}

//===----------------------------------------------------------------------===//
// What passes run on
//===----------------------------------------------------------------------===//

static const char many_operations[] =
    "module { func.func @f() { return }\n"
    "         llvm.func @g() { llvm.return }\n"
    "         module @inner { func.func @h() { return } }\n"
    "         gpu.module @kernels { gpu.func @k() kernel { gpu.return } }\n"
    "         func.func private @d() }";

/// The names that records say the pass ran on, with a space behind each.
static void expect_ran_on_in(const char *pipeline, const char *text,
                             const char *expected) {
  static const char key[] = "\"ran_on\": \"";
  cr_expect_eq(mlir_run(&session, pipeline, text), MLIRPLUG_OK, "%s%s",
               mlir_message(&session), session.diagnostics.bytes);
  char names[512] = "";
  size_t length = 0;
  for (const char *found = session.records.bytes;
       (found = strstr(found, key));) {
    found += sizeof key - 1;
    length += (size_t)snprintf(names + length, sizeof names - length, "%.*s ",
                               (int)strcspn(found, "\""), found);
  }
  cr_expect_str_eq(names, expected);
}

static void expect_ran_on(const char *pipeline, const char *expected) {
  expect_ran_on_in(pipeline, many_operations, expected);
}

Test(anchors, function_pass_runs_on_functions_of_every_dialect) {
  expect_ran_on("builtin.module(any(functions))",
                "func.func llvm.func func.func ");
}

Test(anchors, function_pass_runs_on_functions_of_one_kind) {
  expect_ran_on("builtin.module(func.func(functions),llvm.func(functions))",
                "func.func func.func llvm.func ");
}

Test(anchors, function_pass_does_not_run_on_modules) {
  cr_expect_eq(mlir_run(&session, "builtin.module(functions)", many_operations),
               MLIRPLUG_FAILED);
  cr_expect(strstr(mlir_message(&session),
                   "runs on @function, not on builtin.module; write "
                   "builtin.module(any(functions))"),
            "%s", mlir_message(&session));
  expect_ran_on("builtin.module(gpu.module(gpu.func(functions)))", "gpu.func ");
}

Test(anchors, symbol_pass_runs_on_what_has_a_name_and_a_region) {
  expect_ran_on("builtin.module(any(symbols))",
                "func.func llvm.func builtin.module gpu.module func.func ");
  expect_ran_on("builtin.module(gpu.module(symbols),builtin.module(any("
                "symbols)))",
                "gpu.module func.func ");
  cr_expect_eq(mlir_run(&session, "builtin.module(any(symbols))",
                        "module { module {} memref.global @g : memref<i32> }"),
               MLIRPLUG_OK);
  cr_expect_str_eq(session.records.bytes, "");
}

/// The attributes tell what the interfaces of the operations do.
Test(anchors, functions_are_those_of_the_interface) {
  static const char *const functions[] = {
      "func.func",       "llvm.func",
      "gpu.func",        "spirv.func",
      "emitc.func",      "async.func",
      "pdl_interp.func", "shape.func",
      "ml_program.func", "transform.named_sequence"};
  const struct provider_api *api = binding_api(session.host->binding);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    cr_expect(
        api->operation_traits(session.context, provider_string(functions[i])) &
            4,
        "%s", functions[i]);
  expect_ran_on_in("builtin.module(any(functions,any(functions)))",
                   "module attributes {transform.with_named_sequence} {\n"
                   "  spirv.module Logical GLSL450 {\n"
                   "    spirv.func @s() -> () \"None\" { spirv.Return } }\n"
                   "  emitc.func @e() { emitc.return }\n"
                   "  async.func @a() -> !async.token { return }\n"
                   "  ml_program.func @m() { ml_program.return }\n"
                   "  transform.named_sequence @t() { transform.yield }\n"
                   "}",
                   "emitc.func async.func ml_program.func "
                   "transform.named_sequence spirv.func ");
}

Test(anchors, pass_with_several_anchors_runs_on_those_only) {
  expect_ran_on("builtin.module(any(several))",
                "func.func gpu.module func.func ");
  expect_ran_on("builtin.module(gpu.module(several))", "gpu.module ");
}

Test(anchors, pass_without_anchors_runs_on_all_that_are_isolated) {
  expect_ran_on("builtin.module(any(anything))",
                "func.func llvm.func builtin.module gpu.module func.func ");
  expect_ran_on("builtin.module(anything)", "builtin.module ");
}

Test(anchors, pipeline_may_be_anchored_on_any_operation) {
  expect_ran_on("any(anything)", "builtin.module ");
}

Test(anchors, root_that_is_not_the_anchor_is_refused) {
  cr_expect_eq(mlir_run(&session, "func.func(anything)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), "the operation is 'builtin.module'");
  expect_in(mlir_message(&session), "'func.func', the anchor of");
  expect_in(mlir_message(&session), "input.mlir");
}

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

#define CASE_08 MLIRPLUG_SOURCE_DIRECTORY "/test/cases/08-dependent-dialect/"

Test(dialects, that_a_pass_declares_are_loaded) {
  char *input = file_content(CASE_08 "input.mlir");
  char *expected = file_content(CASE_08 "expected.mlir");
  cr_expect_eq(mlir_run(&session, "builtin.module(insert-index)", input),
               MLIRPLUG_OK, "%s", session.diagnostics.bytes);
  // mlir-opt ends its output with an empty line.
  cr_expect_eq(
      strncmp(session.printed.bytes, expected, strlen(session.printed.bytes)),
      0, "%s", session.printed.bytes);
  free(input);
  free(expected);
}

Test(dialects, that_a_pass_does_not_declare_are_named_when_it_uses_them) {
  char *input = file_content(CASE_08 "input.mlir");
  cr_expect_eq(mlir_run(&session, "builtin.module(insert-undeclared)", input),
               MLIRPLUG_FAILED);
  expect_in(session.diagnostics.bytes, "index.constant");
  free(input);
}

Test(dialects, that_nobody_has_are_refused_when_the_pipeline_is_built) {
  expect_refused(
      "builtin.module(needs-nowhere)",
      (const char *const[]){"'needs-nowhere'", "'nowhere'", "MLIR 22.", NULL});
}
