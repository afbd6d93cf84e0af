// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/source.h"

#include "cli/memory.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/// Expects that `expected` is printed for a place in the text of standard
/// input.
static void expect_shown(const char *text, size_t line, size_t column,
                         const char *expected) {
  struct source source = {.standard = text, .standard_length = strlen(text)};
  struct memory memory;
  cr_assert(memory_open(&memory));
  source_print(&source, "<stdin>", line, column, memory.stream);
  cr_assert(memory_close(&memory));
  cr_expect_str_eq(memory.bytes, expected);
  memory_release(&memory);
  source_release(&source);
}

Test(a_source_line, has_a_caret_under_it) {
  expect_shown("one\ntwo\n", 2, 1, "two\n^\n");
  expect_shown("one\ntwo\n", 1, 3, "one\n  ^\n");
  expect_shown("one", 1, 4, "one\n   ^\n");
  expect_shown("one\r\ntwo", 1, 4, "one\n   ^\n");
}

Test(a_source_line, has_its_tabs_expanded) {
  expect_shown("\ta\tb", 1, 4,
               "        a       b\n"
               "                ^\n");
}

Test(a_source_line, counts_characters_and_not_bytes) {
  expect_shown("äöü = x", 1, 10, "äöü = x\n      ^\n");
}

Test(a_source_line, is_not_shown_when_there_is_none) {
  expect_shown("one\n", 0, 1, "");
  expect_shown("one\n", 1, 0, "");
  expect_shown("one\n", 1, 5, "");
  expect_shown("one\n", 3, 1, "");
  expect_shown("", 7, 1, "");
}

Test(a_source_line, is_not_shown_when_it_is_endless) {
  char *text = malloc(100001);
  memset(text, 'x', 100000);
  text[100000] = '\0';
  expect_shown(text, 1, 1, "");
  free(text);
}

Test(source_lines, come_from_the_files_that_are_named) {
  char *directory = directory_create();
  char *first = NULL, *second = NULL;
  cr_assert(asprintf(&first, "%s/a", directory) > 0);
  cr_assert(asprintf(&second, "%s/b", directory) > 0);
  file_write(first, "first\n", 6);
  file_write(second, "second", 6);
  struct source source = {0};
  struct memory memory;
  cr_assert(memory_open(&memory));
  source_print(&source, first, 1, 1, memory.stream);
  source_print(&source, second, 1, 1, memory.stream);
  source_print(&source, first, 1, 2, memory.stream);
  source_print(&source, "/nowhere", 1, 1, memory.stream);
  source_print(&source, "/dev/zero", 1, 1, memory.stream);
  source_print(&source, directory, 1, 1, memory.stream);
  source_print(&source, "<stdin>", 1, 1, memory.stream);
  cr_assert(memory_close(&memory));
  cr_expect_str_eq(memory.bytes, "first\n^\nsecond\n^\nfirst\n ^\n");
  memory_release(&memory);
  source_release(&source);
  free(first);
  free(second);
  free(directory);
}
