// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/python_path.h"

#include "support/command.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void environment_clear(void) {
  unsetenv("MLIRPLUG_PYTHON_PATH");
  unsetenv("VIRTUAL_ENV");
}

TestSuite(python_path, .init = environment_clear);

static void expect_path(const char *const *directories, size_t count) {
  struct python_path path;
  mlirplug_error *error = NULL;
  mlirplug_status status = python_path_make(&path, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  cr_expect_eq(path.count, count);
  for (size_t i = 0; i < count && i < path.count; ++i)
    cr_expect_str_eq(path.directories[i], directories[i]);
  python_path_release(&path);
}

Test(python_path, is_empty_without_a_python) { expect_path(NULL, 0); }

Test(python_path, is_what_the_command_of_pip_says) {
  setenv("MLIRPLUG_PYTHON_PATH", "/a:b::/c/d:/a", 1);
  setenv("VIRTUAL_ENV", "/environment", 1);
  const char *const expected[] = {"/a", "/c/d"};
  expect_path(expected, 2);
}

Test(python_path, has_what_is_in_the_active_environment) {
  char *environment = directory_create(), site[4096];
  snprintf(site, sizeof site, "%s/lib/python3.9/site-packages", environment);
  struct command_result made =
      command_shell("mkdir -p '%s' '%s/lib/other'", site, environment);
  command_release(&made);
  setenv("VIRTUAL_ENV", environment, 1);
  const char *const expected[] = {site};
  expect_path(expected, 1);
  free(environment);
}

Test(python_path, ignores_an_environment_that_is_not_there) {
  setenv("VIRTUAL_ENV", "/no/such/environment", 1);
  expect_path(NULL, 0);
  setenv("VIRTUAL_ENV", "relative", 1);
  expect_path(NULL, 0);
}

Test(python_path, ignores_the_environment_with_more_rights) {
  setenv("MLIRPLUG_PYTHON_PATH", "/a", 1);
  setenv("VIRTUAL_ENV", "/environment", 1);
  system_set_secure();
  expect_path(NULL, 0);
}
