// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/content.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static mlirplug_error *error;

static void enter(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  free(directory);
}

static void release(void) { mlirplug_error_destroy(error); }

TestSuite(small_file, .init = enter, .fini = release, .timeout = 10);

static const char doing[] = "cannot read the file";

static mlirplug_status read_all(const char *path, char **bytes,
                                size_t *length) {
  struct file file;
  if (content_open(doing, path, NULL, &file, &error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = content_read(doing, &file, bytes, length, &error);
  file_close(&file);
  return status;
}

static void expect_refused(const char *path, const char *found) {
  char *bytes = NULL;
  size_t length;
  cr_expect_eq(read_all(path, &bytes, &length), MLIRPLUG_FAILED, "%s", path);
  cr_assert_not_null(error);
  cr_expect_eq(strncmp(error->message, doing, strlen(doing)), 0);
  cr_expect(strstr(error->message, found), "no '%s' in: %s", found,
            error->message);
  mlirplug_error_destroy(error);
  error = NULL;
}

Test(small_file, is_read_to_its_end) {
  char *bytes = NULL;
  size_t length = 1;
  file_write("empty", "", 0);
  cr_assert_eq(read_all("empty", &bytes, &length), MLIRPLUG_OK);
  cr_expect_eq(length, 0);
  free(bytes);
  char *large = malloc(content_size_at_most);
  memset(large, 'x', content_size_at_most);
  file_write("large", large, content_size_at_most);
  cr_assert_eq(read_all("large", &bytes, &length), MLIRPLUG_OK);
  cr_assert_eq(length, content_size_at_most);
  cr_expect_eq(memcmp(bytes, large, length), 0);
  free(bytes);
  free(large);
}

Test(small_file, is_refused_if_it_is_large_or_no_file) {
  file_write("large", "", 0);
  cr_assert_eq(truncate("large", content_size_at_most + 1), 0);
  expect_refused("large", "larger than 1048576 bytes");
  cr_assert_eq(mkfifo("fifo", 0600), 0);
  expect_refused("fifo", "no regular file");
  expect_refused(".", "no regular file");
  expect_refused("/dev/zero", "no regular file");
  struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  cr_assert(descriptor >= 0);
  cr_assert_eq(bind(descriptor, (struct sockaddr *)&address, sizeof address),
               0);
  expect_refused("socket", "no regular file");
  close(descriptor);
  expect_refused("missing", "No such file");
  expect_refused("large/x", "Not a directory");
  expect_refused("", "the path is empty");
  cr_assert_eq(symlink("loop", "loop"), 0);
  expect_refused("loop", "symbolic links");
}

Test(small_file, that_is_written_to_is_not_half_read) {
  file_write("file", "ab", 2);
  struct file file;
  char *bytes;
  size_t length;
  cr_assert_eq(content_open(doing, "file", NULL, &file, &error), MLIRPLUG_OK);
  file_write("file", "abcdef", 6);
  cr_assert_eq(content_read(doing, &file, &bytes, &length, &error),
               MLIRPLUG_FAILED);
  cr_expect(strstr(error->message, "written to while"), "%s", error->message);
  file_close(&file);
}

Test(small_file, may_be_missing_where_that_is_asked) {
  struct file file;
  bool missing = false;
  cr_expect_eq(content_open(doing, "missing", &missing, &file, &error),
               MLIRPLUG_FAILED);
  cr_expect(missing);
  cr_expect_null(error);
  cr_expect_eq(content_open(doing, ".", &missing, &file, &error),
               MLIRPLUG_FAILED);
  cr_expect_not(missing);
  cr_expect_not_null(error);
}
