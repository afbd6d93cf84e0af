// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What users have asked other tools for, on the inputs of test/cases.

#include "run.h"

#include <stdlib.h>
#include <string.h>

#define HISTOGRAM_PLUGIN LOAD(SHIPPED("op-histogram"))
#define TAG_PLUGIN LOAD(EXAMPLE("tag-functions"))

//===----------------------------------------------------------------------===//
// 02: counting operations
//===----------------------------------------------------------------------===//

Test(counting_operations, gives_the_object_and_nothing_else) {
  struct command_result result = mlirplug_run(
      "opt", HISTOGRAM_PLUGIN, "--pass-pipeline=builtin.module(op-histogram)",
      HISTOGRAM, "-o", "/dev/null");
  expect_exit(&result, 0);
  expect_file(result.errors, COMMAND_CASES "/02-op-histogram/expected.json");
  expect_text(result.output, "");
  command_release(&result);
}

Test(counting_operations, works_on_dialects_nobody_knows) {
  struct command_result result = mlirplug_run(
      "opt", HISTOGRAM_PLUGIN, "--pass-pipeline=builtin.module(op-histogram)",
      "--allow-unregistered-dialect", UNREGISTERED, "-o", "/dev/null");
  expect_exit(&result, 0);
  expect_file(result.errors,
              COMMAND_CASES "/02-op-histogram/expected-unregistered.json");
  command_release(&result);
}

Test(counting_operations, goes_where_out_says) {
  char *directory = directory_create();
  const char *path = path_in(directory, "counts.json");
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt " HISTOGRAM_PLUGIN
      " --pass-pipeline='builtin.module(op-histogram{out=%s})' " HISTOGRAM
      " -o /dev/null",
      path);
  expect_silent_success(&result);
  char *counts = file_content(path);
  expect_file(counts, COMMAND_CASES "/02-op-histogram/expected.json");
  free(counts);
  command_release(&result);
  free(directory);
}

//===----------------------------------------------------------------------===//
// 03: flags, options, nesting
//===----------------------------------------------------------------------===//

Test(plugin_passes, a_run_by_a_flag_of_their_name) {
  struct command_result result = mlirplug_run(
      "opt", HISTOGRAM_PLUGIN, "--op-histogram", NESTING, "-o", "/dev/null");
  expect_exit(&result, 0);
  expect_file(result.errors, COMMAND_CASES "/02-op-histogram/expected.json");
  command_release(&result);
}

static const char top_three[] =
    "{\"arith.addi\": 2, \"arith.constant\": 2, \"func.func\": 3}\n";

Test(plugin_passes, b_take_options_in_a_pipeline) {
  struct command_result result =
      mlirplug_run("opt", HISTOGRAM_PLUGIN,
                   "--pass-pipeline=builtin.module(op-histogram{top=3})",
                   NESTING, "-o", "/dev/null");
  expect_exit(&result, 0);
  expect_text(result.errors, top_three);
  command_release(&result);
}

Test(plugin_passes, b_take_options_behind_a_flag) {
  struct command_result result =
      mlirplug_run("opt", "-op-histogram=top=3 out=stderr", NESTING, "-o",
                   "/dev/null", "--load-pass-plugin", SHIPPED("op-histogram"));
  expect_exit(&result, 0);
  expect_text(result.errors, top_three);
  command_release(&result);
}

Test(plugin_passes, c_refuse_an_option_they_do_not_have) {
  struct command_result result = mlirplug_run(
      "opt", HISTOGRAM_PLUGIN,
      "--pass-pipeline=builtin.module(op-histogram{topp=3})", NESTING);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "topp");
  expect_contains(result.errors, "op-histogram");
  expect_contains(result.errors, "top");
  expect_contains(result.errors, "out");
  command_release(&result);
}

Test(plugin_passes, d_refuse_a_value_of_the_wrong_kind) {
  struct command_result result = mlirplug_run(
      "opt", HISTOGRAM_PLUGIN,
      "--pass-pipeline=builtin.module(op-histogram{top=many})", NESTING);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "top");
  expect_contains(result.errors, "many");
  expect_contains(result.errors, "integer");
  command_release(&result);
}

