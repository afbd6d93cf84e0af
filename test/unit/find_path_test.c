// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/path.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void expect_path(const char *path, const char *expected) {
  char *made = path_make_absolute(path);
  cr_assert_not_null(made);
  cr_expect_str_eq(made, expected);
  free(made);
}

Test(absolute_path, begins_at_the_working_directory) {
  cr_assert_eq(chdir("/usr"), 0);
  expect_path("x.so", "/usr/x.so");
  expect_path("lib/../x.so", "/usr/lib/../x.so");
  expect_path(".", "/usr/.");
}

Test(absolute_path, has_no_dots_in_front) {
  cr_assert_eq(chdir("/usr"), 0);
  expect_path("./x.so", "/usr/x.so");
  expect_path(".//././x.so", "/usr/x.so");
  expect_path(".hidden.so", "/usr/.hidden.so");
  expect_path("../x.so", "/usr/../x.so");
}

Test(absolute_path, in_the_root_has_one_slash) {
  cr_assert_eq(chdir("/"), 0);
  expect_path("x.so", "/x.so");
}

Test(absolute_path, stays_as_it_is) {
  expect_path("/usr//./x.so", "/usr//./x.so");
}

Test(absolute_path, needs_a_working_directory) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  cr_assert_eq(rmdir(directory), 0);
  errno = 0;
  cr_expect_null(path_make_absolute("x.so"));
  cr_expect_eq(errno, ENOENT);
  expect_path("/x.so", "/x.so");
  free(directory);
}
