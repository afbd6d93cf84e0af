// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the IR goes, and what happens when it cannot.

#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char old_text[] = "old\n";

/// A fresh directory with a file out.mlir that holds the old text.
static char *old_output_create(const char **path) {
  char *directory = directory_create();
  *path = path_in(directory, "out.mlir");
  file_write(*path, old_text, strlen(old_text));
  return directory;
}

static void expect_old_text(const char *path) {
  char *content = file_content(path);
  expect_text(content, old_text);
  free(content);
}

static size_t entry_count(const char *directory) {
  struct command_result listed = command_shell("ls -A %s", directory);
  size_t count = line_count(listed.output);
  command_release(&listed);
  return count;
}

Test(output, goes_to_a_file) {
  const char *path;
  char *directory = old_output_create(&path);
  struct command_result result = mlirplug_run("opt", ADD_TO_MUL, "-o", path);
  expect_silent_success(&result);
  expect_text(result.output, "");
  struct command_result printed = mlirplug_run("opt", "-o", "-", ADD_TO_MUL);
  expect_file(printed.output, path);
  cr_expect(entry_count(directory) == 1);
  command_release(&result);
  command_release(&printed);
  free(directory);
}

Test(output, may_replace_its_input) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && cp " ADD_TO_MUL " x.mlir && $MLIRPLUG opt " LOAD(
          EXAMPLE("add-to-mul")) " --add-to-mul x.mlir -o x.mlir && cat x.mlir",
      directory);
  expect_silent_success(&result);
  expect_file(result.output, COMMAND_CASES "/04-add-to-mul/expected.mlir");
  command_release(&result);
  free(directory);
}

Test(output, to_a_standard_stream_comes_behind_what_is_there) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && $MLIRPLUG opt " TWICE " >plain && "
      "{ echo before; cat plain; echo after; } >expected && "
      "{ echo before; $MLIRPLUG opt " TWICE
      " -o /dev/stdout; echo after; } >out && cmp expected out && "
      "{ echo before; $MLIRPLUG opt " TWICE " -o $PWD/out; echo after; } >out "
      "&& cmp expected out && "
      "{ echo before >&2; $MLIRPLUG opt " TWICE
      " -o /dev/stderr; echo after >&2; } 2>out && cmp expected out",
      directory);
  expect_silent_success(&result);
  command_release(&result);
  free(directory);
}

Test(output, keeps_the_mode_and_the_link_of_a_file) {
  const char *path;
  char *directory = old_output_create(&path);
  struct command_result result = mlirplug_shell(
      "cd %s && chmod 640 out.mlir && ln -s out.mlir link.mlir && "
      "$MLIRPLUG opt " TWICE " -o link.mlir && test -L link.mlir && "
      "grep -c twice out.mlir",
      directory);
  expect_silent_success(&result);
  expect_text(result.output, "1\n");
  struct stat status;
  cr_assert(stat(path, &status) == 0);
  cr_expect((status.st_mode & 07777) == 0640, "mode %o", status.st_mode);
  command_release(&result);
  free(directory);
}

Test(output, of_a_failed_input_leaves_the_file_alone) {
  const char *path;
  char *directory = old_output_create(&path);
  struct command_result result = mlirplug_run(
      "opt", LOAD(EXAMPLE("forbid")), "--forbid", FORBIDDEN, "-o", path);
  expect_exit(&result, 1);
  expect_old_text(path);
  cr_expect(entry_count(directory) == 1);
  command_release(&result);
  free(directory);
}

Test(output, of_several_inputs_is_whole_or_not_written) {
  const char *path;
  char *directory = old_output_create(&path);
  struct command_result failed = mlirplug_run(
      "opt", LOAD(EXAMPLE("forbid")), "--forbid", TWICE, FORBIDDEN, "-o", path);
  expect_exit(&failed, 1);
  expect_contains(failed.errors, "out.mlir' is not written");
  expect_old_text(path);
  struct command_result worked =
      mlirplug_run("opt", TWICE, ADD_TO_MUL, "-o", path);
  struct command_result printed = mlirplug_run("opt", TWICE, ADD_TO_MUL);
  expect_silent_success(&worked);
  expect_file(printed.output, path);
  command_release(&failed);
  command_release(&worked);
  command_release(&printed);
  free(directory);
}

Test(output, to_a_directory_is_a_file_for_each_input) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && cp " TWICE " one.mlir && cp " ADD_TO_MUL " two.txt && "
      "$MLIRPLUG opt one.mlir two.txt -o made/ && "
      "$MLIRPLUG opt --emit-bytecode one.mlir two.txt -o made && "
      "$MLIRPLUG opt made/one.mlirbc made/two.txt.mlirbc -o made && "
      "cmp made/two.txt made/two.txt.mlir && ls made",
      directory);
  expect_silent_success(&result);
  expect_text(result.output,
              "one.mlir\none.mlirbc\ntwo.txt\ntwo.txt.mlir\ntwo.txt.mlirbc\n");
  command_release(&result);
  free(directory);
}

Test(output, to_a_directory_has_what_worked) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && cp " TWICE " good.mlir && cp " FORBIDDEN " bad.mlir && "
      "$MLIRPLUG opt " LOAD(EXAMPLE("forbid")) " --forbid . -o made/; "
                                               "echo $?; ls made",
      directory);
  expect_text(result.output, "1\ngood.mlir\n");
  command_release(&result);
  free(directory);
}

