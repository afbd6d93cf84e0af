// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics look like mlir-opt's, whatever kind of location they have.

#include "run.h"

#include <stdlib.h>
#include <string.h>

/// Both tools read `text`, as a file and as standard input, and say the same.
static void expect_same_diagnostics(const char *text) {
  char *directory = directory_create();
  file_write(path_in(directory, "x.mlir"), text, strlen(text));
  static const char *const inputs[] = {"x.mlir", "- < x.mlir"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result ours =
        mlirplug_shell("cd %s && $MLIRPLUG opt %s", directory, inputs[i]);
    struct command_result theirs =
        command_shell("cd %s && mlir-opt-22 %s", directory, inputs[i]);
    expect_exit(&ours, 1);
    expect_text(ours.errors, theirs.errors);
    expect_contains(ours.errors, ": error: ");
    expect_text(ours.output, "");
    command_release(&ours);
    command_release(&theirs);
  }
  free(directory);
}

Test(a_diagnostic, points_to_its_place) {
  expect_same_diagnostics("func.func @f() {\n  return %x : i32\n}\n");
}

Test(a_diagnostic, points_right_behind_tabs) {
  expect_same_diagnostics("func.func @f() {\n\t \treturn\t%x : i32\n}\n");
}

Test(a_diagnostic, may_be_at_the_end_of_the_text) {
  expect_same_diagnostics("func.func @f() {\n  return");
}

Test(a_diagnostic, has_its_notes_behind_it) {
  expect_same_diagnostics("func.func @f() { return }\n"
                          "func.func @f() { return }\n");
}

Test(a_diagnostic, looks_into_locations) {
  expect_same_diagnostics("func.func @f(%a: i32) -> i64 {\n"
                          "  return %a : i32 loc(\"named\"(\"x.mlir\":1:3))\n"
                          "}\n");
  expect_same_diagnostics(
      "func.func @f(%a: i32) -> i64 {\n"
      "  return %a : i32 loc(fused<\"m\">[unknown, \"x.mlir\":1:5])\n"
      "}\n");
}

Test(a_diagnostic, shows_the_calls_of_inlined_code) {
  expect_same_diagnostics(
      "func.func @f(%a: i32) -> i64 {\n"
      "  return %a : i32 loc(callsite(\"x.mlir\":1:3 at "
      "callsite(\"g\"(\"x.mlir\":2:4) at \"elsewhere.py\":7:9)))\n"
      "}\n");
}

Test(a_diagnostic, without_a_file_shows_the_location) {
  expect_same_diagnostics("func.func @f(%a: i32) -> i64 {\n"
                          "  return %a : i32 loc(\"only a name\")\n"
                          "}\n");
  expect_same_diagnostics("func.func @f(%a: i32) -> i64 {\n"
                          "  return %a : i32 loc(unknown)\n"
                          "}\n");
}

Test(a_diagnostic, of_another_file_shows_no_line_if_there_is_none) {
  expect_same_diagnostics("func.func @f(%a: i32) -> i64 {\n"
                          "  return %a : i32 loc(\"gone.py\":3:4)\n"
                          "}\n");
}

Test(a_diagnostic, survives_locations_without_end) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  cr_assert(stream);
  fputs("func.func @f(%a: i32) -> i64 {\n  return %a : i32 loc(", stream);
  for (int i = 0; i < 2000; ++i)
    fputs("\"n\"(", stream);
  fputs("unknown", stream);
  for (int i = 0; i < 2000; ++i)
    fputc(')', stream);
  fputs(")\n}\n", stream);
  fclose(stream);
  struct command_result result =
      mlirplug_run_with(text, (const char *const[]){"opt", NULL});
  expect_exit(&result, 1);
  expect_contains(result.errors, "error: ");
  command_release(&result);
  free(text);
}

Test(a_diagnostic, is_a_remark_when_the_pass_says_so) {
  struct command_result result =
      mlirplug_run("opt", LOAD(EXAMPLE("op-count")), "--op-count", TWICE);
  expect_exit(&result, 0);
  expect_contains(result.errors, TWICE ":2:3: remark: ");
  expect_contains(result.errors, "  func.func @twice(%a: i32) -> i32 {\n  ^\n");
  command_release(&result);
}

Test(diagnostics, come_in_the_order_of_the_functions) {
  struct command_result once = mlirplug_run("opt", LOAD(EXAMPLE("op-count")),
                                            "--op-count", HISTOGRAM, NESTING);
  expect_exit(&once, 0);
  const char *first = strstr(once.errors, ":3:3: remark");
  const char *second = first ? strstr(first, ":13:3: remark") : NULL;
  const char *third = second ? strstr(second, ":14:3: remark") : NULL;
  cr_expect(third, "found:\n%s", once.errors);
  for (int i = 0; i < 5; ++i) {
    struct command_result again = mlirplug_run(
        "opt", LOAD(EXAMPLE("op-count")), "--op-count", HISTOGRAM, NESTING);
    expect_text(again.errors, once.errors);
    command_release(&again);
  }
  command_release(&once);
}
