// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of core/read share: the files of test/plugins/descriptor, and
// texts that messages must have.

#ifndef MLIRPLUG_TEST_READ_PLUGIN_H
#define MLIRPLUG_TEST_READ_PLUGIN_H

#include "read/descriptor.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLUGIN_DIRECTORY MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor/"

/// A file in memory.
struct bytes {
  unsigned char *data;
  size_t size;
};

/// Reads the file NAME.so. The bytes are freed by the caller.
static inline struct bytes plugin_bytes(const char *name) {
  char path[4096];
  (void)snprintf(path, sizeof path, PLUGIN_DIRECTORY "%s.so", name);
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s is missing", path);
  struct bytes bytes = {malloc(1 << 20), 0};
  bytes.size = fread(bytes.data, 1, 1 << 20, file);
  fclose(file);
  cr_assert_gt(bytes.size, 0);
  return bytes;
}

/// A fresh copy of exactly `size` bytes, so that AddressSanitizer sees what
/// reads beyond them.
static inline unsigned char *bytes_copy(const unsigned char *bytes,
                                        size_t size) {
  unsigned char *copy = malloc(size ? size : 1);
  memcpy(copy, bytes, size);
  return copy;
}

/// The error has all its parts and `part` somewhere in its message. Destroys
/// it.
static inline void expect_error(mlirplug_error *error, const char *subject,
                                const char *part) {
  cr_assert_not_null(error);
  cr_expect_str_eq(error->subject, subject);
  cr_expect_not_null(error->found);
  cr_expect_not_null(error->remedy, "no remedy: %s", error->message);
  cr_expect_not_null(strstr(error->message, part), "no \"%s\" in: %s", part,
                     error->message);
  cr_expect_not_null(strstr(error->message, subject));
  mlirplug_error_destroy(error);
}

/// Reads NAME.so, which is refused with `part` in the message.
static inline void expect_refused(const char *name, const char *part) {
  char path[4096];
  (void)snprintf(path, sizeof path, PLUGIN_DIRECTORY "%s.so", name);
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  cr_assert_eq(mlirplug_plugin_read(path, &description, &error),
               MLIRPLUG_FAILED, "%s was accepted", name);
  cr_expect_null(description);
  expect_error(error, path, part);
}

/// Refused when it is in memory.
static inline void expect_bytes_refused(const unsigned char *bytes, size_t size,
                                        const char *part) {
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  unsigned char *copy = bytes_copy(bytes, size);
  cr_assert_eq(
      descriptor_read_memory("memory.so", copy, size, &description, &error),
      MLIRPLUG_FAILED, "accepted, but \"%s\" was expected", part);
  free(copy);
  cr_expect_null(description);
  expect_error(error, "memory.so", part);
}

/// Reads NAME.so, which is good. Destroyed by the caller.
static inline mlirplug_plugin_description *expect_read(const char *name) {
  char path[4096];
  (void)snprintf(path, sizeof path, PLUGIN_DIRECTORY "%s.so", name);
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  mlirplug_status status = mlirplug_plugin_read(path, &description, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s",
               error ? error->message : "no error set");
  cr_assert_null(error);
  cr_assert_not_null(description);
  cr_expect_str_eq(description->path, path);
  return description;
}

#endif // MLIRPLUG_TEST_READ_PLUGIN_H
