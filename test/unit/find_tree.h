// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of files whose owners and modes are support/system.c's, and what
// trust_check says of them. The test is alice (1000); other users are root (0)
// and bob (1001).

#ifndef MLIRPLUG_TEST_FIND_TREE_H
#define MLIRPLUG_TEST_FIND_TREE_H

#include "find/trust.h"

#include "support/command.h"
#include "support/system.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { alice = 1000, bob = 1001, users = 100 };

//===----------------------------------------------------------------------===//
// A tree of files
//===----------------------------------------------------------------------===//

static inline void owned_by(const char *path, uid_t user) {
  system_set_owner(path, user, user);
}

static inline void make_file(const char *path) {
  file_write(path, "content", 7);
  owned_by(path, alice);
  system_set_mode(path, 0644);
}

static inline void make_directory(const char *path) {
  cr_assert_eq(mkdir(path, 0755), 0);
  owned_by(path, alice);
  system_set_mode(path, 0755);
}

static inline void make_link(const char *target, const char *path) {
  cr_assert_eq(symlink(target, path), 0);
  owned_by(path, alice);
}

/// Goes to a fresh directory of alice's below two of root's.
static inline void tree_enter(void) {
  char *path = directory_create();
  cr_assert_eq(chdir(path), 0);
  free(path);
  static const char *const above[] = {"..", "/"};
  for (size_t i = 0; i < 2; ++i) {
    owned_by(above[i], 0);
    system_set_mode(above[i], 0755);
  }
  owned_by(".", alice);
  system_set_mode(".", 0755);
  umask(022);
  system_become(alice);
  system_add_user(0, "root", 0);
  system_add_user(alice, "alice", alice);
  system_add_user(bob, "bob", bob);
  system_add_group(0, "root", NULL);
  system_add_group(alice, "alice", NULL);
  system_add_group(bob, "bob", NULL);
  system_add_group(users, "users", NULL);
}

/// The tree's path, which messages begin with.
static inline const char *tree(void) {
  static char path[PATH_MAX];
  cr_assert_not_null(getcwd(path, sizeof path));
  return path;
}

//===----------------------------------------------------------------------===//
// Expectations
//===----------------------------------------------------------------------===//

static inline mlirplug_error *check(const char *path,
                                    enum trust_origin origin) {
  struct file file;
  mlirplug_error *error = NULL;
  if (file_open(path, &file, &error) != MLIRPLUG_OK)
    cr_assert_fail("%s", error->message);
  mlirplug_status status = trust_check(&file, origin, &error);
  cr_assert_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  file_close(&file);
  return error;
}

static inline void expect_trusted(const char *path) {
  mlirplug_error *error = check(path, TRUST_FOUND);
  cr_expect_null(error, "%s", error ? error->message : "");
  mlirplug_error_destroy(error);
}

/// `part` begins with the path of the tree where it has a '%'.
static inline void expect_part(const char *whole, const char *part) {
  cr_assert_not_null(whole, "nothing where \"%s\" should be", part);
  char expected[PATH_MAX + 512];
  const char *mark = strchr(part, '%');
  (void)snprintf(expected, sizeof expected, "%.*s%s%s",
                 mark ? (int)(mark - part) : 0, part, mark ? tree() : "",
                 mark ? mark + 1 : part);
  cr_expect_not_null(strstr(whole, expected), "no \"%s\" in: %s", expected,
                     whole);
}

static inline void expect_error(mlirplug_error *error, const char *found,
                                const char *remedy) {
  cr_assert_not_null(error, "trusted, where \"%s\" was to be said", found);
  expect_part(error->found, found);
  expect_part(error->remedy, remedy);
  mlirplug_error_destroy(error);
}

static inline void expect_refused(const char *path, const char *found,
                                  const char *remedy) {
  expect_error(check(path, TRUST_FOUND), found, remedy);
}

#endif // MLIRPLUG_TEST_FIND_TREE_H
