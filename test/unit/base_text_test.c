// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>

static void expect_line(const char *text, const char *line) {
  char bytes[64];
  (void)snprintf(bytes, sizeof bytes, "%s", text);
  text_make_line(bytes);
  cr_expect_str_eq(bytes, line);
}

Test(a_line, has_no_control_characters) {
  expect_line("one\ntwo\033[31m\x7f", "one two [31m ");
  expect_line("a\xc2\x80z\xc2\x9b"
              "1mz",
              "a z 1mz");
}

// NOLINTBEGIN(misc-misleading-bidirectional): that is what is tested.
Test(a_line, reads_in_one_direction) {
  expect_line("a\xe2\x80\xae"
              "b\xe2\x80\xaa"
              "c",
              "a b c");
  expect_line("a\xe2\x81\xa6"
              "b\xe2\x81\xa9"
              "c",
              "a b c");
  expect_line("a\xe2\x80\x8e"
              "b\xe2\x80\x8f"
              "c\xd8\x9c",
              "a b c ");
}
// NOLINTEND(misc-misleading-bidirectional)

Test(a_line, keeps_what_it_can_show) {
  expect_line("", "");
  expect_line("\xc3\xa9t\xc3\xa9 \xf0\x9d\x84\x9e \xd7\x90",
              "\xc3\xa9t\xc3\xa9 \xf0\x9d\x84\x9e \xd7\x90");
  // Bytes that are no UTF-8 are somebody's file name.
  expect_line("\x9b\xff\xc3", "\x9b\xff\xc3");
}
