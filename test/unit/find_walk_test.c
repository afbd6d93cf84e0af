// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trust along a path: symbolic links, names that change, paths of any length.

#include "find_tree.h"

#include "find/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

TestSuite(trust_along_a_path, .init = tree_enter);

/// The test is whoever runs it, for objects whose owner cannot be set.
static void become_oneself(void) {
  system_become(getuid());
  owned_by(".", getuid());
}

//===----------------------------------------------------------------------===//
// Symbolic links
//===----------------------------------------------------------------------===//

Test(trust_along_a_path, links_to_good_places) {
  make_directory("lib");
  make_directory("lib/plugins");
  make_file("lib/plugins/x.so");
  make_link("lib/plugins/x.so", "relative.so");
  make_link("../plugins/../../relative.so", "lib/plugins/second.so");
  make_link("./lib//plugins/", "directory");
  make_link(".", "here");
  char absolute[PATH_MAX + 16];
  (void)snprintf(absolute, sizeof absolute, "%s/lib", tree());
  make_link(absolute, "absolute");
  static const char *const paths[] = {
      "relative.so",
      "lib/plugins/second.so",
      "directory/x.so",
      "directory//../plugins/./x.so",
      "here/here/lib/plugins/x.so",
      "absolute/plugins/second.so",
      "lib/../lib/plugins/../plugins/x.so",
  };
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i)
    expect_trusted(paths[i]);
}

/// alice's files, with links to a place that everybody may write to.
static void make_open_place(void) {
  make_directory("open");
  make_directory("open/plugins");
  make_file("open/plugins/x.so");
  system_set_mode("open", 0777);
  make_directory("lib");
  make_link("../open/plugins/x.so", "lib/x.so");
  make_link("../open/plugins", "lib/plugins");
  make_link("../open/../lib", "lib/detour");
  make_file("lib/y.so");
}

Test(trust_along_a_path, not_links_that_lead_through_bad_places) {
  make_open_place();
  static const char *const paths[] = {"lib/x.so", "lib/plugins/x.so",
                                      "lib/detour/y.so"};
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i)
    expect_refused(paths[i], "everybody may write to the directory '%/open' ",
                   "chmod o-w '%/open'");
  expect_trusted("lib/y.so");
}

Test(trust_along_a_path, not_links_of_other_users) {
  make_directory("lib");
  make_file("lib/x.so");
  make_link("lib", "link");
  owned_by("link", bob);
  expect_refused("link/x.so", "the symbolic link '%/link' belongs to another",
                 "chown -h 1000 '%/link'");
}

static int walk_to_the_end(const char *path) {
  struct walk walk;
  cr_assert(walk_begin(&walk, path));
  while (walk_next(&walk))
    cr_assert_eq(walk.path.bytes[0], '/');
  int problem = walk.problem;
  walk_end(&walk);
  return problem;
}