Test(plugin_passes, e_say_where_they_run) {
  struct command_result result =
      mlirplug_run("opt", TAG_PLUGIN,
                   "--pass-pipeline=builtin.module(tag-functions)", NESTING);
  expect_refusal(&result, 1);
  expect_contains(result.errors, "func.func");
  expect_contains(result.errors, "builtin.module(func.func(tag-functions))");
  command_release(&result);
}

Test(plugin_passes, f_run_on_every_function) {
  struct command_result result = mlirplug_run(
      "opt", TAG_PLUGIN,
      "--pass-pipeline=builtin.module(func.func(tag-functions))", NESTING);
  expect_silent_success(&result);
  size_t tagged = 0;
  for (const char *at = result.output; (at = strstr(at, "tagged")); ++at)
    ++tagged;
  cr_expect(tagged == 3, "%zu tags in:\n%s", tagged, result.output);
  expect_contains(result.output, "@ext(i32) -> i32 attributes {tagged}");
  command_release(&result);
}

Test(plugin_passes, f_are_nested_by_themselves_as_flags) {
  struct command_result flag =
      mlirplug_run("opt", TAG_PLUGIN, "--tag-functions", "--cse", NESTING);
  struct command_result pipeline = mlirplug_run(
      "opt", TAG_PLUGIN,
      "--pass-pipeline=builtin.module(func.func(tag-functions),cse)", NESTING);
  expect_silent_success(&flag);
  expect_text(flag.output, pipeline.output);
  expect_contains(flag.output, "tagged");
  command_release(&flag);
  command_release(&pipeline);
}

static void expect_passes_described(const char *text) {
  expect_contains(text, "op-histogram");
  expect_contains(text, "Count operations by name");
  expect_contains(text, "top=<integer");
  expect_contains(text, "default: 0");
  expect_contains(text, "out=<string>");
  expect_contains(text, "tag-functions");
  expect_contains(text, "on func.func");
  expect_contains(text, "attribute=<string>");
}

Test(plugin_passes, g_are_in_the_help) {
  struct command_result result =
      mlirplug_run("opt", "--help", HISTOGRAM_PLUGIN, TAG_PLUGIN);
  expect_silent_success(&result);
  expect_passes_described(result.output);
  expect_contains(result.output, "--op-histogram");
  expect_contains(result.output, "--pass-pipeline=TEXT");
  command_release(&result);
}

Test(plugin_passes, g_can_be_listed) {
  struct command_result result =
      mlirplug_run("opt", "--list-passes", HISTOGRAM_PLUGIN, TAG_PLUGIN);
  expect_silent_success(&result);
  expect_passes_described(result.output);
  expect_lacks(result.output, "--pass-pipeline");
  command_release(&result);
}

/// What the help lists is accepted: each line "  --PASS …" of its end.
Test(plugin_passes, g_in_the_help_can_be_run) {
  struct command_result help =
      mlirplug_run("opt", "--help", HISTOGRAM_PLUGIN, TAG_PLUGIN);
  const char *at = strstr(help.output, "Passes of plugins:");
  cr_assert(at, "%s", help.output);
  size_t count = 0;
  while ((at = strstr(at, "\n  --"))) {
    char flag[64];
    at += 3;
    (void)snprintf(flag, sizeof flag, "%.*s", (int)strcspn(at, " \n"), at);
    struct command_result result =
        mlirplug_run("opt", HISTOGRAM_PLUGIN, TAG_PLUGIN, flag, NESTING);
    expect_exit(&result, 0);
    command_release(&result);
    ++count;
  }
  cr_expect_eq(count, 2, "%zu in:\n%s", count, help.output);
  command_release(&help);
}

Test(plugin_passes, h_can_be_printed_around) {
  static const char *const flags[][2] = {
      {"--mlir-print-ir-after=op-histogram", "IR Dump After op-histogram"},
      {"--mlir-print-ir-before=op-histogram", "IR Dump Before op-histogram"},
      {"--mlir-print-ir-after-all", "IR Dump After op-histogram"},
  };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    struct command_result result =
        mlirplug_run("opt", HISTOGRAM_PLUGIN, flags[i][0], "--op-histogram",
                     NESTING, "-o", "/dev/null");
    expect_exit(&result, 0);
    expect_contains(result.errors, flags[i][1]);
    command_release(&result);
  }
}

