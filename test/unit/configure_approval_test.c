// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approvals and the record that keeps them.

#include "configure/approval.h"

#include "base/text.h"
#include "configure/record.h"
#include "support/command.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *state;
static mlirplug_error *error;

static void enter(void) {
  state = directory_create();
  cr_assert_eq(chdir(state), 0);
  umask(022);
  setenv("XDG_STATE_HOME", state, 1);
}

static void release(void) {
  mlirplug_error_destroy(error);
  free(state);
}

TestSuite(approvals, .init = enter, .fini = release, .timeout = 60);

static struct configuration_checksum checksum_of(const char *text) {
  return configuration_checksum_of(text, strlen(text));
}

static void add(const char *path, const char *text) {
  struct configuration_checksum checksum = checksum_of(text);
  mlirplug_status status = approval_add(path, &checksum, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
}

static enum approval find(const char *path, const char *text) {
  struct configuration_checksum checksum = checksum_of(text);
  enum approval approval;
  mlirplug_status status = approval_find(path, &checksum, &approval, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  return approval;
}

static bool take_back(const char *path) {
  const char *paths[] = {"/not/this", path, NULL};
  bool found;
  cr_assert_eq(approval_remove(paths, &found, &error), MLIRPLUG_OK);
  return found;
}

/// Expects that the record can be neither used nor changed, and why.
static void expect_unusable(const char *found) {
  struct configuration_checksum checksum = checksum_of("");
  enum approval approval = APPROVAL_NONE;
  cr_assert_eq(approval_find("/p/x", &checksum, &approval, &error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, found), "no '%s' in: %s", found,
            error->message);
  mlirplug_error_destroy(error);
  error = NULL;
  cr_expect_eq(approval_add("/p/x", &checksum, NULL), MLIRPLUG_FAILED);
}

Test(approvals, are_of_a_path_and_a_text) {
  cr_expect_eq(find("/p/mlirplug.json", "a"), APPROVAL_NONE);
  add("/p/mlirplug.json", "a");
  cr_expect_eq(find("/p/mlirplug.json", "a"), APPROVAL_CURRENT);
  cr_expect_eq(find("/p/mlirplug.json", "b"), APPROVAL_CHANGED);
  cr_expect_eq(find("/q/mlirplug.json", "a"), APPROVAL_NONE);
  add("/q/mlirplug.json", "q");
  add("/p/mlirplug.json", "b");
  cr_expect_eq(find("/p/mlirplug.json", "b"), APPROVAL_CURRENT);
  cr_expect_eq(find("/p/mlirplug.json", "a"), APPROVAL_CHANGED);
  cr_expect_eq(find("/q/mlirplug.json", "q"), APPROVAL_CURRENT);
}

Test(approvals, can_be_taken_back) {
  cr_expect_not(take_back("/p/mlirplug.json"));
  add("/p/mlirplug.json", "a");
  add("/q/mlirplug.json", "a");
  cr_expect(take_back("/p/mlirplug.json"));
  cr_expect_not(take_back("/p/mlirplug.json"));
  cr_expect_eq(find("/p/mlirplug.json", "a"), APPROVAL_NONE);
  cr_expect_eq(find("/q/mlirplug.json", "a"), APPROVAL_CURRENT);
}

static void path_collect(const char *path, const char *checksum,
                         void *user_data) {
  cr_expect_eq(strlen(checksum), 64);
  text_add(user_data, path);
}

Test(approvals, are_listed_in_the_order_of_their_paths) {
  add("/b", "b");
  add("/a", "a");
  struct text paths = {0};
  cr_assert_eq(approval_list(path_collect, &paths, &error), MLIRPLUG_OK);
  cr_expect_str_eq(paths.bytes, "/a/b");
  text_release(&paths);
}

Test(approvals, are_kept_where_only_their_owner_reads_them) {
  char *deep = NULL;
  cr_assert_geq(asprintf(&deep, "%s/x/y", state), 0);
  setenv("XDG_STATE_HOME", deep, 1);
  umask(0);
  add("/p/mlirplug.json", "a");
  struct stat status;
  cr_assert_eq(stat("x/y/mlirplug/trusted.json", &status), 0);
  cr_expect_eq(status.st_mode & 0777, 0600);
  cr_assert_eq(stat("x/y/mlirplug", &status), 0);
  cr_expect_eq(status.st_mode & 0777, 0700);
  struct command_result result = command_shell("ls x/y/mlirplug");
  cr_expect_str_eq(result.output, "trusted.json\ntrusted.json.lock\n");
  command_release(&result);
  free(deep);
}

Test(approvals, are_in_the_home_directory_by_default) {
  unsetenv("XDG_STATE_HOME");
  setenv("HOME", state, 1);
  add("/p/mlirplug.json", "a");
  cr_expect_eq(access(".local/state/mlirplug/trusted.json", F_OK), 0);
}

Test(approvals, need_a_home) {
  setenv("XDG_STATE_HOME", "relative", 1);
  unsetenv("HOME");
  expect_unusable("neither XDG_STATE_HOME nor HOME");
}

Test(approvals, are_none_of_a_process_with_more_rights_than_its_user) {
  add("/p/x", "");
  system_set_secure();
  expect_unusable("more rights");
}

Test(approvals, are_not_read_from_a_record_that_others_can_write) {
  add("/p/mlirplug.json", "a");
  cr_assert_eq(chmod("mlirplug/trusted.json", 0666), 0);
  expect_unusable("everybody may write to the file");
  cr_assert_eq(chmod("mlirplug/trusted.json", 0600), 0);
  cr_assert_eq(chmod("mlirplug", 0777), 0);
  expect_unusable("everybody may write to the directory");
  cr_assert_eq(chmod("mlirplug", 0700), 0);
  system_set_owner("mlirplug/trusted.json", 4711, 4711);
  expect_unusable("belongs to another user");
}

static const char *const damaged[] = {"",
                                      "{",
                                      "[]",
                                      "{}",
                                      "{\"trusted\": []}",
                                      "{\"trusted\": {\"p\": \"x\"}}",
                                      "{\"trusted\": {\"/p\": 1}}",
                                      "{\"trusted\": {\"/p\": \"\xff\"}}"};

Test(approvals, are_not_read_from_a_damaged_record_which_stays) {
  cr_assert_eq(mkdir("mlirplug", 0700), 0);
  for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i) {
    file_write("mlirplug/trusted.json", damaged[i], strlen(damaged[i]));
    expect_unusable("it is damaged: ");
    char *content = file_content("mlirplug/trusted.json");
    cr_expect_str_eq(content, damaged[i]);
    free(content);
  }
}

Test(approvals, are_not_read_from_what_is_no_file) {
  cr_assert_eq(mkdir("mlirplug", 0700), 0);
  cr_assert_eq(mkfifo("mlirplug/trusted.json", 0600), 0);
  expect_unusable("no regular file");
}

Test(approvals, are_of_paths_in_utf_8) {
  struct configuration_checksum checksum = checksum_of("a");
  cr_assert_eq(approval_add("/\xff/mlirplug.json", &checksum, &error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "not UTF-8"), "%s", error->message);
  cr_expect_eq(find("/\xff/mlirplug.json", "a"), APPROVAL_NONE);
  add("/\xc3\xa9\n/mlirplug.json", "a");
  cr_expect_eq(find("/\xc3\xa9\n/mlirplug.json", "a"), APPROVAL_CURRENT);
}

Test(approvals, of_many_processes_at_once_are_all_kept) {
  enum { processes = 20 };
  for (int i = 0; i < processes; ++i) {
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
      char path[32];
      (void)snprintf(path, sizeof path, "/p%d", i);
      struct configuration_checksum checksum = checksum_of(path);
      _exit(approval_add(path, &checksum, NULL) == MLIRPLUG_OK ? 0 : 1);
    }
  }
  for (int i = 0; i < processes; ++i) {
    int status;
    cr_assert_gt(wait(&status), 0);
    cr_expect_eq(status, 0);
  }
  for (int i = 0; i < processes; ++i) {
    char path[32];
    (void)snprintf(path, sizeof path, "/p%d", i);
    cr_expect_eq(find(path, path), APPROVAL_CURRENT);
  }
}

Test(approvals, cannot_be_written_where_there_is_no_room) {
  file_write("mlirplug", "", 0);
  struct configuration_checksum checksum = checksum_of("a");
  cr_assert_eq(approval_add("/p", &checksum, &error), MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "cannot write the record"), "%s",
            error->message);
}

Test(approvals, wait_for_another_process_but_not_for_ever) {
  add("/p", "a");
  int lock = open("mlirplug/trusted.json.lock", O_RDWR | O_CLOEXEC);
  cr_assert_eq(flock(lock, LOCK_EX), 0);
  struct configuration_checksum checksum = checksum_of("b");
  cr_assert_eq(approval_add("/p", &checksum, &error), MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "another process has it locked"), "%s",
            error->message);
  close(lock);
  cr_expect_eq(find("/p", "a"), APPROVAL_CURRENT);
}
