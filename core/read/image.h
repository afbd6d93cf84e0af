// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ELF shared object as it would lie in memory, without loading it. Uses only
// the program headers and the dynamic section: section headers may be gone.
//
// Addresses are those of the file, counted from where it will be loaded. The
// file is read, never mapped: one that is cut short meanwhile gives an error
// and no SIGBUS.

#ifndef MLIRPLUG_READ_IMAGE_H
#define MLIRPLUG_READ_IMAGE_H

#include "find/file.h"

#include <elf.h>

struct image_segment {
  uint64_t address;
  uint64_t file_size;   ///< So many bytes come from the file,
  uint64_t memory_size; ///< the rest is zero (.bss).
  bool is_executable;
  const unsigned char *bytes; ///< `file_size` of them, not aligned.
};

/// Zero bytes are a closed image. Reading it is fine on any thread.
struct image {
  const char *path; ///< For messages; borrowed.
  struct Elf *elf;
  void *copy; ///< Of a file that is in memory.
  struct image_segment *segments;
  size_t segment_count;
  Elf64_Dyn *dynamic; ///< The dynamic section without its end mark.
  size_t dynamic_count;
};

/// Opens `file` if it is a shared object that this process could load. On
/// failure `image` is closed.
mlirplug_status image_open(const struct file *file, struct image *image,
                           mlirplug_error **error);

/// The same for a file that is in memory; the bytes are copied.
mlirplug_status image_open_memory(const char *path, const void *bytes,
                                  size_t size, struct image *image,
                                  mlirplug_error **error);

void image_close(struct image *image);

/// Copies `size` bytes at `address`; false if they are not all in one segment.
bool image_read(const struct image *image, uint64_t address, void *to,
                size_t size);

/// The bytes of the file from `address` to the end of its segment, `length` of
/// them; null if there are none.
const unsigned char *image_bytes(const struct image *image, uint64_t address,
                                 uint64_t *length);

/// Whether there is code at `address`.
bool image_is_code(const struct image *image, uint64_t address);

/// The value of the last entry `tag` of the dynamic section; false if none.
bool image_dynamic(const struct image *image, int64_t tag, uint64_t *value);

#endif // MLIRPLUG_READ_IMAGE_H
