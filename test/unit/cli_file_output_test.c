// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/file_output.h"
#include "cli/same_file.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LONG_TEXT "what there was before, which is longer\n"
#define TEXT "new\n"

enum { OTHER_USER = 65534 };

static char *directory;

static bool is_root;

static void directory_make(void) {
  directory = directory_create();
  is_root = geteuid() == 0;
}

static void directory_forget(void) {
  if (is_root)
    cr_assert(seteuid(0) == 0 && setegid(0) == 0);
  cr_assert_eq(chmod(directory, 0700), 0);
  free(directory);
}

TestSuite(output_file, .init = directory_make, .fini = directory_forget);

/// DIRECTORY/NAME; the last four are there.
static const char *in_directory(const char *name) {
  static char paths[4][1024];
  static size_t next;
  char *path = paths[next++ % 4];
  (void)snprintf(path, sizeof paths[0], "%s/%s", directory, name);
  return path;
}

static const char *old_file_make(const char *name, mode_t mode) {
  const char *path = in_directory(name);
  file_write(path, LONG_TEXT, strlen(LONG_TEXT));
  cr_assert_eq(chmod(path, mode), 0);
  return path;
}

static struct stat status_of(const char *path) {
  struct stat status;
  cr_assert_eq(stat(path, &status), 0, "%s", path);
  return status;
}

static void expect_content(const char *path, const char *text) {
  char *content = file_content(path);
  cr_expect_str_eq(content, text);
  free(content);
}

static void expect_written(const char *path) {
  int error = file_output_check(path);
  cr_expect_eq(error, 0, "%s", strerror(error));
  error = file_output_write(path, TEXT, strlen(TEXT));
  cr_assert_eq(error, 0, "%s", strerror(error));
  expect_content(path, TEXT);
}

static void expect_alone(const char *name) {
  struct command_result listed = command_shell("ls -A '%s'", directory);
  char *expected = NULL;
  cr_assert(asprintf(&expected, "%s\n", name) >= 0);
  cr_expect_str_eq(listed.output, expected);
  free(expected);
  command_release(&listed);
}

/// From here on the test has no right to what is root's.
static void become_other_user(void) {
  if (is_root)
    cr_assert(setegid(OTHER_USER) == 0 && seteuid(OTHER_USER) == 0);
}

static void give_away(const char *path) {
  if (is_root)
    cr_assert_eq(chown(path, OTHER_USER, OTHER_USER), 0);
}

Test(output_file, is_another_one_that_looks_the_same) {
  const char *path = old_file_make("out", 0640);
  struct stat before = status_of(path);
  expect_written(path);
  struct stat after = status_of(path);
  cr_expect_neq(after.st_ino, before.st_ino);
  cr_expect_eq(after.st_mode, before.st_mode);
  expect_alone("out");
}

Test(output_file, keeps_its_owner) {
  if (!is_root)
    cr_skip_test("only root has files of others to write to");
  const char *path = old_file_make("out", 0600);
  give_away(path);
  expect_written(path);
  cr_expect_eq(status_of(path).st_uid, OTHER_USER);
  cr_expect_eq(status_of(path).st_gid, OTHER_USER);
  cr_expect_eq(status_of(path).st_mode & 07777, 0600);
}

Test(output_file, keeps_an_owner_that_cannot_be_given_it) {
  if (!is_root)
    cr_skip_test("only root can make a file of another user");
  const char *path = old_file_make("out", 0666);
  cr_assert_eq(chmod(directory, 0777), 0);
  become_other_user();
  expect_written(path);
  cr_expect_eq(status_of(path).st_uid, 0);
  expect_alone("out");
}

Test(output_file, is_written_in_a_directory_that_takes_no_other) {
  const char *path = old_file_make("out", 0600);
  give_away(path);
  cr_assert_eq(chmod(directory, 0555), 0);
  become_other_user();
  expect_written(path);
  cr_expect_eq(file_output_check(in_directory("new")), EACCES);
  cr_expect_eq(file_output_write(in_directory("new"), TEXT, 4), EACCES);
}

Test(output_file, is_written_where_only_its_directorys_owner_may_rename) {
  if (!is_root)
    cr_skip_test("only root can make a directory of another user");
  const char *path = old_file_make("out", 0666);
  cr_assert_eq(chown(path, 1, OTHER_USER), 0);
  cr_assert_eq(chmod(directory, 01777), 0);
  become_other_user();
  expect_written(path);
}

Test(output_file, that_may_not_be_written_to_is_not) {
  const char *path = old_file_make("out", 0444);
  cr_assert_eq(chmod(directory, 0777), 0);
  become_other_user();
  cr_expect_eq(file_output_check(path), EACCES);
  cr_expect_eq(file_output_write(path, TEXT, 4), EACCES);
  expect_content(path, LONG_TEXT);
}

