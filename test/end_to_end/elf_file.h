// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A 64-bit ELF file in memory, to be made wrong. What is looked for must be
// there.

#ifndef MLIRPLUG_TEST_ELF_FILE_H
#define MLIRPLUG_TEST_ELF_FILE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
  unsigned char *bytes;
  size_t size;
};

/// Reads the file at `path`; the bytes are freed by the caller.
struct elf_file elf_read(const char *path);

Elf64_Ehdr *elf_header(struct elf_file *file);

/// The `index`th program header of this type.
Elf64_Phdr *elf_segment(struct elf_file *file, uint32_t type, size_t index);

/// The first entry `tag` of the dynamic section.
Elf64_Dyn *elf_dynamic(struct elf_file *file, int64_t tag);

/// A number somewhere in a file, and what it becomes.
struct elf_patch {
  enum elf_place { ELF_NOWHERE, ELF_HEADER, ELF_SEGMENT, ELF_DYNAMIC } place;
  int64_t kind; ///< Type of the segment, tag of the dynamic entry.
  size_t index; ///< Of the segments of this type.
  size_t offset;
  size_t size; ///< Up to 8 bytes.
  uint64_t value;
};

#define ELF_FIELD(structure, field)                                            \
  .offset = offsetof(structure, field),                                        \
  .size = sizeof(((structure *)NULL)->field)
#define ELF_PATCH_HEADER(field, new_value)                                     \
  {.place = ELF_HEADER, ELF_FIELD(Elf64_Ehdr, field), .value = new_value}
#define ELF_PATCH_SEGMENT(type, number, field, new_value)                      \
  {.place = ELF_SEGMENT,                                                       \
   .kind = type,                                                               \
   .index = number,                                                            \
   ELF_FIELD(Elf64_Phdr, field),                                               \
   .value = new_value}
#define ELF_PATCH_DYNAMIC(tag, field, new_value)                               \
  {.place = ELF_DYNAMIC,                                                       \
   .kind = tag,                                                                \
   ELF_FIELD(Elf64_Dyn, field),                                                \
   .value = new_value}

void elf_apply(struct elf_file *file, const struct elf_patch *patch);

/// What will lie at the address that the dynamic entry `tag` has.
void *elf_table(struct elf_file *file, int64_t tag);

#endif // MLIRPLUG_TEST_ELF_FILE_H
