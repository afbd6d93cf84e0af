// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of passes: test/plugins/pass/state.c.

#include "pass/instance.h"

#include "plugins/pass/state.h"
#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLUGIN MLIR_PLUGIN("state")

static struct mlir_session session;

static void session_close(void) { mlir_close(&session); }

TestSuite(pass_state, .fini = session_close);

static const struct state_counts *counts(void) {
  const struct state_counts *found = mlir_plugin_data(PLUGIN, "state_counts");
  cr_assert_not_null(found);
  return found;
}

static void expect_all_freed(void) {
  cr_expect_eq(counts()->created + counts()->cloned, counts()->destroyed,
               "%d created, %d cloned, %d destroyed", counts()->created,
               counts()->cloned, counts()->destroyed);
}

static char *case_05(void) {
  return file_content(MLIRPLUG_SOURCE_DIRECTORY
                      "/test/cases/05-instance-state/input.mlir");
}

/// Case 05, twice in one process.
static void expect_three_runs_in_each_place(bool threads) {
  static const char records[] =
      "{\"file\": \"input.mlir\", \"pass\": \"count\", \"runs\": 3}\n"
      "{\"file\": \"input.mlir\", \"pass\": \"count\", \"runs\": 3}\n";
  mlir_open(&session, "static", threads);
  mlir_add(&session, PLUGIN);
  char *text = case_05();
  for (int pipeline = 0; pipeline < 2; ++pipeline) {
    cr_expect_eq(
        mlir_run(&session,
                 "builtin.module(func.func(count,canonicalize,count))", text),
        MLIRPLUG_OK, "%s%s", mlir_message(&session), session.diagnostics.bytes);
    cr_expect_str_eq(session.records.bytes, records);
    expect_all_freed();
  }
  cr_expect_eq(counts()->created, 4);
  cr_expect_eq(counts()->initialized, 4);
  cr_expect_eq(counts()->finished, 4);
  free(text);
}

Test(pass_state, is_each_places_own_without_threads) {
  expect_three_runs_in_each_place(false);
  cr_expect_eq(counts()->cloned, 0);
}

Test(pass_state, is_each_places_own_and_merged_with_threads) {
  expect_three_runs_in_each_place(true);
  cr_expect_gt(counts()->cloned, 0);
  cr_expect_eq(counts()->merged, counts()->cloned);
}

Test(pass_state, is_merged_and_reset_at_the_end_of_each_run) {
  mlir_open(&session, "static", true);
  mlir_add(&session, PLUGIN);
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(
                   &session, "builtin.module(func.func(count))", true, &made),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  char *text = case_05();
  MlirModule module = mlir_parse(session.context, text);
  for (int run = 1; run <= 3; ++run) {
    mlir_clear(&session);
    cr_expect_eq(mlirplug_manager_run(
                     made.manager, mlirModuleGetOperation(module), NULL, NULL),
                 MLIRPLUG_OK);
    cr_expect_str_eq(session.records.bytes,
                     "{\"pass\": \"count\", \"runs\": 3}\n");
    cr_expect_eq(counts()->finished, run);
    cr_expect_eq(counts()->reset, counts()->merged + run,
                 "each clone and the original are reset in each run");
    cr_expect_eq(mlirplug_manager_statistic(made.manager, 0).value,
                 3 * (uint64_t)run);
  }
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  expect_all_freed();
  free(text);
}

Test(pass_state, of_nests_in_nests_is_merged_from_clones_of_clones) {
  mlir_open(&session, "static", true);
  mlir_add(&session, PLUGIN);
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(
                   &session, "builtin.module(builtin.module(func.func(count)))",
                   true, &made),
               MLIRPLUG_OK);
  MlirModule module =
      mlir_parse(session.context, "module { func.func private @not_this()\n"
                                  "module { func.func private @a()\n"
                                  "         func.func private @b() }\n"
                                  "module { func.func private @c()\n"
                                  "         func.func private @d()\n"
                                  "         func.func private @e() } }");
  for (int run = 1; run <= 3; ++run)
    cr_expect_eq(mlirplug_manager_run(
                     made.manager, mlirModuleGetOperation(module), NULL, NULL),
                 MLIRPLUG_OK);
  cr_expect_str_eq(session.records.bytes,
                   "{\"pass\": \"count\", \"runs\": 5}\n"
                   "{\"pass\": \"count\", \"runs\": 5}\n"
                   "{\"pass\": \"count\", \"runs\": 5}\n");
  cr_expect_eq(mlirplug_manager_statistic(made.manager, 0).value, 15);
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
  expect_all_freed();
}

static void expect_in(const char *text, const char *part) {
  cr_expect(strstr(text, part), "'%s' is not in: %s", part, text);
}

Test(pass_state, that_cannot_be_made_is_an_error_when_the_pipeline_is_built) {
  mlir_open(&session, "static", false);
  mlir_add(&session, PLUGIN);
  cr_expect_eq(mlir_run(&session, "builtin.module(fail-create)", "module {}"),
               MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), "cannot make the pass 'fail-create'");
  expect_in(session.diagnostics.bytes,
            "pass 'fail-create' could not make its state");
}

static void expect_failing_clone(const char *pipeline, const char *text) {
  mlir_open(&session, "static", true);
  mlir_add(&session, PLUGIN);
  cr_expect_eq(mlir_run(&session, pipeline, text), MLIRPLUG_FAILED);
  expect_in(mlir_message(&session), "a pass failed");
  expect_in(session.diagnostics.bytes,
            "pass 'fail-clone' could not be cloned for a thread");
  cr_expect_eq(counts()->created, counts()->destroyed);
}

Test(pass_state, that_cannot_be_copied_is_an_error_of_the_run) {
  expect_failing_clone("builtin.module(func.func(fail-clone))",
                       "module { func.func private @a()\n"
                       "         func.func private @b() }");
}

Test(pass_state, that_cannot_be_copied_is_not_copied_further) {
  expect_failing_clone("builtin.module(builtin.module(func.func(fail-clone)))",
                       "module { module { func.func private @a()\n"
                       "                  func.func private @b() }\n"
                       "         module { func.func private @c()\n"
                       "                  func.func private @d() } }");
}

//===----------------------------------------------------------------------===//
// What MLIR promises
//===----------------------------------------------------------------------===//

static char reported[128];
static bool signalled;

static MlirLocation get_location(MlirOperation operation) {
  return (MlirLocation){operation.ptr};
}

static void emit_error(MlirLocation location, const char *message) {
  (void)location;
  (void)snprintf(reported, sizeof reported, "%s", message);
}

static void signal_failure(MlirExternalPass pass) {
  (void)pass;
  signalled = true;
}

Test(pass_instance, on_two_threads_at_once_is_an_error_and_not_run) {
  struct provider_api api = {.mlirOperationGetLocation = get_location,
                             .mlirEmitError = emit_error,
                             .mlirExternalPassSignalFailure = signal_failure};
  struct pipeline_node node = {.name = "count"};
  struct place place = {.api = &api, .node = &node};
  struct instance instance = {.place = &place, .usable = true, .busy = true};
  instance_callbacks.run((MlirOperation){0}, (MlirExternalPass){0}, &instance);
  cr_expect(signalled);
  cr_expect_str_eq(reported, "pass 'count' is run on two threads at once");
  cr_expect(instance.busy, "it is still run on the other one");
}
