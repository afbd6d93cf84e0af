// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/hash.h"

#include <string.h>

// In this file, so that nothing has to be there at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t hash_bytes(const void *bytes, size_t length) {
  return XXH3_64bits(bytes, length);
}

uint64_t hash_string(const char *string) {
  return hash_bytes(string, strlen(string));
}
