// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/store.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void directory_enter(void) {
  char *path = directory_create();
  cr_assert_eq(chdir(path), 0);
  free(path);
}

TestSuite(a_stored_file, .init = directory_enter);

Test(a_stored_file, may_have_the_longest_name) {
  char name[NAME_MAX + 1] = {0};
  memset(name, 'x', NAME_MAX);
  for (int i = 0; i < 2; ++i)
    cr_assert_eq(store_replace(name, 0600, "new", 3), 0);
  char *content = file_content(name);
  cr_expect_str_eq(content, "new");
  free(content);
}

Test(a_stored_file, is_the_only_one_that_is_left) {
  cr_assert_eq(store_replace("one", 0600, "new", 3), 0);
  struct command_result result = command_shell("ls -A");
  cr_expect_str_eq(result.output, "one\n");
  command_release(&result);
}

static int parents_make(const char *below) {
  char here[PATH_MAX], path[PATH_MAX + 64];
  cr_assert_not_null(getcwd(here, sizeof here));
  (void)snprintf(path, sizeof path, "%s%s", here, below);
  return store_parents(path);
}

Test(a_stored_file, has_its_directories_made) {
  cr_expect_eq(parents_make("/.local/state/mlirplug/trusted.json"), 0);
  cr_expect_eq(parents_make("/.local/state/mlirplug/trusted.json"), 0);
  cr_expect_eq(access(".local/state/mlirplug", X_OK), 0);
  cr_expect_eq(parents_make("/.cache/mlirplug/x"), 0);
  cr_expect_eq(access(".cache/mlirplug", X_OK), 0);
}

Test(a_stored_file, does_not_make_a_home) {
  cr_expect_eq(parents_make("/home/.local/state/mlirplug/trusted.json"),
               ENOENT);
  cr_expect_eq(access("home", F_OK), -1);
  file_write("file", "", 0);
  cr_expect_eq(parents_make("/file/mlirplug/x"), ENOTDIR);
}
