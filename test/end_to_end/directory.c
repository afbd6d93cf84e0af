// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "directory.h"

#include <stdlib.h>
#include <string.h>

char *directory;
char *marks;

void tree_make(void) {
  directory = directory_create();
  marks = directory_create();
  setenv("MLIRPLUG_TEST_MARKS", marks, 1);
  struct command_result made = command_shell(
      COMMAND_CASES "/12-plugin-directory/make_tree.sh " ONE " " TWO " %s",
      directory);
  expect_exit(&made, 0);
  command_release(&made);
}

void two_make(void) {
  directory = directory_create();
  marks = directory_create();
  setenv("MLIRPLUG_TEST_MARKS", marks, 1);
  struct command_result made = command_shell(
      "cp " ONE " %s/one.so && cp " TWO " %s/two.so", directory, directory);
  expect_exit(&made, 0);
  command_release(&made);
}

void directory_forget(void) {
  free(directory);
  free(marks);
}

const char *in_directory(const char *name) { return path_in(directory, name); }

void expect_loaded(const char *pass, bool loaded) {
  cr_expect(file_exists(path_in(marks, pass)) == loaded, "%s: %s", pass,
            loaded ? "not loaded" : "loaded");
}

void expect_order(const char *text, const char *first, const char *second) {
  expect_contains(text, first);
  expect_contains(strstr(text, first), second);
}

void expect_line(const char *errors, const char *const *parts) {
  for (const char *line = errors; *line; line = strchr(line, '\n') + 1) {
    char *copy = strndup(line, strcspn(line, "\n"));
    const char *const *part = parts;
    while (*part && strstr(copy, *part))
      ++part;
    free(copy);
    if (!*part)
      return;
  }
  cr_assert_fail("no line has '%s' and what belongs to it:\n%s", *parts,
                 errors);
}