Test(output, to_a_directory_needs_different_names) {
  char *directory = directory_create();
  struct command_result result =
      mlirplug_run("opt", TWICE, ADD_TO_MUL, "-o", directory);
  expect_refusal(&result, 2);
  expect_contains(result.errors, TWICE);
  expect_contains(result.errors, ADD_TO_MUL);
  expect_contains(result.errors, "input.mlir");
  command_release(&result);
  free(directory);
}

Test(output, to_a_directory_needs_different_files) {
  static const char *const links[] = {
      "touch made/one.mlir && ln made/one.mlir made/two.mlir",
      "touch made/one.mlir && ln -s one.mlir made/two.mlir",
      "ln -s ../made/one.mlir made/two.mlir",
      "ln -s out made/one.mlir && ln -s out made/two.mlir"};
  for (size_t i = 0; i < sizeof links / sizeof *links; ++i) {
    char *directory = directory_create();
    struct command_result result = mlirplug_shell(
        "cd %s && mkdir made && cp " TWICE " one.mlir && cp " ADD_TO_MUL
        " two.mlir && %s && $MLIRPLUG opt one.mlir two.mlir -o made",
        directory, links[i]);
    expect_refusal(&result, 2);
    expect_contains(result.errors, "would both be written to 'made/");
    expect_contains(result.errors, "which is also 'made/");
    command_release(&result);
    free(directory);
  }
}

Test(output, to_a_directory_may_be_dropped) {
  char *directory = directory_create();
  struct command_result result = mlirplug_shell(
      "cd %s && mkdir made && cp " TWICE " one.mlir && cp " ADD_TO_MUL
      " two.mlir && ln -s /dev/null made/one.mlir && "
      "ln -s /dev/null made/two.mlir && $MLIRPLUG opt . -o made/",
      directory);
  expect_silent_success(&result);
  command_release(&result);
  free(directory);
}

Test(output, to_a_directory_needs_a_name) {
  struct command_result result =
      mlirplug_run_with("", (const char *const[]){"opt", "-o", "/tmp/", NULL});
  expect_refusal(&result, 2);
  expect_contains(result.errors, "standard input");
  command_release(&result);
}

Test(output, that_nowhere_fits_is_an_error) {
  static const char *const commands[] = {
      "$MLIRPLUG opt " TWICE " > /dev/full",
      "$MLIRPLUG opt " TWICE " -o /dev/full",
      "$MLIRPLUG help > /dev/full",
      "$MLIRPLUG list > /dev/full",
      "$MLIRPLUG --version > /dev/full",
  };
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
    struct command_result result = mlirplug_shell("%s", commands[i]);
    expect_refusal(&result, 1);
    expect_contains(result.errors, "No space left on device");
    command_release(&result);
  }
}

Test(output, to_a_closed_descriptor_is_an_error) {
  struct command_result result = mlirplug_shell("$MLIRPLUG opt " TWICE " >&-");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "standard output");
  command_release(&result);
}

Test(output, that_nobody_reads_ends_it_without_a_word) {
  struct command_result result = mlirplug_shell(
      "{ sleep 0.3; $MLIRPLUG opt " TWICE "; echo $? >&2; } | true");
  expect_text(result.errors, "1\n");
  command_release(&result);
}

Test(output, that_gets_too_large_leaves_the_old_file) {
  const char *path;
  char *directory = old_output_create(&path);
  struct command_result result =
      mlirplug_shell("ulimit -f 1; $MLIRPLUG opt " KERNELS
                     "/attention.mlir " KERNELS "/rope.mlir -o %s",
                     path);
  expect_exit(&result, 1);
  expect_contains(result.errors, "File too large");
  expect_old_text(path);
  cr_expect(entry_count(directory) == 1);
  command_release(&result);
  free(directory);
}

Test(output, to_a_place_that_is_not_there_is_an_error) {
  struct command_result result =
      mlirplug_run("opt", TWICE, "-o", "/nowhere/out.mlir");
  expect_refusal(&result, 1);
  expect_contains(result.errors, "/nowhere/out.mlir");
  command_release(&result);
}

Test(output, that_cannot_be_written_is_refused_before_the_first_input) {
  // The input would be refused, too.
  static const char *const options[] = {"-o", "--records"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result = mlirplug_shell(
        "echo nonsense | $MLIRPLUG opt %s /nowhere/out", options[i]);
    expect_refusal(&result, 1);
    expect_contains(result.errors, "cannot write '/nowhere/out': No such file");
    command_release(&result);
  }
}

Test(output, of_a_failed_input_is_not_missed_on_a_device) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt " TWICE " /nowhere/x.mlir -o /dev/null");
  expect_exit(&result, 1);
  expect_lacks(result.errors, "is not written");
  command_release(&result);
}

Test(output, of_errors_to_a_closed_descriptor_does_no_harm) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt /nowhere 2>&-; echo $?");
  expect_text(result.output, "1\n");
  command_release(&result);
}

Test(bytecode, is_not_written_to_a_terminal) {
  struct command_result result = mlirplug_shell(
      "script -qec \"$MLIRPLUG opt --emit-bytecode " TWICE "\" /dev/null");
  expect_exit(&result, 2);
  expect_contains(result.output, "terminal");
  expect_lacks(result.output, "ML\xef");
  command_release(&result);
}

Test(bytecode, of_several_inputs_needs_a_directory) {
  struct command_result result =
      mlirplug_run("opt", "--emit-bytecode", TWICE, ADD_TO_MUL);
  expect_refusal(&result, 2);
  expect_contains(result.errors, "-o DIRECTORY/");
  command_release(&result);
}
