// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/file.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/// Opens `path`, which is refused with `part` in the message.
static void expect_refused(const char *path, const char *part) {
  struct file file = {.descriptor = -7};
  mlirplug_error *error = NULL;
  cr_assert_eq(file_open(path, &file, &error), MLIRPLUG_FAILED);
  cr_expect_eq(file.descriptor, -7, "the result was touched");
  cr_assert_not_null(error);
  cr_expect_not_null(strstr(error->message, part), "no \"%s\" in: %s", part,
                     error->message);
  cr_expect_not_null(strstr(error->message, path));
  cr_expect_not_null(error->remedy);
  mlirplug_error_destroy(error);
}

/// Goes to a fresh directory.
static char *directory_enter(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  return directory;
}

Test(opening_a_file, makes_a_relative_path_absolute) {
  char *directory = directory_enter();
  file_write("plugin.so", "12345", 5);
  static const char *const spellings[] = {"plugin.so", "./plugin.so",
                                          ".///plugin.so", "././plugin.so"};
  for (size_t i = 0; i < 4; ++i) {
    struct file file;
    mlirplug_error *error = NULL;
    cr_assert_eq(file_open(spellings[i], &file, &error), MLIRPLUG_OK);
    char *here = getcwd(NULL, 0);
    char expected[4096];
    (void)snprintf(expected, sizeof expected, "%s/plugin.so", here);
    cr_expect_str_eq(file.path, expected);
    cr_expect_eq(file.identity.size, 5);
    struct stat status;
    cr_assert_eq(stat("plugin.so", &status), 0);
    cr_expect_eq(file.identity.device, status.st_dev);
    cr_expect_eq(file.identity.inode, status.st_ino);
    cr_expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC);
    free(here);
    file_close(&file);
    cr_expect_eq(file.descriptor, -1);
  }
  free(directory);
}

Test(opening_a_file, keeps_the_name_of_a_symbolic_link) {
  char *directory = directory_enter();
  file_write("real.so", "12345", 5);
  cr_assert_eq(symlink("real.so", "link.so"), 0);
  struct file file;
  cr_assert_eq(file_open("link.so", &file, NULL), MLIRPLUG_OK);
  cr_expect_str_eq(strrchr(file.path, '/'), "/link.so");
  file_close(&file);
  free(directory);
}

Test(opening_a_file, refuses_an_empty_path) {
  expect_refused("", "the path is empty");
}

Test(opening_a_file, says_that_a_file_is_missing) {
  expect_refused("/nowhere/plugin.so", "No such file");
  char *directory = directory_enter();
  file_write("file", "x", 1);
  expect_refused("file/plugin.so", "Not a directory");
  free(directory);
}

Test(opening_a_file, says_that_a_file_is_empty) {
  char *directory = directory_enter();
  file_write("empty.so", "", 0);
  expect_refused("empty.so", "the file is empty (0 bytes)");
  free(directory);
}

Test(opening_a_file, refuses_a_directory) {
  char *directory = directory_enter();
  cr_assert_eq(mkdir("dir.so", 0755), 0);
  expect_refused("dir.so", "it is a directory");
  free(directory);
}

Test(opening_a_file, does_not_wait_for_a_fifo, .timeout = 10) {
  char *directory = directory_enter();
  cr_assert_eq(mkfifo("fifo.so", 0644), 0);
  expect_refused("fifo.so", "it is a pipe (fifo)");
  free(directory);
}

Test(opening_a_file, refuses_devices_and_sockets) {
  expect_refused("/dev/null", "it is a device");
  char *directory = directory_enter();
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "sock.so"};
  int socket_descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (socket_descriptor < 0) {
    cr_expect(false, "no socket: %s", strerror(errno));
    return;
  }
  cr_assert_eq(
      bind(socket_descriptor, (struct sockaddr *)&address, sizeof address), 0);
  expect_refused("sock.so", "it is a socket");
  close(socket_descriptor);
  free(directory);
}

Test(opening_a_file, says_how_to_make_a_file_readable) {
  char *directory = directory_enter();
  file_write("secret.so", "x", 1);
  cr_assert_eq(chmod("secret.so", 0), 0);
  // Root may read everything, so another user tries.
  if (geteuid() == 0) {
    cr_assert_eq(chmod(directory, 0755), 0);
    cr_assert_eq(seteuid(65534), 0);
  }
  expect_refused("secret.so", "Permission denied");
  mlirplug_error *error = NULL;
  struct file file;
  (void)file_open("secret.so", &file, &error);
  cr_expect_not_null(strstr(error->remedy, "chmod a+r"));
  mlirplug_error_destroy(error);
  if (getuid() == 0)
    cr_assert_eq(seteuid(0), 0);
  free(directory);
}

Test(opening_a_file, says_that_the_working_directory_is_gone) {
  char *directory = directory_enter();
  cr_assert_eq(mkdir("gone", 0755), 0);
  cr_assert_eq(chdir("gone"), 0);
  cr_assert_eq(rmdir("../gone"), 0);
  expect_refused("plugin.so", "the working directory is gone");
  cr_assert_eq(chdir("/"), 0);
  free(directory);
}

Test(a_file_that_was_rebuilt, is_another_file) {
  char *directory = directory_enter();
  file_write("plugin.so", "12345", 5);
  struct file before, after;
  cr_assert_eq(file_open("plugin.so", &before, NULL), MLIRPLUG_OK);
  cr_assert_eq(file_open("./plugin.so", &after, NULL), MLIRPLUG_OK);
  cr_expect(file_identity_equal(&before.identity, &after.identity));
  file_close(&after);
  // The same inode and size, another time.
  const struct timespec times[] = {{.tv_sec = 1}, {.tv_sec = 1}};
  cr_assert_eq(utimensat(AT_FDCWD, "plugin.so", times, 0), 0);
  cr_assert_eq(file_open("plugin.so", &after, NULL), MLIRPLUG_OK);
  cr_expect(!file_identity_equal(&before.identity, &after.identity));
  file_close(&after);
  file_close(&before);
  free(directory);
}
