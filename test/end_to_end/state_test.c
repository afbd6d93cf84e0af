// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances, threads and dialects: cases 05 and 08, and that what many threads
// do is told as if it were one.

#include "run.h"

#include <stdlib.h>
#include <string.h>

#define PASSES(name) MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/" name ".so"
#define INSTANCES COMMAND_CASES "/05-instance-state/input.mlir"
#define DIALECT COMMAND_CASES "/08-dependent-dialect/"

//===----------------------------------------------------------------------===//
// 05: state of instances
//===----------------------------------------------------------------------===//

static const char counts[] =
    "{\"file\": \"" INSTANCES "\", \"pass\": \"count\", \"runs\": 3}\n"
    "{\"file\": \"" INSTANCES "\", \"pass\": \"count\", \"runs\": 3}\n";

#define COUNTING                                                               \
  "opt", LOAD(PASSES("state")),                                                \
      "--pass-pipeline=builtin.module(func.func(count,canonicalize,count))",   \
      "--records=-"

Test(instances, count_for_themselves_with_threads_and_without) {
  struct command_result threads = mlirplug_run(COUNTING, INSTANCES);
  struct command_result one =
      mlirplug_run(COUNTING, "--mlir-disable-threading", INSTANCES);
  expect_exit(&threads, 0);
  expect_exit(&one, 0);
  expect_text(threads.output, counts);
  expect_text(one.output, counts);
  command_release(&threads);
  command_release(&one);
}

Test(instances, begin_anew_with_each_input) {
  char *directory = directory_create();
  char *input = file_content(INSTANCES);
  file_write(path_in(directory, "a.mlir"), input, strlen(input));
  file_write(path_in(directory, "b.mlir"), input, strlen(input));
  struct command_result result =
      mlirplug_run(COUNTING, "--mlir-pass-statistics",
                   path_in(directory, "a.mlir"), path_in(directory, "b.mlir"));
  expect_exit(&result, 0);
  cr_expect_eq(line_count(result.output), 4);
  const char *at = result.output;
  for (int i = 0; i < 4; ++i) {
    at = strstr(at, "\"runs\": 3}");
    cr_assert(at, "%s", result.output);
    ++at;
  }
  command_release(&result);
  free(input);
  free(directory);
}

/// Lines of statistics of a plugin's pass: "(S) 6 runs - …".
static void expect_statistics(const char *errors, const char *number,
                              size_t count) {
  size_t found = 0;
  for (const char *at = errors; (at = strstr(at, "(S)")); ++at) {
    const char *value = at + 3 + strspn(at + 3, " ");
    found += strncmp(value, number, strlen(number)) == 0;
  }
  cr_expect_eq(found, count, "%zu in:\n%s", found, errors);
}

Test(instances, have_one_statistic_for_each_place) {
  struct command_result threads =
      mlirplug_run(COUNTING, "--mlir-pass-statistics",
                   "--mlir-pass-statistics-display=pipeline", INSTANCES);
  struct command_result one = mlirplug_run(
      COUNTING, "--mlir-pass-statistics", "--mlir-disable-threading",
      "--mlir-pass-statistics-display=pipeline", INSTANCES);
  expect_exit(&threads, 0);
  expect_exit(&one, 0);
  expect_statistics(threads.errors, "3 runs", 2);
  expect_text(threads.errors, one.errors);
  command_release(&threads);
  command_release(&one);
}

//===----------------------------------------------------------------------===//
// 08: dialects
//===----------------------------------------------------------------------===//

Test(dialects_of_passes, are_loaded_if_they_are_declared) {
  struct command_result result = mlirplug_run(
      "opt", LOAD(PASSES("anchor")),
      "--pass-pipeline=builtin.module(insert-index)", DIALECT "input.mlir");
  expect_silent_success(&result);
  expect_file(result.output, DIALECT "expected.mlir");
  command_release(&result);
}

Test(dialects_of_passes, are_asked_for_if_they_are_not_declared) {
  static const char *const verifying[] = {"--verify-each",
                                          "--verify-each=false"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result =
        mlirplug_run("opt", LOAD(PASSES("anchor")), verifying[i],
                     "--pass-pipeline=builtin.module(insert-undeclared)",
                     DIALECT "input.mlir");
    expect_exit(&result, 1);
    expect_text(result.output, "");
    expect_contains(result.errors,
                    "error: pass 'insert-undeclared' made 'index.constant', "
                    "which is not known here: if the dialect 'index' has it, "
                    "the pass must declare that dialect (.dialects = "
                    "\"index\")\n");
    command_release(&result);
  }
}

Test(dialects_of_passes, that_nobody_has_are_refused_before_anything_runs) {
  struct command_result result = mlirplug_run(
      "opt", LOAD(PASSES("anchor")),
      "--pass-pipeline=builtin.module(needs-nowhere)", DIALECT "input.mlir");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "'nowhere'");
  expect_contains(result.errors, "MLIR 22");
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Many threads
//===----------------------------------------------------------------------===//

#define FUNCTIONS 60
#define RUNS 50

/// A module of functions that take time, in several modules.
static void input_write(const char *path) {
  FILE *file = fopen(path, "w");
  cr_assert(file);
  for (int i = 0; i < FUNCTIONS; ++i) {
    if (i % 20 == 0)
      (void)fprintf(file, "%smodule @m%d {\n", i ? "}\n" : "", i);
    (void)fprintf(file,
                  "func.func @f%d(%%x: i32) -> i32 {\n"
                  "  %%0 = arith.addi %%x, %%x : i32\n"
                  "  %%1 = arith.addi %%x, %%x : i32\n"
                  "  %%2 = arith.muli %%0, %%1 : i32\n"
                  "  return %%2 : i32\n}\n",
                  i);
  }
  (void)fprintf(file, "}\n");
  (void)fclose(file);
}

#define THREADED_PLUGINS                                                       \
  LOAD(PASSES("state"))                                                        \
  " " LOAD(PASSES("record")) " " LOAD(PASSES("diagnose")) " " LOAD(            \
      EXAMPLE("tag-functions"))
#define THREADED_PIPELINE                                                      \
  "builtin.module(builtin.module(func.func(count,record-name,say{severity=1}," \
  "cse,tag-functions)),canonicalize)"

/// The output and the records of a run in a directory, with a further option.
static struct command_result threaded_run(const char *directory,
                                          const char *option) {
  return mlirplug_shell(
      "cd %s && $MLIRPLUG opt %s --pass-pipeline='%s' --mlir-pass-statistics "
      "--mlir-pass-statistics-display=pipeline --records=r.jsonl -o o.mlir "
      "in.mlir %s && cat o.mlir r.jsonl",
      directory, THREADED_PLUGINS, THREADED_PIPELINE, option);
}

Test(threads, change_nothing_in_fifty_runs, .timeout = 120) {
  char *directory = directory_create();
  input_write(path_in(directory, "in.mlir"));
  struct command_result one =
      threaded_run(directory, "--mlir-disable-threading");
  expect_exit(&one, 0);
  cr_assert(line_count(one.output) > FUNCTIONS);
  cr_assert(line_count(one.errors) > FUNCTIONS);
  for (int i = 0; i < RUNS; ++i) {
    struct command_result many = threaded_run(directory, "");
    expect_exit(&many, 0);
    expect_text(many.output, one.output);
    expect_text(many.errors, one.errors);
    command_release(&many);
  }
  command_release(&one);
  free(directory);
}
