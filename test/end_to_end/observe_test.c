// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is shown of passes on the way, against mlir-opt where it can do it too.

#include "run.h"

#include <stdlib.h>
#include <string.h>

#define PIPELINE                                                               \
  "--pass-pipeline='builtin.module(cse,func.func(cse,canonicalize),"           \
  "symbol-dce)' "

/// Both end alike and say the same on both streams.
static void expect_like_mlir_opt(const char *arguments) {
  struct command_result theirs = command_shell("mlir-opt-22 %s", arguments);
  struct command_result ours = mlirplug_shell("$MLIRPLUG opt %s", arguments);
  cr_expect_eq(ours.exit_code, theirs.exit_code, "%s", arguments);
  cr_expect_str_eq(ours.output, theirs.output, "%s", arguments);
  cr_expect_str_eq(ours.errors, theirs.errors, "%s", arguments);
  command_release(&theirs);
  command_release(&ours);
}

Test(observe, shows_the_ir_around_passes_as_mlir_opt_does) {
  static const char *const flags[] = {
      "--mlir-print-ir-after-all",
      "--mlir-print-ir-before-all",
      "--mlir-print-ir-before-all --mlir-print-ir-after-all",
      "--mlir-print-ir-after=cse",
      "--mlir-print-ir-after=cse,canonicalize --mlir-print-ir-before=cse",
      "--mlir-print-ir-after=cse --mlir-print-ir-after=symbol-dce",
      "--mlir-print-ir-after-all --mlir-print-ir-after-change",
      "--mlir-print-ir-after-change",
      "--mlir-print-ir-after-failure",
      "--mlir-print-ir-after-all --mlir-print-ir-module-scope",
      "--mlir-print-ir-tree-dir=/nowhere",
  };
  static const char *const kernels[] = {"dot", "attention"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    for (size_t j = 0; j < sizeof kernels / sizeof *kernels; ++j) {
      char arguments[1024];
      (void)snprintf(arguments, sizeof arguments,
                     "%s/%s.mlir " PIPELINE "--mlir-disable-threading %s",
                     KERNELS, kernels[j], flags[i]);
      expect_like_mlir_opt(arguments);
    }
}

Test(observe, shows_the_pipeline_as_mlir_opt_does) {
  expect_like_mlir_opt(TWICE " " PIPELINE "--dump-pass-pipeline");
  expect_like_mlir_opt(TWICE " --dump-pass-pipeline");
  expect_like_mlir_opt(
      TWICE " --dump-pass-pipeline "
            "--pass-pipeline='builtin.module(func.func(cse),symbol-dce)'");
}

Test(observe, leaves_actions_out_as_mlir_opt_does) {
  expect_like_mlir_opt(NESTING " " PIPELINE "--mlir-disable-threading "
                               "--mlir-debug-counter=pass-execution-skip=1");
  expect_like_mlir_opt(NESTING " " PIPELINE "--mlir-disable-threading "
                               "--mlir-debug-counter=pass-execution-skip=1,"
                               "pass-execution-count=2");
  expect_like_mlir_opt(NESTING " " PIPELINE "--mlir-enable-debugger-hook");
}

Test(observe, counts_the_actions_that_were_left_out) {
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " NESTING " " PIPELINE
      "--mlir-debug-counter=pass-execution-skip=2 --mlir-print-debug-counter "
      "-o /dev/null");
  expect_exit(&result, 0);
  expect_text(result.errors, "DebugCounter counters:\n"
                             "pass-execution                  : {3,2,-1}\n");
  command_release(&result);
}

Test(observe, refuses_counters_that_are_none) {
  static const char *const wrong[] = {"pass-execution-skip",
                                      "a-skip=", "a-skip=x", "a=1", "-skip=1"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    struct command_result result = mlirplug_shell(
        "$MLIRPLUG opt " NESTING " --mlir-debug-counter=%s", wrong[i]);
    expect_refusal(&result, 2);
    expect_contains(result.errors, "write NAME-skip=N or NAME-count=N");
    command_release(&result);
  }
}

Test(observe, logs_actions_to_a_file) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && for tool in mlir-opt-22 \"$MLIRPLUG opt\"; do "
      "$tool " NESTING " " PIPELINE " --mlir-disable-threading "
      "--log-actions-to=log --profile-actions-to=profile -o /dev/null && "
      "sed 's/thread [^]]*]/thread]/' log && "
      "sed 's/\"[pt]id\": [0-9]*\\|\"ts\": [0-9]*//g' profile && echo; done",
      directory);
  expect_exit(&result, 0);
  size_t half = strlen(result.output) / 2;
  cr_expect_eq(strncmp(result.output, result.output + half, half), 0, "%s",
               result.output);
  expect_contains(result.output, "Action `pass-execution` running `CSE`");
  expect_contains(result.output, "{\"name\": \"pass-execution\"");
  command_release(&result);
  struct command_result filtered = mlirplug_shell(
      "cd %s && $MLIRPLUG opt " NESTING " --cse --log-actions-to=log "
      "--log-mlir-actions-filter=other.mlir:1:1 -o /dev/null && cat log",
      directory);
  expect_exit(&filtered, 0);
  expect_text(filtered.output, "");
  command_release(&filtered);
  free(directory);
}

