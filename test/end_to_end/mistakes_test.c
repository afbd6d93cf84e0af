// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people write first, and how they are told what to write.

#include "directory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void mistakes_begin(void) {
  two_make();
  setenv("XDG_STATE_HOME", marks, 1);
  cr_assert_eq(chdir(directory), 0);
}

static void mistakes_end(void) {
  cr_assert_eq(chdir("/"), 0);
  directory_forget();
}

TestSuite(a_mistake, .init = mistakes_begin, .fini = mistakes_end,
          .timeout = 60);

/// A line of shell, its exit status, and a line of standard error with all of
/// the rest.
static void expect_told(const char *line, int exit_code,
                        const char *const *parts) {
  struct command_result result = mlirplug_shell("%s", line);
  expect_exit(&result, exit_code);
  expect_line(result.errors, parts);
  command_release(&result);
}

Test(a_mistake, with_a_directory_of_plugins_is_explained) {
  static const char file[] = "$MLIRPLUG list --plugin-dir=one.so";
  expect_told(file, 1,
              LINE("Not a directory; give the directory that the plugin files "
                   "are in"));
  struct command_result result = mlirplug_shell("%s", file);
  expect_lacks(result.errors, "--trust=any");
  command_release(&result);
  result = mlirplug_shell("mkdir empty && $MLIRPLUG list --plugin-dir=empty "
                          "--plugin-dir=$PWD/empty/");
  cr_expect_eq(line_count(result.errors), 1, "%s", result.errors);
  command_release(&result);
}

Test(a_mistake, with_a_configuration_is_explained) {
  expect_told("echo '{\"plugins\": [\"~/x.so\"]}' >mlirplug.json && "
              "$MLIRPLUG list --config=mlirplug.json",
              1,
              LINE("/~/x.so': No such file", "check the path in '",
                   in_directory("mlirplug.json"),
                   "a relative one starts at its directory"));
  expect_told("$MLIRPLUG list --config=.", 1,
              LINE("it is a directory; give './mlirplug.json'"));
  expect_told(
      COMMAND_WITH_DEFAULTS " opt --my-pass " TWICE " <mlirplug.json; "
                            "cp " TWICE " x.mlir; " COMMAND_WITH_DEFAULTS
                            " opt --no-default-plugins --my-pass x.mlir",
      2,
      LINE("note: it may be in a plugin that '", in_directory("mlirplug.json"),
           "names, which is not used: you have not trusted it",
           "mlirplug trust"));
}

Test(a_mistake, with_what_is_trusted_is_none) {
  struct command_result result = mlirplug_shell(
      "echo '{}' >mlirplug.json && $MLIRPLUG trust mlirplug.json && "
      "$MLIRPLUG trust --list && $MLIRPLUG trust --remove $PWD/mlirplug.json "
      "&& "
      "$MLIRPLUG trust --list");
  expect_exit(&result, 0);
  expect_contains(result.output, "Trusting ");
  expect_line(result.output, LINE(in_directory("mlirplug.json")));
  command_release(&result);
}

Test(a_mistake, with_an_input_is_explained) {
  expect_told("$MLIRPLUG opt one.so " TWICE " -o /dev/null", 1,
              LINE("'one.so' is a shared library; for a plugin: "
                   "--load-pass-plugin=one.so"));
}

Test(a_mistake, with_the_name_of_a_plugin_is_explained) {
  expect_told(
      "$MLIRPLUG opt --plugin-dir=$PWD --load-pass-plugin=dir-one " TWICE, 1,
      LINE("note: 'dir-one' is a pass that was found already",
           in_directory("one.so")));
  expect_told("$MLIRPLUG opt --plugin-dir=$PWD --load-pass-plugin=two " TWICE,
              1,
              LINE("note: 'two' is a file that was found already",
                   in_directory("two.so")));
}

Test(a_mistake, with_a_pipeline_is_answered_with_the_right_one) {
  expect_told("$MLIRPLUG opt --pass-pipeline='func.func(cse)' " TWICE, 1,
              LINE("write builtin.module(func.func(cse))"));
  struct command_result result =
      mlirplug_shell("$MLIRPLUG opt --canonicalize=nonsense=1 " TWICE);
  expect_exit(&result, 1);
  expect_contains(result.errors, "; check the name and the options\n");
  command_release(&result);
}

Test(a_mistake, with_two_files_for_a_pass_can_be_cured_as_it_says) {
  static const char named[] =
      "mkdir new && cp one.so new && export MLIRPLUG_PATH=$PWD; "
      "run='" COMMAND_WITH_DEFAULTS " opt --no-config "
      "--load-pass-plugin=new/one.so --dir-one " TWICE " -o /dev/null'; $run";
  struct command_result result = mlirplug_shell("%s", named);
  expect_exit(&result, 1);
  expect_contains(result.errors, "do not search its directory "
                                 "(--no-default-plugins)\n");
  command_release(&result);
  result = mlirplug_shell("rm -r new; %s; $run --no-default-plugins", named);
  expect_exit(&result, 0);
  expect_contains(result.errors, "dir-one ran");
  command_release(&result);
}

Test(a_mistake, with_help_is_none) {
  struct command_result result =
      mlirplug_shell("$MLIRPLUG help --help && $MLIRPLUG help opt && "
                     "$MLIRPLUG help doctor");
  expect_silent_success(&result);
  expect_contains(result.output, "Commands:\n");
  expect_contains(result.output, "\nExamples:\n");
  expect_lacks(result.output, "doctor found");
  for (const char *line = result.output; *line;) {
    size_t length = strcspn(line, "\n");
    cr_expect_leq(length, 80, "%.*s", (int)length, line);
    line += length + (line[length] == '\n');
  }
  command_release(&result);
}
