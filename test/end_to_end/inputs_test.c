// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several inputs, directories, and inputs that fail.

#include "run.h"

#include <stdlib.h>
#include <string.h>

static const char first[] = "func.func @first() {\n  return\n}\n";
static const char second[] = "func.func @second() {\n  return\n}\n";
static const char broken[] = "func.func @broken( {\n";

/// A directory with b.mlir, a.mlir, and things that are no inputs.
static char *inputs_create(void) {
  char *directory = directory_create();
  file_write(path_in(directory, "b.mlir"), second, strlen(second));
  file_write(path_in(directory, "a.mlir"), first, strlen(first));
  file_write(path_in(directory, ".hidden.mlir"), broken, strlen(broken));
  file_write(path_in(directory, "notes.txt"), broken, strlen(broken));
  struct command_result made =
      command_shell("mkdir %s/sub.mlir %s/sub && cp %s/a.mlir %s/sub/c.mlir",
                    directory, directory, directory, directory);
  expect_exit(&made, 0);
  command_release(&made);
  return directory;
}

static const char both_printed[] = "module {\n"
                                   "  func.func @first() {\n"
                                   "    return\n"
                                   "  }\n"
                                   "}\n"
                                   "\n"
                                   "// -----\n"
                                   "module {\n"
                                   "  func.func @second() {\n"
                                   "    return\n"
                                   "  }\n"
                                   "}\n"
                                   "\n";

Test(several_inputs, are_printed_in_order_with_a_line_between) {
  char *directory = inputs_create();
  struct command_result result = mlirplug_run(
      "opt", path_in(directory, "a.mlir"), path_in(directory, "b.mlir"));
  expect_silent_success(&result);
  expect_text(result.output, both_printed);
  command_release(&result);
  free(directory);
}

Test(several_inputs, are_printed_in_the_form_that_mlir_opt_splits) {
  char *directory = inputs_create();
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt %s | mlir-opt-22 --split-input-file", directory);
  expect_silent_success(&result);
  expect_text(result.output, both_printed);
  command_release(&result);
  free(directory);
}

Test(several_inputs, may_be_a_directory_with_standard_input) {
  char *directory = inputs_create();
  struct command_result result = mlirplug_run_with(
      second,
      (const char *const[]){"opt", path_in(directory, "a.mlir"), "-", NULL});
  expect_silent_success(&result);
  expect_text(result.output, both_printed);
  command_release(&result);
  free(directory);
}

Test(a_directory, means_its_mlir_files_in_byte_order) {
  char *directory = inputs_create();
  struct command_result made = mlirplug_shell(
      "cd %s && $MLIRPLUG opt --emit-bytecode a.mlir -o Z.mlirbc", directory);
  expect_silent_success(&made);
  struct command_result result =
      mlirplug_run("opt", "--mlir-print-debuginfo", directory);
  expect_silent_success(&result);
  const char *capital = strstr(result.output, "@first");
  const char *again = capital ? strstr(capital + 1, "@first") : NULL;
  const char *last = strstr(result.output, "@second");
  cr_expect(capital && again && last && again < last, "found:\n%s",
            result.output);
  cr_expect(last && !strstr(last, "// -----"), "too many in:\n%s",
            result.output);
  command_release(&made);
  command_release(&result);
  free(directory);
}

Test(a_directory, without_mlir_files_is_an_error) {
  char *directory = directory_create();
  struct command_result result = mlirplug_run("opt", directory);
  expect_refusal(&result, 1);
  expect_contains(result.errors, directory);
  expect_contains(result.errors, "*.mlir");
  command_release(&result);
  free(directory);
}

Test(a_broken_input, does_not_stop_the_others) {
  char *directory = inputs_create();
  file_write(path_in(directory, "aa.mlir"), broken, strlen(broken));
  struct command_result result = mlirplug_run("opt", directory);
  expect_exit(&result, 1);
  expect_text(result.output, both_printed);
  expect_contains(result.errors, "aa.mlir:1:19: error: ");
  command_release(&result);
  free(directory);
}

Test(a_missing_input, is_named_and_does_not_stop_the_others) {
  char *directory = inputs_create();
  struct command_result result =
      mlirplug_run("opt", "/nowhere/x.mlir", directory);
  expect_exit(&result, 1);
  expect_text(result.output, both_printed);
  expect_text(
      result.errors,
      "mlirplug: cannot read '/nowhere/x.mlir': No such file or directory\n");
  command_release(&result);
  free(directory);
}

Test(a_failing_input, has_the_only_message_and_no_output) {
  struct command_result result = mlirplug_run(
      "opt", LOAD(EXAMPLE("forbid")), "--forbid", TWICE, FORBIDDEN, ADD_TO_MUL);
  expect_exit(&result, 1);
  expect_contains(result.output, "@twice");
  expect_contains(result.output, "@mix");
  expect_lacks(result.output, "@bad");
  cr_expect(line_count(result.errors) == 3, "found:\n%s", result.errors);
  command_release(&result);
}

Test(an_input, that_may_not_be_read_is_named) {
  char *directory = inputs_create();
  struct command_result result = mlirplug_shell(
      "cd %s && ln -s nowhere.mlir c.mlir && $MLIRPLUG opt .", directory);
  expect_exit(&result, 1);
  expect_text(result.output, both_printed);
  expect_contains(result.errors, "c.mlir");
  command_release(&result);
  free(directory);
}

Test(standard_input, is_read_once) {
  struct command_result result = mlirplug_run("opt", "-", "-");
  expect_refusal(&result, 2);
  expect_contains(result.errors, "standard input");
  command_release(&result);
}

Test(standard_input, that_is_closed_is_an_error) {
  struct command_result result = mlirplug_shell("$MLIRPLUG opt <&-");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "standard input");
  command_release(&result);
}

Test(several_inputs, are_counted_on_a_terminal) {
  char *directory = inputs_create();
  struct command_result result = mlirplug_shell(
      "cd %s && script -qec \"$MLIRPLUG opt a.mlir b.mlir -o /dev/null\" "
      "/dev/null",
      directory);
  expect_exit(&result, 0);
  expect_contains(result.output, "[1/2] a.mlir");
  expect_contains(result.output, "[2/2] b.mlir");
  struct command_result single = mlirplug_shell(
      "cd %s && script -qec \"$MLIRPLUG opt a.mlir -o /dev/null\" /dev/null",
      directory);
  expect_text(single.output, "");
  command_release(&result);
  command_release(&single);
  free(directory);
}
