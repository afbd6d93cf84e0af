// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/directory.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void directory_enter(void) {
  char *path = directory_create();
  cr_assert_eq(chdir(path), 0);
  free(path);
}

TestSuite(a_plugin_directory, .init = directory_enter);

static void touch(const char *name) {
  int descriptor = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  cr_assert_geq(descriptor, 0);
  close(descriptor);
}

static mlirplug_status open_and_list(const char *path, bool required,
                                     struct directory_listing *listing,
                                     mlirplug_error **error) {
  int descriptor;
  if (directory_open(path, required, &descriptor, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = directory_list(path, descriptor, "", listing, error);
  if (descriptor >= 0)
    close(descriptor);
  return status;
}

static struct directory_listing list(const char *path) {
  struct directory_listing listing;
  mlirplug_error *error = NULL;
  mlirplug_status status = open_and_list(path, true, &listing, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  return listing;
}

static void expect_refused(const char *path, const char *found,
                           const char *remedy) {
  struct directory_listing listing = {.count = 7};
  mlirplug_error *error = NULL;
  cr_assert_eq(open_and_list(path, false, &listing, &error), MLIRPLUG_FAILED);
  cr_expect_eq(listing.count, 7, "the result was touched");
  cr_expect_str_eq(error->subject, path);
  cr_expect_not_null(strstr(error->found, found), "%s", error->message);
  cr_expect_not_null(strstr(error->remedy, remedy), "%s", error->message);
  mlirplug_error_destroy(error);
}

Test(a_plugin_directory, gives_its_plugins_in_byte_order) {
  static const char *const names[] = {
      "10-two.so", "20-one.so", "30-alias.so", "B.so", "a b\n.so",
      "a.so",      "b.so.so",   "sub.so",      "x.so", "\xc3\xa9t\xe9.so",
      "\xff.so"};
  enum { count = sizeof names / sizeof *names };
  for (size_t i = count; i-- > 0;)
    if (strcmp(names[i], "sub.so") == 0)
      cr_assert_eq(mkdir(names[i], 0755), 0);
    else if (strcmp(names[i], "30-alias.so") == 0)
      cr_assert_eq(symlink("nowhere", names[i]), 0);
    else if (strcmp(names[i], "x.so") == 0)
      cr_assert_eq(mkfifo(names[i], 0644), 0);
    else
      touch(names[i]);
  static const char *const junk[] = {".hidden.so", ".so",       "..so",
                                     "one.so.bak", "x.SO",      "README.txt",
                                     "so",         "libx.so.1", "xso"};
  for (size_t i = 0; i < sizeof junk / sizeof *junk; ++i)
    touch(junk[i]);
  cr_assert_eq(mkdir("sub", 0755), 0);
  touch("sub/inner.so");

  struct directory_listing listing = list(".");
  cr_assert_eq(listing.count, (size_t)count);
  for (size_t i = 0; i < count; ++i)
    cr_expect_str_eq(listing.names[i], names[i]);
  directory_listing_release(&listing);
  cr_expect_eq(listing.count, 0);
}

Test(a_plugin_directory, may_be_empty) {
  struct directory_listing listing = list(".");
  cr_expect_eq(listing.count, 0);
  directory_listing_release(&listing);
}

Test(a_plugin_directory, may_be_missing_unless_it_was_asked_for) {
  struct directory_listing listing = {.count = 7};
  mlirplug_error *error = NULL;
  cr_expect_eq(open_and_list("nowhere", false, &listing, &error), MLIRPLUG_OK);
  cr_expect_eq(listing.count, 0);
  cr_assert_eq(open_and_list("nowhere", true, &listing, &error),
               MLIRPLUG_FAILED);
  cr_expect_str_eq(error->message,
                   "cannot read the plugin directory 'nowhere': No such file "
                   "or directory; check the path, or make it");
  mlirplug_error_destroy(error);
}

Test(a_plugin_directory, is_a_directory) {
  touch("x.so");
  expect_refused("x.so", "Not a directory", "give the directory");
  cr_assert_eq(symlink("loop", "loop"), 0);
  expect_refused("loop", "Too many levels", "check the path");
}

Test(a_plugin_directory, can_be_read) {
  cr_assert_eq(mkdir("it's", 0), 0);
  // Root reads everything.
  cr_assert_eq(chmod(".", 0755), 0);
  if (getuid() == 0)
    cr_assert_eq(seteuid(65534), 0);
  expect_refused("it's", "Permission denied", "chmod a+rx 'it'\\''s', and let");
  if (getuid() == 0)
    cr_assert_eq(seteuid(0), 0);
  cr_assert_eq(chmod("it's", 0755), 0);
}

/// Makes `count` entries that end in `ending`, links to one file.
static void fill(int count, const char *ending) {
  touch("origin");
  for (int i = 0; i < count; ++i) {
    char name[32];
    (void)snprintf(name, sizeof name, "%06d%s", i, ending);
    // A file system may have a limit on the links of one file.
    if (link("origin", name) != 0) {
      cr_assert_eq(unlink("origin"), 0);
      touch("origin");
      cr_assert_eq(link("origin", name), 0);
    }
  }
}

Test(a_plugin_directory, with_much_junk_is_read_quickly, .timeout = 120) {
  fill(100000, ".txt");
  touch("x.so");
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  struct directory_listing listing = list(".");
  clock_gettime(CLOCK_MONOTONIC, &end);
  cr_expect_eq(listing.count, 1);
  cr_expect_lt((double)(end.tv_sec - begin.tv_sec) +
                   (double)(end.tv_nsec - begin.tv_nsec) * 1e-9,
               2.0);
  directory_listing_release(&listing);
}

Test(a_plugin_directory, has_at_most_65536_plugins, .timeout = 120) {
  fill(65536, ".so");
  struct directory_listing listing = list(".");
  cr_expect_eq(listing.count, 65536);
  cr_expect_str_eq(listing.names[0], "000000.so");
  cr_expect_str_eq(listing.names[65535], "065535.so");
  directory_listing_release(&listing);
  touch("one-more.so");
  expect_refused(".", "more than 65536 files end in .so",
                 "directory of their own");
}

/// Makes, renames and removes files, for ever.
static void disturb(void) {
  for (unsigned i = 0;; ++i) {
    char name[32], other[32];
    (void)snprintf(name, sizeof name, "%u.so", i % 97);
    (void)snprintf(other, sizeof other, "%u.so", i % 89);
    close(open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
    (void)rename(name, other);
    if (i % 3 == 0)
      (void)unlink(other);
  }
}

Test(a_plugin_directory, may_change_while_it_is_read, .timeout = 60) {
  touch("always.so");
  pid_t disturber = fork();
  if (disturber == 0)
    disturb();
  for (int i = 0; i < 2000; ++i) {
    struct directory_listing listing = list(".");
    bool is_there = false;
    for (size_t j = 0; j < listing.count; ++j) {
      is_there |= strcmp(listing.names[j], "always.so") == 0;
      cr_assert(j == 0 || strcmp(listing.names[j - 1], listing.names[j]) < 0);
    }
    cr_assert(is_there);
    directory_listing_release(&listing);
  }
  kill(disturber, SIGKILL);
  cr_assert_eq(waitpid(disturber, NULL, 0), disturber);
}

Test(a_plugin_directory, is_the_one_that_was_opened_wherever_the_path_leads) {
  cr_assert_eq(mkdir("first", 0755) + mkdir("second", 0755), 0);
  touch("first/first.so");
  touch("second/second.so");
  cr_assert_eq(symlink("first", "link"), 0);
  int descriptor;
  struct directory_listing listing;
  mlirplug_error *error = NULL;
  cr_assert_eq(directory_open("link", true, &descriptor, &error), MLIRPLUG_OK);
  cr_assert_eq(unlink("link"), 0);
  cr_assert_eq(symlink("second", "link"), 0);
  for (int i = 0; i < 2; ++i) {
    cr_assert_eq(directory_list("link", descriptor, "", &listing, &error),
                 MLIRPLUG_OK);
    cr_assert_eq(listing.count, 1);
    cr_expect_str_eq(listing.names[0], "first.so");
    directory_listing_release(&listing);
  }
  close(descriptor);
}

Test(a_plugin_directory, has_the_files_that_host_plugins_serve) {
  const char *const names[] = {"a.py",  "__init__.py", "__x.so",
                               ".h.py", "b.lua",       "c.txt",
                               ".py",   "d.pyc",       "_one.py"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    touch(names[i]);
  struct directory_listing listing;
  int descriptor;
  cr_assert_eq(directory_open(".", true, &descriptor, NULL), MLIRPLUG_OK);
  cr_assert_eq(directory_list(".", descriptor, ".py,.lua", &listing, NULL),
               MLIRPLUG_OK);
  const char *const expected[] = {"__x.so", "_one.py", "a.py", "b.lua"};
  cr_expect_eq(listing.count, 4);
  for (size_t i = 0; i < listing.count && i < 4; ++i)
    cr_expect_str_eq(listing.names[i], expected[i]);
  directory_listing_release(&listing);
  close(descriptor);
}
