// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Case 12: a directory of plugins with duplicates and junk, given by a flag or
// by the environment.

#include "directory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void remove_from_directory(const char *name) {
  cr_assert_eq(unlink(in_directory(name)), 0);
}

//===----------------------------------------------------------------------===//
// The whole directory
//===----------------------------------------------------------------------===//

TestSuite(a_plugin_directory, .init = tree_make, .fini = directory_forget);

Test(a_plugin_directory, is_considered_in_byte_order) {
  struct command_result result =
      mlirplug_run("list", "--plugin-dir", directory);
  expect_exit(&result, 0);
  expect_order(result.output, in_directory("10-two.so"),
               in_directory("20-one.so"));
  expect_order(result.output, in_directory("20-one.so"),
               in_directory("40-copy.so"));
  expect_order(result.output, "50-broken.so", "60-dangling.so");
  expect_lacks(result.errors, "50-broken.so");
  command_release(&result);
}

Test(a_plugin_directory, has_each_file_once_and_says_so_when_asked) {
  struct command_result result =
      mlirplug_run("list", "--plugin-dir", directory);
  expect_lacks(result.output, "30-alias");
  expect_lacks(result.errors, "30-alias");
  command_release(&result);
  result = mlirplug_run("list", "--plugin-debug", "--plugin-dir", directory);
  expect_line(result.errors, LINE("debug", in_directory("30-alias.so"),
                                  "already there", in_directory("20-one.so")));
  command_release(&result);
}

Test(a_plugin_directory, with_two_files_for_one_pass_names_both) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s" RUN("dir-two"), directory);
  expect_exit(&result, 0);
  expect_line(result.errors,
              LINE("warning", "'dir-one'", in_directory("20-one.so"),
                   in_directory("40-copy.so")));
  expect_contains(result.errors, "dir-two ran");
  command_release(&result);
}

Test(a_plugin_directory, refuses_a_pipeline_whose_pass_is_in_two_files) {
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt --plugin-dir=%s --pass-pipeline='builtin.module(dir-two,"
      "dir-one)' " TWICE,
      directory);
  expect_exit(&result, 1);
  expect_text(result.output, "");
  expect_line(result.errors, LINE("cannot use the pipeline", "at character 24",
                                  "'dir-one'", in_directory("20-one.so"),
                                  in_directory("40-copy.so"), "remove"));
  expect_loaded("dir-one", false);
  expect_loaded("dir-two", false);
  command_release(&result);
  result =
      mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s" RUN("dir-one"), directory);
  expect_exit(&result, 1);
  expect_line(result.errors, LINE("mlirplug: cannot use the pipeline",
                                  in_directory("40-copy.so")));
  command_release(&result);
}

Test(a_plugin_directory, keeps_the_first_of_two_usable_by_its_name) {
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt --load-pass-plugin=%s/20-one.so" RUN("dir-one"),
      directory);
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-one ran");
  command_release(&result);
}

Test(a_plugin_directory, goes_on_behind_files_that_are_broken) {
  struct command_result result =
      mlirplug_shell("cp " TWO " %s/70-last.so && rm %s/10-two.so && "
                     "$MLIRPLUG opt --plugin-dir=%s" RUN("dir-two"),
                     directory, directory, directory);
  expect_exit(&result, 0);
  expect_line(result.errors,
              LINE("warning", in_directory("50-broken.so"), "text"));
  expect_line(result.errors, LINE("warning", in_directory("60-dangling.so"),
                                  "No such file or directory"));
  expect_contains(result.errors, "dir-two ran");
  command_release(&result);
}

Test(a_plugin_directory, has_broken_files_that_are_errors_by_name) {
  static const char *const names[] = {"50-broken.so", "60-dangling.so"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result = mlirplug_run("opt", "--load-pass-plugin",
                                                in_directory(names[i]), TWICE);
    expect_refusal(&result, 1);
    expect_contains(result.errors, in_directory(names[i]));
    command_release(&result);
  }
}

Test(a_plugin_directory, holds_other_files_that_are_not_considered) {
  static const char *const others[] = {".hidden.so", "one.so.bak", "README.txt",
                                       "sub", "empty"};
  struct command_result result =
      mlirplug_run("list", "--plugin-debug", "--plugin-dir", directory);
  for (size_t i = 0; i < 5; ++i) {
    expect_lacks(result.output, in_directory(others[i]));
    expect_lacks(result.errors, in_directory(others[i]));
  }
  command_release(&result);
}

