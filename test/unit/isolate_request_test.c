// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child is asked for, there and back, and damaged.

#include "isolate/request.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct request asked = {
    .provider = "/lib/provider.so",
    .plugin = "/x/\xff.so", // a name is bytes
    .file = {.device = 1, .inode = 2, .size = 3, .modified = {4, 5}},
    .pipeline = "builtin.module(a{x=1})",
    .threads = true,
    .verify = true,
    .memory_bytes = 7,
    .parent = 8,
    .trust_any = true,
    .ir = "ML\xefR",
    .ir_length = 4,
};

static int request_make(void) {
  int descriptor = request_write(&asked);
  cr_assert_geq(descriptor, 0);
  return descriptor;
}

Test(requests, are_read_as_they_were_written) {
  int descriptor = request_make();
  struct request read;
  const char *complaint;
  cr_assert(request_read(descriptor, &read, &complaint), "%s", complaint);
  cr_expect_str_eq(read.provider, asked.provider);
  cr_expect_str_eq(read.plugin, asked.plugin);
  cr_expect_str_eq(read.pipeline, asked.pipeline);
  cr_expect(!read.input);
  cr_expect(!read.key_directory);
  cr_expect(file_identity_equal(&read.file, &asked.file));
  cr_expect(read.threads && read.verify && read.trust_any);
  cr_expect(!read.require_signature && !read.allow_unregistered_dialects);
  cr_expect_eq(read.memory_bytes, 7);
  cr_expect_eq(read.parent, 8);
  cr_expect_eq(read.ir_length, 4);
  cr_expect_eq((uintptr_t)read.ir % 4096, 0);
  cr_expect_eq(memcmp(read.ir, "ML\xefR", 4), 0);
  munmap(read.mapped, read.mapped_length);
  close(descriptor);
}

/// Whatever one byte or the length is, it is read or refused.
Test(requests, that_are_damaged_are_read_or_refused) {
  int descriptor = request_make();
  off_t end = lseek(descriptor, 0, SEEK_END);
  struct request read;
  const char *complaint;
  for (off_t i = 0; i < 200; ++i) {
    char byte, damaged;
    cr_assert_eq(pread(descriptor, &byte, 1, i), 1);
    damaged = (char)~byte;
    cr_assert_eq(pwrite(descriptor, &damaged, 1, i), 1);
    if (request_read(descriptor, &read, &complaint)) {
      cr_expect_leq(strlen(read.pipeline), (size_t)end);
      munmap(read.mapped, read.mapped_length);
    }
    cr_assert_eq(pwrite(descriptor, &byte, 1, i), 1);
  }
  for (off_t length = end - 1; length >= 0; length -= 37) {
    cr_assert_eq(ftruncate(descriptor, length), 0);
    cr_expect(!request_read(descriptor, &read, &complaint));
    cr_expect(complaint);
  }
  close(descriptor);
}

Test(requests, of_others_are_refused) {
  int descriptor = memfd_create("text", 0);
  struct request read;
  const char *complaint;
  cr_expect(!request_read(descriptor, &read, &complaint));
  cr_expect_str_eq(complaint, "it was not started by mlirplug");
  char text[4096] = "some text";
  cr_assert_eq(write(descriptor, text, sizeof text), sizeof text);
  cr_expect(!request_read(descriptor, &read, &complaint));
  close(descriptor);
}