Test(trust_along_a_path, links_in_a_circle_end) {
  make_link("second", "first");
  make_link("first", "second");
  make_link("deeper/x", "deeper");
  static const char *const names[] = {"first", "second", "deeper"};
  for (size_t i = 0; i < 3; ++i) {
    char path[PATH_MAX + 16];
    (void)snprintf(path, sizeof path, "%s/%s", tree(), names[i]);
    cr_expect_eq(walk_to_the_end(path), ELOOP);
    mlirplug_error *error = NULL;
    int descriptor = open(tree(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_eq(trust_check_directory(path, descriptor, &error),
                 MLIRPLUG_FAILED);
    close(descriptor);
    expect_error(error, "Too many levels of symbolic links", "namei -l '%/");
  }
}

Test(trust_along_a_path, as_many_links_as_the_kernel_follows) {
  make_file("0.so");
  for (int i = 1; i <= 41; ++i) {
    char target[16], name[16];
    (void)snprintf(target, sizeof target, "%d.so", i - 1);
    (void)snprintf(name, sizeof name, "%d.so", i);
    make_link(target, name);
  }
  expect_trusted("40.so");
  char path[PATH_MAX + 16];
  (void)snprintf(path, sizeof path, "%s/41.so", tree());
  cr_expect_eq(walk_to_the_end(path), ELOOP);
  cr_expect_lt(open(path, O_RDONLY | O_CLOEXEC), 0, "the kernel follows it");
}

Test(trust_along_a_path, a_path_that_leads_nowhere) {
  make_file("x.so");
  cr_expect_eq(walk_to_the_end("/"), 0);
  cr_expect_eq(walk_to_the_end("/nowhere/x.so"), ENOENT);
  char path[PATH_MAX + 16];
  (void)snprintf(path, sizeof path, "%s/x.so/..", tree());
  cr_expect_eq(walk_to_the_end(path), ENOTDIR);
}

//===----------------------------------------------------------------------===//
// Paths that change
//===----------------------------------------------------------------------===//

/// Opens `path`, has `line` of shell run, and checks what was opened.
static mlirplug_error *check_after(const char *path, const char *line) {
  struct file file;
  mlirplug_error *error = NULL;
  cr_assert_eq(file_open(path, &file, &error), MLIRPLUG_OK);
  struct command_result changed = command_shell("%s", line);
  cr_assert_eq(changed.exit_code, 0, "%s", changed.errors);
  command_release(&changed);
  mlirplug_status status = trust_check(&file, TRUST_FOUND, &error);
  cr_assert_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  file_close(&file);
  return error;
}

Test(trust_along_a_path, not_a_file_that_was_replaced) {
  become_oneself();
  make_file("x.so");
  make_file("y.so");
  owned_by("x.so", getuid());
  owned_by("y.so", getuid());
  expect_error(check_after("x.so", "mv y.so x.so"),
               "the path now leads to '%/x.so', which is not what was opened",
               "try again");
  expect_error(check_after("x.so", "rm x.so"),
               "'%/x.so' cannot be looked at: No such file", "namei -l '%/x");
}

Test(trust_along_a_path, not_a_link_that_was_turned) {
  become_oneself();
  make_directory("good");
  make_directory("evil");
  make_file("good/x.so");
  make_file("evil/x.so");
  static const char *const names[] = {"good", "evil", "good/x.so", "evil/x.so"};
  for (size_t i = 0; i < 4; ++i)
    owned_by(names[i], getuid());
  make_link("good", "plugins");
  owned_by("plugins", getuid());
  expect_trusted("plugins/x.so");
  expect_error(check_after("plugins/x.so", "ln -sfn evil plugins"),
               "the path now leads to '%/evil/x.so', which is not what was",
               "try again; if it comes back, find out who changes "
               "'%/plugins/x.so'");
}

/// Turns the link "plugins" back and forth, for ever.
static void turn_link(void) {
  static const char *const targets[] = {"good", "open"};
  for (size_t i = 0;; ++i)
    if (symlink(targets[i % 2], "next") != 0 || rename("next", "plugins") != 0)
      _exit(1);
}

Test(trust_along_a_path, a_link_that_keeps_turning_gives_no_bad_file,
     .timeout = 60) {
  become_oneself();
  cr_assert_eq(mkdir("good", 0755) | mkdir("open", 0755), 0);
  file_write("good/x.so", "content", 7);
  file_write("open/x.so", "content", 7);
  system_set_mode("open", 0777);
  cr_assert_eq(symlink("good", "plugins"), 0);
  struct stat good;
  cr_assert_eq(stat("good/x.so", &good), 0);
  pid_t turner = fork();
  if (turner == 0)
    turn_link();
  size_t passed = 0;
  // On a busy machine it takes longer to meet the good moment.
  for (int i = 0; i < 5000 || (!passed && i < 500000); ++i) {
    struct file file;
    cr_assert_eq(file_open("plugins/x.so", &file, NULL), MLIRPLUG_OK);
    if (trust_check(&file, TRUST_FOUND, NULL) == MLIRPLUG_OK) {
      cr_assert_eq(file.identity.inode, good.st_ino);
      ++passed;
    }
    file_close(&file);
  }
  kill(turner, SIGKILL);
  cr_assert_eq(waitpid(turner, NULL, 0), turner);
  cr_expect_gt(passed, 0);
}

//===----------------------------------------------------------------------===//
// Unusual paths
//===----------------------------------------------------------------------===//

Test(trust_along_a_path, descriptors_of_the_process) {
  become_oneself();
  file_write("x.so", "content", 7);
  int descriptor = open("x.so", O_RDONLY | O_CLOEXEC);
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  expect_trusted(path);
  expect_trusted("/../..//proc/self/cwd/x.so");
  cr_assert_eq(unlink("x.so"), 0);
  // A file without a name has nothing above it that could be checked.
  expect_refused(path, "'%/x.so (deleted)' cannot be looked at: No such file",
                 path);
  close(descriptor);
  descriptor = memfd_create("plugin", MFD_CLOEXEC);
  cr_assert_eq(write(descriptor, "content", 7), 7);
  cr_assert_eq(fchmod(descriptor, 0644), 0);
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  expect_refused(path, "'/memfd:plugin (deleted)' cannot be looked at", path);
  close(descriptor);
}

/// A directory far below, made of 50 with names of 100 bytes.
static int make_depths(struct text *path) {
  char name[102] = "/";
  memset(name + 1, 'd', 100);
  text_add(path, tree());
  int directory = open(".", O_PATH | O_CLOEXEC);
  for (int i = 0; i < 50; ++i) {
    cr_assert_geq(directory, 0);
    cr_assert_eq(mkdirat(directory, name + 1, 0755), 0);
    int below = openat(directory, name + 1, O_PATH | O_CLOEXEC);
    close(directory);
    directory = below;
    text_add(path, name);
  }
  return directory;
}

Test(trust_along_a_path, paths_longer_than_the_kernel_takes) {
  become_oneself();
  struct text path = {0};
  int directory = make_depths(&path);
  text_add(&path, "/x.so");
  cr_assert_gt(path.length, (size_t)PATH_MAX);
  struct file file = {.path = path.bytes};
  file.descriptor =
      openat(directory, "x.so", O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  cr_assert_geq(file.descriptor, 0);
  mlirplug_error *error = NULL;
  cr_expect_eq(trust_check(&file, TRUST_FOUND, &error), MLIRPLUG_OK, "%s",
               error ? error->message : "");
  cr_assert_eq(fchmod(file.descriptor, 0646), 0);
  cr_assert_eq(trust_check(&file, TRUST_FOUND, &error), MLIRPLUG_FAILED);
  // The command is whole.
  cr_expect_not_null(strstr(error->remedy, path.bytes));
  mlirplug_error_destroy(error);
  close(file.descriptor);
  close(directory);
  text_release(&path);
}
