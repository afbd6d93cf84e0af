// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/search.h"

#include "support/command.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void environment_clear(void) {
  unsetenv("MLIRPLUG_PATH");
  unsetenv("XDG_DATA_HOME");
  unsetenv("HOME");
}

TestSuite(search_path, .init = environment_clear);

static struct search_path make(void) {
  struct search_path path;
  mlirplug_error *error = NULL;
  mlirplug_status status = search_path_make(&path, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  return path;
}

static void expect_directory(const struct search_path *path, size_t index,
                             const char *directory, const char *origin) {
  cr_assert_lt(index, path->count);
  cr_expect_str_eq(path->directories[index].path, directory);
  cr_expect_str_eq(path->directories[index].origin, origin);
}

/// Expects those of libmlirplug and of the system at the end, and `count`
/// before them.
static void expect_fixed(const struct search_path *path, size_t count) {
  char prefix[4096];
  ssize_t length = readlink("/proc/self/exe", prefix, sizeof prefix - 64);
  cr_assert_gt(length, 0);
  prefix[length] = '\0';
  char *name = strrchr(prefix, '/') + 1;
  memcpy(name, "mlirplug/plugins", sizeof "mlirplug/plugins");
  cr_expect_eq(path->count, count + 3);
  expect_directory(path, count, prefix, "beside libmlirplug");
  expect_directory(path, count + 1, "/usr/local/lib/mlirplug/plugins",
                   "the system's directory");
  expect_directory(path, count + 2, "/usr/lib/mlirplug/plugins",
                   "the system's directory");
}

static void expect_only_fixed(void) {
  struct search_path path = make();
  expect_fixed(&path, 0);
  search_path_release(&path);
  cr_expect_eq(path.count, 0);
}

static void expect_user(const char *directory) {
  struct search_path path = make();
  expect_fixed(&path, 1);
  expect_directory(&path, 0, directory, "the user's directory");
  search_path_release(&path);
}

Test(search_path, begins_with_the_most_specific) {
  setenv("MLIRPLUG_PATH", "/b/../b:/a/:/c//", 1);
  setenv("XDG_DATA_HOME", "/data/", 1);
  setenv("HOME", "/home/alice", 1);
  struct search_path path = make();
  expect_fixed(&path, 4);
  expect_directory(&path, 0, "/b/../b", "MLIRPLUG_PATH");
  expect_directory(&path, 1, "/a", "MLIRPLUG_PATH");
  expect_directory(&path, 2, "/c", "MLIRPLUG_PATH");
  expect_directory(&path, 3, "/data/mlirplug/plugins", "the user's directory");
  search_path_release(&path);
}

Test(search_path, without_an_environment_is_fixed) { expect_only_fixed(); }

Test(search_path, takes_the_home_directory) {
  setenv("HOME", "/home/alice", 1);
  expect_user("/home/alice/.local/share/mlirplug/plugins");
  setenv("XDG_DATA_HOME", "", 1);
  expect_user("/home/alice/.local/share/mlirplug/plugins");
  setenv("XDG_DATA_HOME", "relative/data", 1);
  expect_user("/home/alice/.local/share/mlirplug/plugins");
  setenv("XDG_DATA_HOME", "/data", 1);
  expect_user("/data/mlirplug/plugins");
}

Test(search_path, ignores_a_home_that_is_no_absolute_path) {
  static const char *const homes[] = {"", "home/alice", "~", "."};
  for (size_t i = 0; i < 4; ++i) {
    setenv("HOME", homes[i], 1);
    expect_only_fixed();
  }
}

Test(search_path, ignores_the_environment_of_a_setuid_program) {
  setenv("MLIRPLUG_PATH", "/a:relative:", 1);
  setenv("XDG_DATA_HOME", "/data", 1);
  setenv("HOME", "/home/alice", 1);
  system_set_secure();
  expect_only_fixed();
}

Test(search_path, takes_an_empty_variable_for_none) {
  setenv("MLIRPLUG_PATH", "", 1);
  expect_only_fixed();
}

static void expect_refused(const char *value, const char *found,
                           const char *remedy) {
  setenv("MLIRPLUG_PATH", value, 1);
  struct search_path path = {.count = 7};
  mlirplug_error *error = NULL;
  cr_assert_eq(search_path_make(&path, &error), MLIRPLUG_FAILED, "%s", value);
  cr_expect_eq(path.count, 7, "the result was touched");
  cr_expect_str_eq(error->subject, "MLIRPLUG_PATH");
  cr_expect_str_eq(error->found, found);
  cr_expect_str_eq(error->expected, "absolute directories, separated by ':'");
  cr_expect_not_null(strstr(error->remedy, remedy), "%s", error->remedy);
  mlirplug_error_destroy(error);
}

Test(search_path, refuses_entries_that_depend_on_the_working_directory) {
  static const char *const relative[] = {"plugins", "./plugins", "..", "~/x"};
  for (size_t i = 0; i < 4; ++i) {
    char value[64], found[64];
    (void)snprintf(value, sizeof value, "/a:%s:/b", relative[i]);
    (void)snprintf(found, sizeof found, "it has the relative entry '%s'",
                   relative[i]);
    expect_refused(value, found, "$PWD");
    expect_refused(relative[i], found, "$PWD");
  }
  static const char *const empty[] = {":", "/a:", ":/a", "/a::/b"};
  for (size_t i = 0; i < 4; ++i)
    expect_refused(empty[i], "it has an empty entry", "':'");
}

Test(search_path, the_remedy_for_an_empty_entry_works) {
  setenv("MLIRPLUG_PATH", ":/a", 1);
  struct search_path path;
  mlirplug_error *error = NULL;
  cr_assert_eq(search_path_make(&path, &error), MLIRPLUG_FAILED);
  const char *assignment = strstr(error->remedy, "MLIRPLUG_PATH=");
  cr_assert_not_null(assignment);
  static const char *const before[] = {"", "/a"};
  static const char *const after[] = {"DIR", "DIR:/a"};
  for (size_t i = 0; i < 2; ++i) {
    setenv("MLIRPLUG_PATH", before[i], 1);
    struct command_result result =
        command_shell("%s; printf %%s \"$MLIRPLUG_PATH\"", assignment);
    cr_expect_str_eq(result.output, after[i]);
    command_release(&result);
  }
  mlirplug_error_destroy(error);
}

Test(search_path, has_each_directory_once) {
  char *directory = directory_create();
  char value[4096], link[256];
  (void)snprintf(link, sizeof link, "%s/link", directory);
  cr_assert_eq(symlink(".", link), 0);
  (void)snprintf(value, sizeof value,
                 "%s:%s/:/nowhere:%s:/nowhere/:/usr/lib/"
                 "mlirplug/plugins",
                 directory, directory, link);
  setenv("MLIRPLUG_PATH", value, 1);
  struct search_path path = make();
  cr_expect_eq(path.count, 5);
  expect_directory(&path, 0, directory, "MLIRPLUG_PATH");
  expect_directory(&path, 1, "/nowhere", "MLIRPLUG_PATH");
  expect_directory(&path, 2, "/usr/lib/mlirplug/plugins", "MLIRPLUG_PATH");
  expect_directory(&path, 4, "/usr/local/lib/mlirplug/plugins",
                   "the system's directory");
  search_path_release(&path);
  free(directory);
}

Test(search_path, takes_entries_of_any_length) {
  char value[100001] = "/a:";
  memset(value + 3, '/', 50000);
  memset(value + 50003, 'x', sizeof value - 50004);
  setenv("MLIRPLUG_PATH", value, 1);
  struct search_path path = make();
  expect_fixed(&path, 2);
  cr_expect_str_eq(path.directories[1].path, value + 3);
  search_path_release(&path);
}
