// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "end_to_end/elf_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct elf_file elf_read(const char *path) {
  FILE *stream = fopen(path, "rbe");
  struct stat status;
  if (!stream || fstat(fileno(stream), &status) != 0)
    cr_assert_fail("cannot read %s", path);
  struct elf_file file = {.size = (size_t)status.st_size};
  file.bytes = malloc(file.size + 1);
  if (!file.bytes || fread(file.bytes, 1, file.size, stream) != file.size)
    cr_assert_fail("cannot read %s", path);
  (void)fclose(stream);
  return file;
}

Elf64_Ehdr *elf_header(struct elf_file *file) {
  cr_assert(file->size >= sizeof(Elf64_Ehdr));
  return (Elf64_Ehdr *)file->bytes;
}

Elf64_Phdr *elf_segment(struct elf_file *file, uint32_t type, size_t index) {
  const Elf64_Ehdr *header = elf_header(file);
  Elf64_Phdr *segments = (Elf64_Phdr *)(file->bytes + header->e_phoff);
  for (size_t i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == type && index-- == 0)
      return &segments[i];
  cr_assert_fail("no segment of type %u", type);
  return NULL;
}

Elf64_Dyn *elf_dynamic(struct elf_file *file, int64_t tag) {
  const Elf64_Phdr *segment = elf_segment(file, PT_DYNAMIC, 0);
  Elf64_Dyn *entry = (Elf64_Dyn *)(file->bytes + segment->p_offset);
  for (; entry->d_tag != tag; ++entry)
    if (entry->d_tag == DT_NULL)
      cr_assert_fail("no dynamic entry %lld", (long long)tag);
  return entry;
}

static void *patched(struct elf_file *file, const struct elf_patch *patch) {
  switch (patch->place) {
  case ELF_HEADER:
    return elf_header(file);
  case ELF_SEGMENT:
    return elf_segment(file, (uint32_t)patch->kind, patch->index);
  default:
    return elf_dynamic(file, patch->kind);
  }
}

void elf_apply(struct elf_file *file, const struct elf_patch *patch) {
  // The first bytes of the number, for it is little-endian.
  if (patch->place != ELF_NOWHERE)
    memcpy((char *)patched(file, patch) + patch->offset, &patch->value,
           patch->size);
}

void *elf_table(struct elf_file *file, int64_t tag) {
  uint64_t address = elf_dynamic(file, tag)->d_un.d_ptr;
  const Elf64_Ehdr *header = elf_header(file);
  const Elf64_Phdr *segments = (Elf64_Phdr *)(file->bytes + header->e_phoff);
  for (size_t i = 0; i < header->e_phnum; ++i)
    if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr &&
        address - segments[i].p_vaddr < segments[i].p_filesz)
      return file->bytes + segments[i].p_offset + address - segments[i].p_vaddr;
  cr_assert_fail("the dynamic entry %lld points nowhere", (long long)tag);
  return NULL;
}
