// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands that the READMEs of plugins and examples show, run as printed,
// say what is printed below them.

#include "sdk/build.h"

#include <stdlib.h>

/// A directory that looks like the repository after a build.
static char *repository_create(void) {
  char *directory = directory_create();
  free(build_shell("cd %s && mkdir build && ln -s " MLIRPLUG_SOURCE_DIRECTORY
                   "/examples " MLIRPLUG_SOURCE_DIRECTORY
                   "/test . && ln -s " MLIRPLUG_BUILD_DIRECTORY
                   "/bin " MLIRPLUG_BUILD_DIRECTORY
                   "/lib " MLIRPLUG_BUILD_DIRECTORY "/mlirplug.pc build",
                   directory));
  return directory;
}

/// The commands are the lines of console blocks that begin with "$ ".
static void expect_as_printed(const char *folder) {
  char *directory = repository_create();
  free(build_shell("sed -n '/^```console$/,/^```$/p' " MLIRPLUG_SOURCE_DIRECTORY
                   "/%s/README.md | grep -v '^```' > %s/session",
                   folder, directory));
  char *printed = build_shell("grep -v '^[$] ' %s/session", directory);
  char *said = build_shell(
      "cd %s && { sed -n 's/^[$] //p' session | sh 2>&1 || test $? = 1; }",
      directory);
  cr_expect_str_eq(said, printed);
  free(said);
  free(printed);
  free(directory);
}

Test(the_readme, of_op_count_is_true) {
  expect_as_printed("examples/op-count");
}
Test(the_readme, of_tag_functions_is_true) {
  expect_as_printed("examples/tag-functions");
}
Test(the_readme, of_forbid_is_true) { expect_as_printed("examples/forbid"); }
Test(the_readme, of_add_to_mul_is_true) {
  expect_as_printed("examples/add-to-mul");
}
Test(the_readme, of_totals_is_true) { expect_as_printed("examples/totals"); }
Test(the_readme, of_python_is_true) {
  command_forgive_leaks();
  struct command_result listed =
      command_shell(COMMAND_MLIRPLUG " list " MLIRPLUG_SOURCE_DIRECTORY
                                     "/examples/python/totals.py");
  bool has_python = listed.exit_code == 0;
  command_release(&listed);
  if (!has_python)
    cr_skip_test("no Python with a shared libpython");
  expect_as_printed("examples/python");
}
#ifndef MLIRPLUG_SANITIZED // a program by plain cc cannot link such a library
Test(the_readme, of_embed_is_true) { expect_as_printed("examples/embed"); }
#endif
Test(the_readme, of_op_histogram_is_true) {
  expect_as_printed("plugins/op-histogram");
}
Test(the_readme, of_linalg_survey_is_true) {
  expect_as_printed("plugins/linalg-survey");
}
