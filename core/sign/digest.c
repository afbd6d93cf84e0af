// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/digest.h"

#include <errno.h>
#include <sodium.h>
#include <stdlib.h>
#include <unistd.h>

static mlirplug_status refuse(const struct file *file, const char *doing,
                              const char *found, const char *remedy,
                              mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = doing,
                                            .subject = file->path,
                                            .found = found,
                                            .remedy = remedy});
}

/// Reads `length` bytes at `offset`, all of which should be there.
static mlirplug_status read_at(const struct file *file, const char *doing,
                               uint8_t *bytes, size_t length, uint64_t offset,
                               mlirplug_error **error) {
  while (length) {
    ssize_t count = pread(file->descriptor, bytes, length, (off_t)offset);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return refuse(file, doing, error_text("%m"), "check the disk", error);
    if (count == 0)
      return refuse(file, doing, "it became shorter while it was read",
                    "try again when nothing writes to it", error);
    bytes += count;
    offset += (uint64_t)count;
    length -= (size_t)count;
  }
  return MLIRPLUG_OK;
}

mlirplug_status digest_make(const struct file *file, const char *doing,
                            uint8_t hash[DIGEST_SIZE], mlirplug_error **error) {
  uint8_t bytes[65536];
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, DIGEST_SIZE);
  for (uint64_t offset = 0; offset < file->identity.size;) {
    uint64_t left = file->identity.size - offset;
    size_t length = left < sizeof bytes ? (size_t)left : sizeof bytes;
    if (read_at(file, doing, bytes, length, offset, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
    crypto_generichash_update(&state, bytes, length);
    offset += length;
  }
  crypto_generichash_final(&state, hash, DIGEST_SIZE);
  return MLIRPLUG_OK;
}

mlirplug_status digest_read_file(const struct file *file, const char *doing,
                                 uint8_t **bytes, size_t *length,
                                 mlirplug_error **error) {
  const uint64_t limit = UINT64_C(256) << 20;
  if (file->identity.size > limit)
    return refuse(file, doing,
                  "it has more than 256 MiB, too much for a signature of the "
                  "old kind (minisign -l)",
                  "sign it again without -l", error);
  size_t size = (size_t)file->identity.size;
  uint8_t *read = malloc(size);
  if (!read)
    return error_set_memory(error);
  if (read_at(file, doing, read, size, 0, error) != MLIRPLUG_OK) {
    free(read);
    return MLIRPLUG_FAILED;
  }
  *bytes = read;
  *length = size;
  return MLIRPLUG_OK;
}
