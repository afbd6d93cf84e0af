// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/command.h"

#include <criterion/criterion.h>
#include <stdio.h>

static struct text words;

static void words_set(const char *bytes, size_t length) {
  text_release(&words);
  text_add_bytes(&words, bytes, length);
}

#define WORDS(literal) words_set(literal, sizeof(literal))

Test(command_line_of_a_tool, has_flags_with_one_dash_or_two) {
  WORDS("mlir-opt\0--one\0-two\0--three=3\0input.mlir");
  cr_expect(command_has_flag(&words, "one"));
  cr_expect(command_has_flag(&words, "two"));
  cr_expect(command_has_flag(&words, "three"));
  cr_expect_not(command_has_flag(&words, "thre"));
  cr_expect_not(command_has_flag(&words, "on"));
  cr_expect_not(command_has_flag(&words, "input.mlir"));
  cr_expect_not(command_has_flag(&words, "mlir-opt"));
  WORDS("mlir-opt\0---one\0one\0");
  cr_expect_not(command_has_flag(&words, "one"));
}

Test(command_line_of_a_tool, has_values_alone_and_in_lists) {
  WORDS("mlir-opt\0--after=a,pass,b");
  cr_expect(command_has_value(&words, "after", "a"));
  cr_expect(command_has_value(&words, "after", "pass"));
  cr_expect(command_has_value(&words, "after", "b"));
  cr_expect_not(command_has_value(&words, "after", "pas"));
  cr_expect_not(command_has_value(&words, "after", "passe"));
  cr_expect_not(command_has_value(&words, "before", "pass"));
  WORDS("mlir-opt\0--after\0pass\0--after");
  cr_expect(command_has_value(&words, "after", "pass"));
  cr_expect_not(command_has_value(&words, "after", "a"));
}

Test(command_line_of_a_tool, is_that_of_this_process) {
  struct text own;
  command_read(&own);
  cr_assert_gt(own.length, 0);
  char word[4096] = ""; // Criterion names the process otherwise than its file
  FILE *file = fopen("/proc/self/cmdline", "re");
  cr_assert(file);
  cr_expect_gt(fread(word, 1, sizeof word - 1, file), 0);
  (void)fclose(file);
  cr_expect_str_eq(own.bytes, word);
  text_release(&own);
}
