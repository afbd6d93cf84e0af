// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/names.h"

#include <criterion/criterion.h>
#include <string.h>

Test(a_name_in_a_pipeline, may_be_most_things) {
  static const char *const good[] = {"my-pass", "a",   "x.y_z", "3d",
                                     "größe",   "a+b", "p-x"};
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
    cr_expect_null(name_defect(good[i]), "%s", good[i]);
}

Test(a_name_in_a_pipeline, is_refused_when_it_could_not_be_parsed) {
  static const char *const bad[][2] = {
      {"", "empty"},         {"-x", "'-'"},       {"a b", "space"},
      {"a,b", "comma"},      {"a=b", "'='"},      {"a{", "brace"},
      {"a}", "brace"},       {"(a", "parenth"},   {"a)", "parenth"},
      {"a\"b", "quotation"}, {"a'b", "quotation"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    const char *defect = name_defect(bad[i][0]);
    cr_assert_not_null(defect, "%s", bad[i][0]);
    cr_expect_not_null(strstr(defect, bad[i][1]), "%s: %s", bad[i][0], defect);
  }
  char name[300];
  memset(name, 'n', sizeof name);
  name[256] = '\0';
  cr_expect_not_null(name_defect(name));
  name[255] = '\0';
  cr_expect_null(name_defect(name));
}

Test(names_of_mlir, are_told_from_others) {
  cr_expect(name_is_operation("func.func"));
  cr_expect(name_is_operation("my_dialect.op-1$x"));
  cr_expect(!name_is_operation(""));
  cr_expect(!name_is_operation("1.x"));
  cr_expect(!name_is_operation("func func"));
  cr_expect(!name_is_operation("@function"));
  cr_expect(name_is_dialect("arith"));
  cr_expect(!name_is_dialect("arith.addi"));
  cr_expect(!name_is_dialect(""));
  cr_expect(name_is_function("mlirOperationDump"));
  cr_expect(name_is_function("mlirplugExtX/1"));
  cr_expect(!name_is_function("mlir X"));
  cr_expect(!name_is_function(""));
}

static void expect_split(const char *text, size_t count,
                         const char *const *expected) {
  struct arena arena = {0};
  const char *const *names;
  size_t found;
  cr_assert(names_split(&arena, text, &names, &found));
  cr_assert_eq(found, count, "\"%s\" has %zu names", text, found);
  for (size_t i = 0; i < count; ++i)
    cr_expect_str_eq(names[i], expected[i]);
  arena_release(&arena);
}

Test(a_list_of_names, is_split_and_trimmed) {
  expect_split(NULL, 0, NULL);
  expect_split("", 0, NULL);
  expect_split("  \t", 0, NULL);
  expect_split("a", 1, (const char *[]){"a"});
  expect_split(" a , b\t,\tc ", 3, (const char *[]){"a", "b", "c"});
  expect_split("a,,b", 3, (const char *[]){"a", "", "b"});
  expect_split(",", 2, (const char *[]){"", ""});
  expect_split("a b", 1, (const char *[]){"a b"});
}

Test(a_list_of_names, tells_which_is_there_twice) {
  struct arena arena = {0};
  const char *duplicate = "?";
  static const char *const unique[] = {"c", "a", "b"};
  cr_assert(names_find_duplicate(&arena, unique, 3, &duplicate));
  cr_expect_null(duplicate);
  static const char *const twice[] = {"b", "a", "b"};
  cr_assert(names_find_duplicate(&arena, twice, 3, &duplicate));
  cr_expect_str_eq(duplicate, "b");
  cr_assert(names_find_duplicate(&arena, NULL, 0, &duplicate));
  cr_expect_null(duplicate);
  arena_release(&arena);
}
