// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a pass can use while it runs: test/plugins/pass/service.c.

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <string.h>

static struct mlir_session session;

static void session_open(void) {
  mlir_open(&session, "static", false);
  mlir_add(&session, MLIR_PLUGIN("service"));
}

static void session_close(void) { mlir_close(&session); }

TestSuite(running_passes, .init = session_open, .fini = session_close);

static void expect_record(const char *pipeline, const char *part) {
  cr_expect_eq(mlir_run(&session, pipeline, "module {}"), MLIRPLUG_OK, "%s%s",
               mlir_message(&session), session.diagnostics.bytes);
  cr_expect(strstr(session.records.bytes, part), "%s", session.records.bytes);
}

Test(running_passes, have_their_options) {
  expect_record("builtin.module(options)",
                "\"options\": \"0 -1 7 0.5 default 0\"");
  expect_record("builtin.module(options{flag=true number=-9 natural=0x10 "
                "real=2.5 text='a b' mode=exact names=x,y})",
                "\"options\": \"1 -9 16 2.5 a b 1 x y\"");
}

Test(running_passes, have_their_own_options_in_each_place) {
  cr_expect_eq(mlir_run(&session,
                        "builtin.module(options{number=1},options{number=2})",
                        "module {}"),
               MLIRPLUG_OK);
  const char *first = strstr(session.records.bytes, "0 1 7 ");
  cr_assert_not_null(first, "%s", session.records.bytes);
  cr_expect(strstr(first, "0 2 7 "), "%s", session.records.bytes);
}

Test(running_passes, options_in_the_pipeline_text_read_back_to_themselves) {
  mlirplug_pipeline *pipeline, *again;
  cr_assert_eq(mlirplug_pipeline_parse(
                   session.host,
                   "builtin.module( options{ text='a b'  names={x,'y z'} "
                   "number=-1 real=0.25},cse )",
                   &pipeline, NULL),
               MLIRPLUG_OK);
  const char *text = mlirplug_pipeline_text(pipeline);
  cr_assert_eq(mlirplug_pipeline_parse(session.host, text, &again, NULL),
               MLIRPLUG_OK, "%s", text);
  cr_expect_str_eq(mlirplug_pipeline_text(again), text);
  expect_record(text, "\"options\": \"0 -1 7 0.25 a b 0 x y z\"");
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_pipeline_destroy(again);
}

Test(running_passes, have_memory_that_is_zero_and_aligned) {
  expect_record("builtin.module(memory,memory)", "\"memory\": \"good\"");
}

Test(running_passes, look_up_functions_of_mlir_and_nothing_else) {
  expect_record("builtin.module(lookup)", "\"lookup\": \"good\"");
}

Test(running_passes, cannot_count_what_they_have_not_declared) {
  cr_expect_eq(mlir_run(&session, "builtin.module(count-outside)",
                        "module {} loc(\"kernel.py\":3:7)"),
               MLIRPLUG_FAILED);
  cr_expect_str_eq(session.diagnostics.bytes,
                   "error: loc(\"kernel.py\":3:7): pass 'count-outside' added "
                   "to statistic 4, which is not in its table\n");
}

//===----------------------------------------------------------------------===//
// Names as identifiers
//===----------------------------------------------------------------------===//

static const char named_operations[] =
    "module { func.func @f(%x: i32) -> i32 {\n"
    "  %a = arith.addi %x, %x : i32\n"
    "  %b = arith.addi %a, %a : i32\n"
    "  \"test.unregistered\"() : () -> ()\n"
    "  return %b : i32 }\n"
    "  func.func private @d() }";

/// Counts by identifier in a context of its own.
static void expect_counts_in_new_context(const mlirplug_pipeline *pipeline) {
  static const uint64_t expected[] = {2, 1, 2, 1};
  MlirContext context = mlir_context_create(false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  mlirplug_manager *manager;
  cr_assert_eq(mlirplug_manager_create(pipeline, context, NULL, &manager, NULL),
               MLIRPLUG_OK);
  MlirModule module = mlir_parse(context, named_operations);
  cr_expect_eq(
      mlirplug_manager_run(manager, mlirModuleGetOperation(module), NULL, NULL),
      MLIRPLUG_OK);
  cr_assert_eq(mlirplug_manager_statistic_count(manager), 4);
  for (size_t i = 0; i < 4; ++i) {
    mlirplug_statistic_value found = mlirplug_manager_statistic(manager, i);
    cr_expect_eq(found.value, expected[i], "%s: %d", found.name,
                 (int)found.value);
  }
  mlirModuleDestroy(module);
  mlirplug_manager_destroy(manager);
  mlirContextDestroy(context);
}

Test(running_passes, know_operations_by_identifier_in_each_of_100_contexts) {
  mlirplug_pipeline *pipeline;
  cr_assert_eq(mlirplug_pipeline_parse(session.host,
                                       "builtin.module(count-names)", &pipeline,
                                       NULL),
               MLIRPLUG_OK);
  for (int i = 0; i < 100; ++i)
    expect_counts_in_new_context(pipeline);
  mlirplug_pipeline_destroy(pipeline);
}
