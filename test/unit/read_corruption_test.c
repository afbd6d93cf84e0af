// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "unit/read_plugin.h"

#include <sys/mman.h>
#include <unistd.h>

/// Reads `size` bytes, which may be anything: either a description or an error
/// that says something. True if it was accepted.
static bool read_anything(const unsigned char *bytes, size_t size) {
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  unsigned char *copy = bytes_copy(bytes, size);
  mlirplug_status status =
      descriptor_read_memory("memory.so", copy, size, &description, &error);
  free(copy);
  if (status == MLIRPLUG_OK) {
    cr_assert_null(error);
    cr_assert_not_null(description);
  } else {
    cr_assert_null(description);
    cr_assert_not_null(error);
    cr_assert_gt(strlen(error->message), strlen(error->subject));
  }
  mlirplug_plugin_description_destroy(description);
  mlirplug_error_destroy(error);
  return status == MLIRPLUG_OK;
}

/// The same numbers on every run and system.
static uint32_t next_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static const char *const plugins[] = {"good", "relr", "hash-sysv",
                                      "no-sections"};

Test(a_damaged_file, never_crashes_when_it_is_cut, .timeout = 300) {
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; ++i) {
    struct bytes file = plugin_bytes(plugins[i]);
    cr_expect(read_anything(file.data, file.size));
    for (size_t size = 0; size < file.size; ++size)
      cr_assert(!read_anything(file.data, size), "%s cut to %zu bytes",
                plugins[i], size);
    free(file.data);
  }
}

Test(a_damaged_file, never_crashes_when_one_byte_is_wrong, .timeout = 300) {
  size_t accepted = 0, refused = 0;
  uint64_t state = 1;
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; ++i) {
    struct bytes file = plugin_bytes(plugins[i]);
    for (unsigned step = 0; step < 2000; ++step) {
      size_t at = next_random(&state) % file.size;
      unsigned char before = file.data[at];
      file.data[at] ^= (unsigned char)(1 + next_random(&state) % 255);
      read_anything(file.data, file.size) ? ++accepted : ++refused;
      file.data[at] = before;
    }
    free(file.data);
  }
  // Much of a file is code or padding; but not all of it.
  cr_expect_gt(accepted, 0);
  cr_expect_gt(refused, 0);
}

Test(a_damaged_file, never_crashes_when_its_headers_are_wrong, .timeout = 300) {
  static const unsigned char values[] = {0, 1, 0x7f, 0x80, 0xff};
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; ++i) {
    struct bytes file = plugin_bytes(plugins[i]);
    for (size_t at = 0; at < 1024; ++at) {
      unsigned char before = file.data[at];
      for (size_t value = 0; value < sizeof values; ++value) {
        file.data[at] = values[value];
        (void)read_anything(file.data, file.size);
      }
      file.data[at] = before;
    }
    free(file.data);
  }
}

Test(a_damaged_file, never_crashes_when_its_pointers_are_wrong,
     .timeout = 300) {
  // Eight bytes at once, anywhere: addresses, sizes and counts.
  static const uint64_t values[] = {
      0,         8,          4095,           0x10000,  UINT32_MAX,
      INT64_MAX, UINT64_MAX, UINT64_MAX - 7, 1u << 30, (uint64_t)1 << 62};
  for (size_t i = 0; i < sizeof plugins / sizeof *plugins; ++i) {
    struct bytes file = plugin_bytes(plugins[i]);
    for (size_t at = 0; at + 8 <= file.size; at += 8) {
      uint64_t before, value = values[at / 8 % 10];
      memcpy(&before, file.data + at, sizeof before);
      memcpy(file.data + at, &value, sizeof value);
      (void)read_anything(file.data, file.size);
      memcpy(file.data + at, &before, sizeof before);
    }
    free(file.data);
  }
}

Test(a_damaged_file, never_crashes_when_it_is_read_from_disk, .timeout = 300) {
  struct bytes bytes = plugin_bytes("good");
  struct file file = {.descriptor = memfd_create("damaged", MFD_CLOEXEC),
                      .path = strdup("damaged.so"),
                      .identity = {.size = bytes.size}};
  cr_assert_geq(file.descriptor, 0);
  for (size_t at = 0; at < 1024; ++at) {
    unsigned char before = bytes.data[at];
    bytes.data[at] = at % 3 ? 0xff : before ^ 1;
    cr_assert_eq(pwrite(file.descriptor, bytes.data, bytes.size, 0),
                 (ssize_t)bytes.size);
    bytes.data[at] = before;
    mlirplug_plugin_description *description = NULL;
    mlirplug_error *error = NULL;
    mlirplug_status status = descriptor_read(&file, &description, &error);
    cr_assert_eq(status == MLIRPLUG_OK, description != NULL);
    cr_assert_eq(status == MLIRPLUG_OK, error == NULL);
    mlirplug_plugin_description_destroy(description);
    mlirplug_error_destroy(error);
  }
  file_close(&file);
  free(bytes.data);
}
