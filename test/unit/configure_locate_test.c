// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/locate.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[PATH_MAX];

static void shell(const char *command) {
  struct command_result result = command_shell("%s", command);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

static void enter(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  free(directory);
  cr_assert_not_null(getcwd(top, sizeof top));
  shell("mkdir -p a/b/c && touch a/b/x.mlir");
}

TestSuite(configuration_search, .init = enter);

/// `below` is the rest of the path, behind the test's directory.
static void expect_path(char *path, const char *below) {
  char expected[PATH_MAX + 256];
  (void)snprintf(expected, sizeof expected, "%s%s", top, below);
  cr_assert_not_null(path, "nothing instead of %s", expected);
  cr_expect_str_eq(path, expected);
  free(path);
}

Test(configuration_search, begins_where_the_input_is) {
  expect_path(locate_start("a/b/x.mlir"), "/a/b");
  expect_path(locate_start("a/b"), "/a/b");
  expect_path(locate_start("a/b/c/../"), "/a/b");
  expect_path(locate_start(NULL), "");
  cr_assert_eq(mkfifo("a/fifo", 0600), 0);
  expect_path(locate_start("a/fifo"), "");
  expect_path(locate_start("/dev/null"), "");
}

Test(configuration_search, begins_where_the_file_is_that_links_lead_to) {
  shell("ln -s a/b/x.mlir link.mlir && ln -s a/b away");
  expect_path(locate_start("link.mlir"), "/a/b");
  expect_path(locate_start("away/x.mlir"), "/a/b");
  expect_path(locate_start("away"), "/a/b");
}

Test(configuration_search, does_not_begin_at_what_is_not_there) {
  cr_expect_null(locate_start("missing"));
  cr_expect_eq(errno, ENOENT);
}

Test(configuration_search, takes_the_root_for_a_file_in_it) {
  // Whatever file there is in the root of a system, if there is one.
  struct command_result result =
      command_shell("find / -maxdepth 1 -type f -print -quit");
  result.output[strcspn(result.output, "\n")] = '\0';
  if (*result.output) {
    char *start = locate_start(result.output);
    cr_expect_str_eq(start, "/");
    free(start);
  }
  command_release(&result);
}

static char *locate_below(const char *below) {
  char path[PATH_MAX + 256];
  (void)snprintf(path, sizeof path, "%s%s", top, below);
  return locate_configuration(path);
}

Test(configuration_search, goes_up_and_takes_the_nearest) {
  shell("echo '{}' >mlirplug.json");
  expect_path(locate_below("/a/b/c"), "/mlirplug.json");
  expect_path(locate_below("/a/b/c///"), "/mlirplug.json");
  expect_path(locate_below(""), "/mlirplug.json");
  shell("echo '{}' >a/mlirplug.json");
  expect_path(locate_below("/a/b/c"), "/a/mlirplug.json");
  expect_path(locate_below("/a"), "/a/mlirplug.json");
}

Test(configuration_search, takes_whatever_has_the_name) {
  shell("mkdir a/b/mlirplug.json && ln -s /nowhere a/mlirplug.json");
  expect_path(locate_below("/a/b/c"), "/a/b/mlirplug.json");
  expect_path(locate_below("/a"), "/a/mlirplug.json");
}

Test(configuration_search, ends_at_the_root) {
  char *path = locate_configuration("/proc/self");
  cr_expect_null(path, "%s", path);
  cr_expect_eq(errno, 0);
  path = locate_configuration("/");
  cr_expect_null(path, "%s", path);
}

Test(configuration_search, goes_up_from_any_depth) {
  shell("echo '{}' >mlirplug.json");
  char deep[40000];
  size_t length = 0;
  for (size_t i = 0; i < 9000; ++i)
    length += (size_t)snprintf(deep + length, sizeof deep - length, "/x");
  char *path = NULL;
  cr_assert_geq(asprintf(&path, "%s%s", top, deep), 0);
  expect_path(locate_configuration(path), "/mlirplug.json");
  free(path);
}