Test(output_file, keeps_its_other_names) {
  const char *path = old_file_make("out", 0600);
  const char *other = in_directory("other");
  cr_assert_eq(link(path, other), 0);
  expect_written(path);
  expect_content(other, TEXT);
}

/// As the system keeps an access list.
struct access_list {
  uint32_t version;
  struct {
    uint16_t who, may;
    uint32_t user;
  } entries[5];
};

/// The owner and one other user may read and write, nobody else anything.
static const struct access_list shared_with_one = {2,
                                                   {{0x01, 6, UINT32_MAX},
                                                    {0x02, 6, OTHER_USER},
                                                    {0x04, 0, UINT32_MAX},
                                                    {0x10, 6, UINT32_MAX},
                                                    {0x20, 0, UINT32_MAX}}};

static void attribute_set(const char *path, const char *name, const void *value,
                          size_t length) {
  if (setxattr(path, name, value, length, 0) != 0)
    cr_skip_test("no %s here: %s", name, strerror(errno));
}

static void expect_attribute(const char *path, const char *name,
                             const void *value, size_t length) {
  char found[256];
  cr_assert_eq(lgetxattr(path, name, found, sizeof found), (ssize_t)length);
  cr_expect_eq(memcmp(found, value, length), 0);
}

Test(output_file, keeps_its_access_list) {
  const char *path = old_file_make("out", 0600);
  attribute_set(path, "system.posix_acl_access", &shared_with_one,
                sizeof shared_with_one);
  expect_written(path);
  expect_attribute(path, "system.posix_acl_access", &shared_with_one,
                   sizeof shared_with_one);
  cr_expect_eq(status_of(path).st_mode & 07777, 0660);
  expect_alone("out");
}

Test(output_file, keeps_its_attributes) {
  const char *path = old_file_make("out", 0600);
  attribute_set(path, "user.origin", "here", 4);
  expect_written(path);
  expect_attribute(path, "user.origin", "here", 4);
  expect_alone("out");
}

Test(output_file, is_not_given_to_those_that_new_files_are_given_to) {
  const char *path = old_file_make("out", 0660);
  attribute_set(directory, "system.posix_acl_default", &shared_with_one,
                sizeof shared_with_one);
  expect_written(path);
  cr_expect_lt(lgetxattr(path, "system.posix_acl_access", NULL, 0), 0);
  expect_alone("out");
}

Test(output_file, may_have_the_longest_name_there_is) {
  char name[256];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  expect_written(in_directory(name));
  expect_written(in_directory(name));
  expect_alone(name);
}

Test(output_file, is_where_a_link_leads) {
  const char *link = in_directory("link");
  cr_assert_eq(symlink("second", link), 0);
  cr_assert_eq(symlink(in_directory("out"), in_directory("second")), 0);
  for (int i = 0; i < 2; ++i) { // dangling first, then not
    struct stat status;
    expect_written(link);
    cr_assert_eq(lstat(link, &status), 0);
    cr_expect(S_ISLNK(status.st_mode));
    expect_content(in_directory("out"), TEXT);
  }
}

Test(output_file, is_not_where_a_link_leads_nowhere) {
  const char *lost = in_directory("lost"), *loop = in_directory("loop");
  cr_assert_eq(symlink("nowhere/out", lost), 0);
  cr_assert_eq(symlink("loop", loop), 0);
  cr_expect_eq(file_output_check(lost), ENOENT);
  cr_expect_eq(file_output_write(lost, TEXT, 4), ENOENT);
  cr_expect_eq(file_output_check(loop), ELOOP);
  cr_expect_eq(file_output_write(loop, TEXT, 4), ELOOP);
}

Test(output_file, is_the_same_by_a_link_to_what_is_not_there_yet) {
  const char *link = in_directory("link"), *out = in_directory("out");
  cr_assert_eq(symlink("out", link), 0);
  cr_expect(same_file(link, out));
  cr_expect_not(same_file(link, in_directory("other")));
}

Test(output_file, is_no_directory) {
  cr_expect_eq(file_output_check(directory), EISDIR);
  cr_expect_eq(file_output_write(directory, TEXT, 4), EISDIR);
}

Test(output_file, may_be_named_by_a_descriptor_alone) {
  char path[64];
  FILE *file = tmpfile();
  cr_assert(file);
  cr_assert_gt(fputs(LONG_TEXT, file), 0);
  cr_assert_eq(fflush(file), 0);
  (void)snprintf(path, sizeof path, "/dev/fd/%d", fileno(file));
  expect_written(path);
  fclose(file);
}