/// The log comes first, though the IR is written by somebody else.
Test(observe, logs_actions_to_standard_output_in_order) {
  struct command_result result =
      mlirplug_shell("for tool in mlir-opt-22 \"$MLIRPLUG opt\"; do "
                     "$tool " NESTING " --cse --log-actions-to=- | "
                     "sed 's/thread [^]]*]/thread]/'; done");
  size_t half = strlen(result.output) / 2;
  cr_expect_eq(strncmp(result.output, result.output + half, half), 0, "%s",
               result.output);
  expect_contains(result.output, "completed `pass-execution`\nmodule {");
  command_release(&result);
}

Test(observe, writes_the_tree_of_files_that_mlir_opt_writes) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && mlir-opt-22 " NESTING " " PIPELINE
      "--mlir-print-ir-after-all --mlir-print-ir-before-all "
      "--mlir-print-ir-tree-dir=theirs -o /dev/null && "
      "$MLIRPLUG opt " NESTING " " PIPELINE
      "--mlir-print-ir-after-all --mlir-print-ir-before-all "
      "--mlir-print-ir-tree-dir=ours -o /dev/null && diff -r theirs ours && "
      "find ours -type f | wc -l",
      directory);
  expect_exit(&result, 0);
  expect_text(result.errors, "");
  cr_expect_gt(strtol(result.output, NULL, 10), 10, "%s", result.output);
  command_release(&result);
  free(directory);
}

Test(observe, shows_the_ir_around_passes_of_plugins) {
  struct command_result result = mlirplug_run(
      "opt", LOAD(SHIPPED("linalg-survey")), NESTING,
      "--mlir-disable-threading",
      "--pass-pipeline=builtin.module(func.func(linalg-survey{generalize=true},"
      "cse))",
      "--mlir-print-ir-after=linalg-survey", "-o", "/dev/null");
  expect_exit(&result, 0);
  expect_contains(result.errors,
                  "// -----// IR Dump After linalg-survey "
                  "(linalg-survey{generalize=true}) //----- //\nfunc.func @f(");
  expect_lacks(result.errors, "(cse)");
  command_release(&result);
}

Test(observe, says_which_pass_nobody_has) {
  static const char *const passes[] = {"--cse", "--pass-pipeline=any()",
                                       "--verify-each"}; // the last runs none
  for (size_t i = 0; i < sizeof passes / sizeof *passes; ++i) {
    struct command_result result =
        mlirplug_run("opt", NESTING, passes[i], "--mlir-print-ir-after=csse");
    expect_refusal(&result, 1);
    expect_contains(result.errors, "cannot show the IR around the pass 'csse'");
    command_release(&result);
  }
}

Test(observe, shows_all_of_the_ir_only_without_threads) {
  struct command_result result =
      mlirplug_run("opt", NESTING, "--cse", "--mlir-print-ir-module-scope");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "--mlir-disable-threading");
  command_release(&result);
}

Test(observe, takes_the_times_that_mlir_opt_takes) {
  struct command_result result = mlirplug_shell(
      "for tool in mlir-opt-22 \"$MLIRPLUG opt\"; do "
      "$tool " NESTING " " PIPELINE " --mlir-disable-threading --mlir-timing "
      "-o /dev/null 2>&1 | sed 's/[0-9.]* *([^)]*)//g; s/Time: .*//'; done");
  size_t half = strlen(result.output) / 2;
  cr_expect_eq(strncmp(result.output, result.output + half, half), 0, "%s",
               result.output);
  expect_contains(result.output, "Parser");
  expect_contains(result.output, "Output");
  command_release(&result);
}

Test(observe, takes_the_times_of_plugins) {
  static const char *const kinds[] = {"--mlir-timing-display=list",
                                      "--mlir-timing-display=tree",
                                      "--mlir-output-format=json"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    struct command_result result =
        mlirplug_run("opt", LOAD(EXAMPLE("op-count")), NESTING, "--op-count",
                     "--mlir-timing", kinds[i], "-o", "/dev/null");
    expect_exit(&result, 0);
    expect_contains(result.errors, "op-count");
    expect_contains(result.errors, i == 2 ? "\"name\": \"Total\"" : "Total\n");
    command_release(&result);
  }
}

Test(observe, knows_the_words_that_flags_take) {
  struct command_result result =
      mlirplug_run("opt", NESTING, "--mlir-timing-display=treee");
  expect_refusal(&result, 2);
  expect_contains(result.errors, "expected --mlir-timing-display=list|tree");
  command_release(&result);
  result = mlirplug_run("opt", NESTING, "--mlir-pass-statistics-display=tree");
  expect_refusal(&result, 2);
  command_release(&result);
  result = mlirplug_run("opt", NESTING, "--mlir-output-format=yaml");
  expect_refusal(&result, 2);
  command_release(&result);
}

Test(observe, counts_the_same_in_both_displays) {
  struct command_result pipeline =
      mlirplug_run("opt", TWICE, NESTING, "--cse", "--mlir-pass-statistics",
                   "-o", "/dev/null");
  expect_exit(&pipeline, 0);
  expect_contains(pipeline.errors,
                  "===\nCSE\n"
                  "  (S) 0 ops-added   - Operations more than before\n");
  expect_contains(pipeline.errors, "  (S) 2 ops-visited - ");
  command_release(&pipeline);
  struct command_result list = mlirplug_run(
      "opt", TWICE, NESTING, "--pass-pipeline=builtin.module(cse,cse)",
      "--mlir-pass-statistics", "--mlir-pass-statistics-display=list", "-o",
      "/dev/null");
  expect_exit(&list, 0);
  expect_contains(list.errors, "===\n  cse\n");
  expect_contains(list.errors, "    (S) 4 ops-visited - ");
  command_release(&list);
}