Test(a_plugin_directory, gives_the_same_list_twice) {
  static const char *const forms[] = {"list", "list --json"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result = mlirplug_shell(
        "cd %s && for i in 1 2; do "
        "$MLIRPLUG %s --plugin-dir=%s > out.$i 2> err.$i || exit; done; "
        "cmp out.1 out.2 && cmp err.1 err.2 && test -s out.1 && test -s err.1",
        marks, forms[i], directory);
    expect_silent_success(&result);
    command_release(&result);
  }
}

Test(a_plugin_directory, can_be_given_by_the_environment) {
  char *other = directory_create();
  struct command_result result =
      mlirplug_shell("cp " TWO " %s/z.so && rm %s/10-two.so && "
                     "MLIRPLUG_PATH=%s:%s " COMMAND_WITH_DEFAULTS " list",
                     other, directory, other, directory);
  expect_exit(&result, 0);
  expect_order(result.output, path_in(other, "z.so  (MLIRPLUG_PATH)"),
               in_directory("20-one.so  (MLIRPLUG_PATH)"));
  expect_order(result.output, "Searched:", other);
  expect_order(strstr(result.output, "Searched:"), other, directory);
  expect_contains(result.errors, in_directory("40-copy.so"));
  command_release(&result);
  free(other);
}

Test(a_plugin_directory, has_once_what_is_named_too) {
  remove_from_directory("40-copy.so");
  struct command_result result =
      mlirplug_run("list", "--plugin-dir", directory, "--load-pass-plugin",
                   in_directory("20-one.so"));
  expect_exit(&result, 0);
  const char *first = strstr(result.output, "org.mlirplug.test.dir-one");
  cr_assert(first);
  expect_lacks(first + 1, "org.mlirplug.test.dir-one");
  command_release(&result);
  result = mlirplug_shell("$MLIRPLUG opt --plugin-dir=%s "
                          "--load-pass-plugin=%s/30-alias.so" RUN("dir-one"),
                          directory, directory);
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-one ran");
  command_release(&result);
}

Test(a_plugin_directory, with_another_file_for_a_pass_of_a_named_one_fails) {
  struct command_result result = mlirplug_shell(
      "$MLIRPLUG opt --plugin-dir=%s --load-pass-plugin=" ONE RUN("dir-two"),
      directory);
  expect_exit(&result, 1);
  expect_line(result.errors, LINE("mlirplug: cannot add plugin", "'dir-one'",
                                  ONE, in_directory("20-one.so"), "remove"));
  expect_loaded("dir-two", false);
  command_release(&result);
}

//===----------------------------------------------------------------------===//
// Empty and missing directories
//===----------------------------------------------------------------------===//

TestSuite(a_directory_without_plugins, .init = tree_make,
          .fini = directory_forget);

Test(a_directory_without_plugins, is_no_error_but_told_of) {
  struct command_result result =
      mlirplug_run("list", "--plugin-dir", in_directory("empty"));
  expect_exit(&result, 0);
  expect_contains(result.output, "No plugins.");
  expect_line(result.errors, LINE("warning: no plugin", in_directory("empty")));
  command_release(&result);
}

Test(a_directory_without_plugins, that_is_missing_is_an_error) {
  static const char *const commands[] = {"opt", "list"};
  for (size_t i = 0; i < 2; ++i) {
    struct command_result result = mlirplug_run(
        commands[i], "--plugin-dir", in_directory("missing"), "--plugin-dir",
        in_directory("README.txt"), i ? "--plugin-debug=false" : TWICE);
    expect_exit(&result, 1);
    expect_line(result.errors,
                LINE(in_directory("missing"), "No such file or directory"));
    expect_line(result.errors,
                LINE(in_directory("README.txt"), "Not a directory"));
    command_release(&result);
  }
}

Test(a_directory_without_plugins, of_the_environment_is_nothing_to_tell_of) {
  struct command_result result =
      mlirplug_shell("MLIRPLUG_PATH=%s/empty:%s/missing " COMMAND_WITH_DEFAULTS
                     " opt " TWICE " -o /dev/null 2>&1 | grep -F %s",
                     directory, directory, directory);
  expect_text(result.output, "");
  command_release(&result);
}
