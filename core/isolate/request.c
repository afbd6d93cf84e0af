// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/request.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, STRING_COUNT = 6 };

static const char magic[16] = "mlirplug-child1";

/// Parent and child may come from different builds.
struct head {
  char magic[sizeof magic];
  uint64_t size; ///< Of this.
  uint64_t strings_length;
  uint64_t ir_begin;
  uint64_t ir_length;
  uint64_t memory_bytes;
  uint64_t device;
  uint64_t inode;
  uint64_t file_size;
  int64_t modified_seconds;
  int64_t modified_nanoseconds;
  int32_t parent;
  uint8_t threads;
  uint8_t verify;
  uint8_t allow_unregistered_dialects;
  uint8_t trust_any;
  uint8_t require_signature;
  uint8_t reserved[7];
};

int request_put(int descriptor, const void *bytes, size_t length,
                int64_t offset) {
  const char *from = bytes;
  while (length) {
    ssize_t written = pwrite(descriptor, from, length, (off_t)offset);
    if (written < 0 && errno != EINTR)
      return errno;
    if (written > 0) {
      from += written;
      offset += written;
      length -= (size_t)written;
    }
  }
  return 0;
}

static struct head head_make(const struct request *request) {
  struct head head = {
      .size = sizeof head,
      .ir_length = request->ir_length,
      .memory_bytes = request->memory_bytes,
      .device = request->file.device,
      .inode = request->file.inode,
      .file_size = request->file.size,
      .modified_seconds = request->file.modified.tv_sec,
      .modified_nanoseconds = request->file.modified.tv_nsec,
      .parent = request->parent,
      .threads = request->threads,
      .verify = request->verify,
      .allow_unregistered_dialects = request->allow_unregistered_dialects,
      .trust_any = request->trust_any,
      .require_signature = request->require_signature,
  };
  memcpy(head.magic, magic, sizeof magic);
  return head;
}

int request_write(const struct request *request) {
  const char *const strings[STRING_COUNT] = {
      mlirplug_version(), request->provider, request->plugin,
      request->pipeline,  request->input,    request->key_directory};
  int descriptor = memfd_create("mlirplug-request", MFD_CLOEXEC);
  if (descriptor < 0)
    return -1;
  struct head head = head_make(request);
  int error = 0;
  for (size_t i = 0; i < STRING_COUNT && !error; ++i) {
    const char *string = strings[i] ? strings[i] : "";
    size_t length = strlen(string) + 1;
    error = request_put(descriptor, string, length,
                        (int64_t)(sizeof head + head.strings_length));
    head.strings_length += length;
  }
  uint64_t end = sizeof head + head.strings_length;
  head.ir_begin = (end + PAGE - 1) / PAGE * PAGE;
  if (!error)
    error = request_put(descriptor, &head, sizeof head, 0);
  if (!error)
    error = request_put(descriptor, request->ir, request->ir_length,
                        (int64_t)head.ir_begin);
  if (!error)
    return descriptor;
  close(descriptor);
  errno = error;
  return -1;
}

void *request_map(int descriptor, size_t *length) {
  off_t end = lseek(descriptor, 0, SEEK_END);
  if (end <= 0)
    return NULL;
  void *bytes = mmap(NULL, (size_t)end, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED)
    return NULL;
  size_t done = 0;
  while (done < (size_t)end) {
    ssize_t count = pread(descriptor, (char *)bytes + done, (size_t)end - done,
                          (off_t)done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    done += (size_t)count;
  }
  *length = (size_t)end;
  if (done == (size_t)end)
    return bytes;
  (void)munmap(bytes, (size_t)end);
  return NULL;
}

/// The strings, one behind the other; the last one ends with the last byte.
static bool strings_read(const char *bytes, size_t length,
                         const char *strings[STRING_COUNT]) {
  if (!length || bytes[length - 1])
    return false;
  const char *end = bytes + length;
  for (size_t i = 0; i < STRING_COUNT; ++i) {
    if (bytes == end)
      return false;
    strings[i] = bytes;
    bytes += strlen(bytes) + 1;
  }
  return bytes == end;
}

bool request_read(int descriptor, struct request *request,
                  const char **complaint) {
  size_t length = 0;
  char *bytes = request_map(descriptor, &length);
  struct head head = {.size = 0};
  const char *strings[STRING_COUNT];
  *complaint = "it was not started by mlirplug";
  if (!bytes || length < sizeof head)
    return false;
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, magic, sizeof magic) != 0)
    return false;
  *complaint = "its parent is another version of mlirplug";
  if (head.size != sizeof head || head.strings_length > length - sizeof head ||
      head.ir_begin > length || head.ir_length != length - head.ir_begin ||
      !strings_read(bytes + sizeof head, head.strings_length, strings) ||
      strcmp(strings[0], mlirplug_version()) != 0)
    return false;
  *request = (struct request){
      .provider = strings[1],
      .plugin = strings[2],
      .file = {.device = head.device,
               .inode = head.inode,
               .size = head.file_size,
               .modified = {head.modified_seconds, head.modified_nanoseconds}},
      .pipeline = strings[3],
      .input = *strings[4] ? strings[4] : NULL,
      .threads = head.threads,
      .verify = head.verify,
      .allow_unregistered_dialects = head.allow_unregistered_dialects,
      .memory_bytes = head.memory_bytes,
      .parent = head.parent,
      .trust_any = head.trust_any,
      .require_signature = head.require_signature,
      .key_directory = *strings[5] ? strings[5] : NULL,
      .ir = bytes + head.ir_begin,
      .ir_length = head.ir_length,
      .mapped = bytes,
      .mapped_length = length,
  };
  return true;
}
