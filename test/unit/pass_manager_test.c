// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Managers that run again and again, are cancelled, verify, and count.

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static struct mlir_session session;

static void session_open(void) {
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("anchor"));
  mlir_add(&session, MLIR_PLUGIN("record"));
  mlir_add(&session, MLIR_PLUGIN("service"));
  mlir_add(&session, MLIR_PLUGIN("state"));
}

static void session_close(void) { mlir_close(&session); }

TestSuite(managers, .init = session_open, .fini = session_close);
TestSuite(statistics, .init = session_open, .fini = session_close);
TestSuite(cancelling, .init = session_open, .fini = session_close);

static struct mlir_pipeline create(const char *text, bool verify) {
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(&session, text, verify, &made), MLIRPLUG_OK,
               "%s", mlir_message(&session));
  return made;
}

static mlirplug_status run(const struct mlir_pipeline *pipeline,
                           const char *text) {
  mlirplug_error_destroy(session.error);
  session.error = NULL;
  MlirModule module = mlir_parse(session.context, text);
  mlirplug_status status =
      mlirplug_manager_run(pipeline->manager, mlirModuleGetOperation(module),
                           "input.mlir", &session.error);
  mlirModuleDestroy(module);
  return status;
}

static const char two_functions[] = "module { func.func @f(%x: i32) -> i32 {\n"
                                    "  %a = arith.addi %x, %x : i32\n"
                                    "  return %a : i32 }\n"
                                    "  func.func private @d() }";

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Test(managers, verify_after_each_pass_if_told_to) {
  static const char text[] = "module { func.func @f() { return } }";
  struct mlir_pipeline made =
      create("builtin.module(func.func(break-ir))", true);
  cr_expect_eq(run(&made, text), MLIRPLUG_FAILED);
  cr_expect(strstr(session.diagnostics.bytes, "empty block"), "%s",
            session.diagnostics.bytes);
  mlir_pipeline_destroy(&made);
  mlir_clear(&session);
  made = create("builtin.module(func.func(break-ir))", false);
  cr_expect_eq(run(&made, text), MLIRPLUG_OK);
  cr_expect_str_eq(session.diagnostics.bytes, "");
  mlir_pipeline_destroy(&made);
}

Test(managers, run_again_after_a_failure) {
  struct mlir_pipeline made = create(
      "builtin.module(func.func(count),func.func(break-ir),record-text)", true);
  cr_expect_eq(run(&made, "module { func.func @f() { return } }"),
               MLIRPLUG_FAILED);
  mlir_clear(&session);
  cr_expect_eq(run(&made, "module {}"), MLIRPLUG_OK, "%s",
               session.diagnostics.bytes);
  cr_expect_str_eq(session.records.bytes,
                   "{\"file\": \"input.mlir\", \"pass\": \"count\", "
                   "\"runs\": 0}\n"
                   "{\"file\": \"input.mlir\", \"pass\": \"record-text\"}\n");
  mlir_pipeline_destroy(&made);
}

static void print(MlirStringRef part, void *text) {
  strncat(text, part.data, part.length);
}

Test(managers, show_plugin_passes_with_their_options_to_mlir) {
  char text[128] = "";
  struct mlir_pipeline made = create(
      "builtin.module(options{number=3},options,func.func(count))", true);
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(
                            mlirplug_manager_pass_manager(made.manager)),
                        print, text);
  cr_expect_str_eq(
      text, "builtin.module(options{number=3},options,func.func(count))");
  mlir_pipeline_destroy(&made);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

static void expect_statistic(const struct mlir_pipeline *pipeline, size_t index,
                             mlirplug_statistic_value expected) {
  mlirplug_statistic_value found =
      mlirplug_manager_statistic(pipeline->manager, index);
  cr_expect_str_eq(found.pass, expected.pass);
  cr_expect_eq(found.place, expected.place);
  cr_expect_str_eq(found.name, expected.name);
  cr_expect_eq(found.value, expected.value, "%d", (int)found.value);
}

Test(statistics, are_summed_over_runs_in_each_place) {
  struct mlir_pipeline made =
      create("builtin.module(func.func(count),options{number=3},count-names,"
             "func.func(cse,count))",
             true);
  cr_assert_eq(mlirplug_manager_statistic_count(made.manager), 6);
  for (uint64_t runs = 1; runs <= 3; ++runs) {
    cr_expect_eq(run(&made, two_functions), MLIRPLUG_OK, "%s",
                 session.diagnostics.bytes);
    expect_statistic(
        &made, 0,
        (mlirplug_statistic_value){
            .pass = "count", .place = 0, .name = "runs", .value = 2 * runs});
    expect_statistic(&made, 1,
                     (mlirplug_statistic_value){.pass = "count-names",
                                                .place = 2,
                                                .name = "functions",
                                                .value = 2 * runs});
    expect_statistic(&made, 3,
                     (mlirplug_statistic_value){.pass = "count-names",
                                                .place = 2,
                                                .name = "additions",
                                                .value = runs});
    expect_statistic(
        &made, 5,
        (mlirplug_statistic_value){
            .pass = "count", .place = 3, .name = "runs", .value = 2 * runs});
  }
  mlir_pipeline_destroy(&made);
}

//===----------------------------------------------------------------------===//
// Cancelling
//===----------------------------------------------------------------------===//

/// Cancels the run as soon as its pass waits.
static void *cancel_when_waiting(void *manager) {
  const atomic_bool *waiting =
      mlir_plugin_data(MLIR_PLUGIN("service"), "service_is_waiting");
  while (!atomic_load(waiting))
    nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  mlirplug_manager_cancel(manager);
  return NULL;
}

static void expect_cancelled_run(const struct mlir_pipeline *pipeline,
                                 const char *text) {
  pthread_t thread;
  pthread_create(&thread, NULL, cancel_when_waiting, pipeline->manager);
  cr_expect_eq(run(pipeline, text), MLIRPLUG_FAILED);
  pthread_join(thread, NULL);
  cr_expect(strstr(mlir_message(&session), "the run was cancelled"), "%s",
            mlir_message(&session));
  cr_expect_str_eq(session.records.bytes, "", "a later pass has run");
}

Test(cancelling, ends_a_run_from_another_thread, .timeout = 30) {
  struct mlir_pipeline made = create("builtin.module(wait,record-text)", true);
  expect_cancelled_run(&made, "module {}");
  expect_cancelled_run(&made, "module {}");
  mlir_pipeline_destroy(&made);
}

Test(cancelling, ends_passes_on_all_threads, .timeout = 30) {
  struct mlir_pipeline made =
      create("builtin.module(func.func(wait),record-text)", true);
  expect_cancelled_run(&made, two_functions);
  mlir_pipeline_destroy(&made);
}

Test(cancelling, outside_of_a_run_does_nothing, .timeout = 30) {
  struct mlir_pipeline made = create("builtin.module(record-text)", true);
  mlirplug_manager_cancel(made.manager);
  cr_expect_eq(run(&made, "module {}"), MLIRPLUG_OK);
  mlirplug_manager_cancel(made.manager);
  cr_expect_eq(run(&made, "module {}"), MLIRPLUG_OK);
  mlir_pipeline_destroy(&made);
}
