// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/file.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LIBRARY MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor/foreign.so"

static char *made_by(const char *command) {
  char *directory = directory_create();
  char *path = NULL;
  cr_assert(asprintf(&path, "%s/x.so", directory) >= 0);
  struct command_result result = command_shell("%s '%s'", command, path);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
  free(directory);
  return path;
}

static void expect_refused(char *path, const char *reason) {
  mlirplug_error *error = NULL;
  cr_expect_eq(provider_file_check(path, &error), MLIRPLUG_FAILED);
  cr_assert(error);
  cr_expect_str_eq(error->subject, path);
  cr_expect(strstr(error->found, reason), "%s", error->found);
  mlirplug_error_destroy(error);
  free(path);
}

static void expect_taken(char *path) {
  mlirplug_error *error = NULL;
  cr_expect_eq(provider_file_check(path, &error), MLIRPLUG_OK, "%s",
               error ? error->message : "");
  mlirplug_error_destroy(error);
  free(path);
}

Test(provider_file, may_be_any_whole_library) { expect_taken(strdup(LIBRARY)); }

Test(provider_file, that_is_cut_short_is_refused) {
  expect_refused(made_by("head -c 4096 " LIBRARY " >"), "shorter than");
}

Test(provider_file, that_can_make_one_wait_is_refused) {
  expect_refused(made_by("mkfifo"), "regular file");
  expect_refused(strdup("/dev/null"), "regular file");
  expect_refused(strdup("/"), "regular file");
}

Test(provider_file, that_the_loader_refuses_is_left_to_it) {
  expect_taken(strdup("/nowhere/x.so"));
  expect_taken(made_by("touch"));
  expect_taken(made_by("echo text >"));
  expect_taken(made_by("head -c 40 " LIBRARY " >"));
  // Its program headers are not there.
  expect_taken(made_by("head -c 100 " LIBRARY " >"));
}
