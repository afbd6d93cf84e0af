// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache file's own structures.

#ifndef MLIRPLUG_CATALOG_CACHE_FORM_H
#define MLIRPLUG_CATALOG_CACHE_FORM_H

#include "base/hash.h"

#include <mlirplug/plugin.h>

/// Read with the bytes in another order it is another number.
#define CACHE_MAGIC UINT64_C(0x0a656863616370d4)

enum { CACHE_VERSION = 1 };

/// The newest plugins that were understood.
#define CACHE_ABI ((MLIRPLUG_ABI_MAJOR << 16) | MLIRPLUG_ABI_MINOR)

/// Which file, in which state.
struct cache_form_file {
  uint64_t device;
  uint64_t inode;
  uint64_t size;
  int64_t modified_seconds;
  int64_t changed_seconds;
  uint32_t modified_nanoseconds;
  uint32_t changed_nanoseconds;
};

struct cache_form_header {
  uint64_t magic;
  uint32_t version;  ///< CACHE_VERSION
  uint32_t encoding; ///< ENCODING_VERSION
  uint32_t abi;      ///< CACHE_ABI
  uint32_t count;    ///< Of the entries.
  uint64_t size;     ///< Of header and index.
  uint64_t checksum; ///< cache_form_checksum
  struct cache_form_file directory;
};

struct cache_form_entry {
  struct cache_form_file file; ///< Zero if it had no plugin.
  uint64_t offset;             ///< Of the description.
  uint64_t checksum;           ///< hash_bytes of the description.
  uint32_t size;               ///< Of the description.
  uint32_t pass_count;
  uint32_t has_warnings;
  uint32_t reserved; ///< 0
};

/// Of the header, but for the checksum itself, and the index of `size` bytes.
static inline uint64_t
cache_form_checksum(const struct cache_form_header *header, const void *index,
                    size_t size) {
  struct cache_form_header rest = *header;
  rest.checksum = 0;
  return hash_bytes(&rest, sizeof rest) ^ hash_bytes(index, size);
}

#endif // MLIRPLUG_CATALOG_CACHE_FORM_H
