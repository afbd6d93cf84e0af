// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Symbol tables that are damaged, in libraries that load all the same: the
// system's loader does not look at them.

#include "provider/binding.h"

#include "end_to_end/elf_file.h"
#include "provider_files.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A library with hidden functions, and where its symbols are.
struct damaged {
  struct elf_file file;
  Elf64_Shdr *symbols;
  Elf64_Shdr *names;
};

static void hide_section(struct damaged *damaged) {
  damaged->symbols->sh_type = SHT_PROGBITS;
}

static void make_huge(struct damaged *damaged) {
  damaged->symbols->sh_size = UINT64_MAX / 2;
}

static void move_out(struct damaged *damaged) {
  damaged->symbols->sh_offset = damaged->file.size + 4096;
}

static void link_nowhere(struct damaged *damaged) {
  damaged->symbols->sh_link = 0xffff;
}

static void link_to_itself(struct damaged *damaged) {
  const Elf64_Shdr *first =
      (const Elf64_Shdr *)(damaged->file.bytes +
                           elf_header(&damaged->file)->e_shoff);
  damaged->symbols->sh_link = (Elf64_Word)(damaged->symbols - first);
}

static void end_names_without_mark(struct damaged *damaged) {
  damaged->file.bytes[damaged->names->sh_offset + damaged->names->sh_size - 1] =
      'x';
}

static void empty_names(struct damaged *damaged) {
  damaged->names->sh_size = 0;
}

static Elf64_Sym *symbols_of(struct damaged *damaged, size_t *count) {
  *count = damaged->symbols->sh_size / sizeof(Elf64_Sym);
  return (Elf64_Sym *)(damaged->file.bytes + damaged->symbols->sh_offset);
}

static void name_outside(struct damaged *damaged) {
  size_t count;
  Elf64_Sym *symbols = symbols_of(damaged, &count);
  for (size_t i = 0; i < count; ++i)
    symbols[i].st_name = UINT32_MAX;
}

static void point_outside(struct damaged *damaged) {
  size_t count;
  Elf64_Sym *symbols = symbols_of(damaged, &count);
  for (size_t i = 0; i < count; ++i)
    symbols[i].st_value += (uint64_t)1 << 40;
}

/// All names for two functions: which one is meant cannot be told.
static void name_alike(struct damaged *damaged) {
  size_t count;
  Elf64_Sym *symbols = symbols_of(damaged, &count);
  Elf64_Word first = 0;
  for (size_t i = 0; i < count; ++i)
    if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC) {
      if (!first)
        first = symbols[i].st_name;
      symbols[i].st_name = first;
    }
}

static const struct {
  void (*damage)(struct damaged *damaged);
  const char *found;
} damages[] = {
    {hide_section, "its file is stripped (no .symtab)"},
    {make_huge, "its .symtab is damaged"},
    {move_out, "its .symtab is damaged"},
    {link_nowhere, "its .symtab is damaged"},
    {link_to_itself, "its .symtab is damaged"},
    {end_names_without_mark, "its .symtab is damaged"},
    {empty_names, "its .symtab is damaged"},
    {name_outside, "it has no C API of MLIR"},
    {point_outside, "it has no C API of MLIR"},
    {name_alike, "it has no C API of MLIR"},
};

static void damage(const char *path, size_t index) {
  struct damaged damaged = {.file = elf_read(path)};
  const Elf64_Ehdr *header = elf_header(&damaged.file);
  Elf64_Shdr *sections = (Elf64_Shdr *)(damaged.file.bytes + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type == SHT_SYMTAB)
      damaged.symbols = &sections[i];
  cr_assert(damaged.symbols);
  damaged.names = &sections[damaged.symbols->sh_link];
  damages[index].damage(&damaged);
  file_write(path, damaged.file.bytes, damaged.file.size);
  free(damaged.file.bytes);
}

Test(provider_symtab, that_is_damaged_is_refused, .timeout = 120) {
  char *directory = directory_create();
  for (size_t i = 0; i < sizeof damages / sizeof *damages; ++i) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%zu.so", directory, i);
    provider_copy_hidden(path, NULL);
    damage(path, i);
    const struct binding *binding = NULL;
    mlirplug_error *error = NULL;
    cr_assert_eq(binding_open(path, &binding, &error), MLIRPLUG_FAILED, "%zu",
                 i);
    cr_expect(strstr(error->found, damages[i].found), "%zu: %s", i,
              error->message);
    mlirplug_error_destroy(error);
  }
  free(directory);
}
