// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider_files.h"

#include "end_to_end/elf_file.h"
#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void copy(const char *from, const char *path, const char *commands) {
  struct command_result result = command_shell(
      "sh -e -c 'mkdir -p \"$(dirname \"$0\")\"; cp \"$1\" \"$0\"; %s' "
      "'%s' '%s'",
      commands ? commands : "", path, from);
  cr_assert_eq(result.exit_code, 0, "%s", result.errors);
  command_release(&result);
}

void provider_copy(const char *path, const char *commands) {
  copy(PROVIDER_SHARED, path, commands);
}

/// The section with the dynamic symbols.
static Elf64_Shdr *symbols_find(struct elf_file *file) {
  const Elf64_Ehdr *header = elf_header(file);
  Elf64_Shdr *sections = (Elf64_Shdr *)(file->bytes + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; ++i)
    if (sections[i].sh_type == SHT_DYNSYM)
      return &sections[i];
  cr_assert_fail("no dynamic symbols");
  return NULL;
}

void provider_copy_hidden(const char *path, const char *commands) {
  struct elf_file file = elf_read(PROVIDER_SHARED);
  const Elf64_Shdr *section = symbols_find(&file);
  Elf64_Sym *symbols = (Elf64_Sym *)(file.bytes + section->sh_offset);
  const char *names = elf_table(&file, DT_STRTAB);
  size_t hidden = 0;
  for (size_t i = 0; i < section->sh_size / sizeof *symbols; ++i)
    if (symbols[i].st_shndx != SHN_UNDEF &&
        strncmp(names + symbols[i].st_name, "mlir", 4) == 0) {
      symbols[i].st_other = STV_HIDDEN;
      ++hidden;
    }
  cr_assert_gt(hidden, 1000);
  char *directory = directory_create();
  char made[4096];
  (void)snprintf(made, sizeof made, "%s/hidden.so", directory);
  file_write(made, file.bytes, file.size);
  free(file.bytes);
  copy(made, path, commands);
  free(directory);
}