//===----------------------------------------------------------------------===//
// 04: a rewrite
//===----------------------------------------------------------------------===//

#define REWRITE                                                                \
  "opt", LOAD(EXAMPLE("add-to-mul")),                                          \
      "--pass-pipeline=builtin.module(add-to-mul)"

Test(a_rewrite, gives_the_expected_text_byte_for_byte) {
  struct command_result result = mlirplug_run(REWRITE, ADD_TO_MUL);
  expect_silent_success(&result);
  expect_file(result.output, COMMAND_CASES "/04-add-to-mul/expected.mlir");
  command_release(&result);
}

Test(a_rewrite, changes_nothing_the_second_time) {
  struct command_result once = mlirplug_run(REWRITE, ADD_TO_MUL);
  struct command_result twice =
      mlirplug_run_with(once.output, (const char *const[]){REWRITE, NULL});
  expect_silent_success(&twice);
  expect_text(twice.output, once.output);
  command_release(&once);
  command_release(&twice);
}

/// The location that is printed for `#locN`, the alias at `alias`.
static void expect_alias_location(const char *text, const char *alias,
                                  const char *location) {
  size_t length = strcspn(alias, ")");
  char definition[64];
  snprintf(definition, sizeof definition, "\n%.*s = ", (int)length, alias);
  const char *found = strstr(text, definition);
  cr_assert(found, "no %s in:\n%s", definition + 1, text);
  expect_contains(found, location);
  const char *line_end = strchr(found + 1, '\n');
  cr_expect(line_end && strstr(found, location) < line_end);
}

Test(a_rewrite, keeps_the_locations) {
  struct command_result result =
      mlirplug_run(REWRITE, "--mlir-print-debuginfo", ADD_TO_MUL);
  expect_silent_success(&result);
  static const char *const locations[] = {
      "input.mlir\":3:10)", "input.mlir\":4:10)", "input.mlir\":8:12)"};
  const char *at = result.output;
  for (size_t i = 0; i < 3; ++i) {
    at = strstr(at, "arith.muli");
    cr_assert(at, "too few multiplications in:\n%s", result.output);
    at = strstr(at, "loc(");
    cr_assert(at);
    expect_alias_location(result.output, at + 4, locations[i]);
  }
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// 07: failing
//===----------------------------------------------------------------------===//

Test(a_failing_pass, stops_the_pipeline_with_a_located_error) {
  struct command_result result = mlirplug_shell(
      "cd " COMMAND_CASES "/07-fail-and-stop && $MLIRPLUG opt " LOAD(EXAMPLE(
          "forbid")) " " HISTOGRAM_PLUGIN " --pass-pipeline='builtin.module("
                     "forbid,op-histogram)' input.mlir");
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_text(result.errors,
              "input.mlir:4:10: error: operation is marked forbidden\n"
              "    %0 = arith.addi %a, %a {forbidden} : i32\n"
              "         ^\n");
  command_release(&result);
}

static const char silent_about_failure[] =
    "#include <mlirplug/plugin.h>\n"
    "static mlirplug_status run(const mlirplug_run *run, MlirOperation op) {\n"
    "  mlirplug_emit(run, MlirDiagnosticError, mlirOperationGetLocation(op),\n"
    "                \"only said\");\n"
    "  return MLIRPLUG_OK;\n"
    "}\n"
    "static const mlirplug_pass pass = {MLIRPLUG_PASS(\"say\", \"\"),\n"
    "                                   .run = run};\n"
    "MLIRPLUG_PLUGIN(\"test.say\", \"1\", &pass);\n";

Test(a_failing_pass, need_not_say_it_twice) {
  char *directory = directory_create();
  const char *source = path_in(directory, "say.c");
  file_write(source, silent_about_failure, strlen(silent_about_failure));
  struct command_result result = mlirplug_shell(
      "cd %s && cc -shared -fPIC -fvisibility=hidden "
      "-I" MLIRPLUG_SOURCE_DIRECTORY "/sdk/include say.c -o say.so && "
      "$MLIRPLUG opt --load-pass-plugin=say.so " HISTOGRAM_PLUGIN
      " --say --op-histogram " FORBIDDEN,
      directory);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_contains(result.errors, "error: only said");
  expect_lacks(result.errors, "arith.addi\"");
  command_release(&result);
  free(directory);
}
