// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/header.h"

#include "unit/read_plugin.h"

#ifdef __x86_64__
#define HOST_NAME "x86-64"
#define OTHER_MACHINE EM_AARCH64
#define OTHER_NAME "AArch64"
#else
#define HOST_NAME "AArch64"
#define OTHER_MACHINE EM_X86_64
#define OTHER_NAME "x86-64"
#endif

struct guess {
  const char *bytes;
  size_t size;
  const char *part;
};

#define GUESS(text, part) {text, sizeof(text) - 1, part}

Test(a_file_that_is_no_shared_object, is_told_what_it_looks_like) {
  static const struct guess guesses[] = {
      GUESS("not an ELF file\n", "looks like text"),
      GUESS("\x1f\x8b\x08\x00", "gzip"),
      GUESS("PK\x03\x04zip", "zip"),
      GUESS("\xcf\xfa\xed\xfe____", "Mach-O"),
      GUESS("MZ\x90\0", "PE"),
      GUESS("!<arch>\n", "ar archive"),
      GUESS("BC\xc0\xde", "LLVM bitcode"),
      GUESS("ML\xefR\x01", "MLIR bytecode"),
      GUESS("\0asm\1", "WebAssembly"),
      GUESS("#!/bin/sh\n", "a script"),
      GUESS("version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
      GUESS("<!DOCTYPE html>", "web page"),
      GUESS("\1\2\3\4", "data of an unknown kind"),
      GUESS("\x7f", "not a shared library"),
      GUESS("", "0 bytes"),
  };
  for (size_t i = 0; i < sizeof guesses / sizeof *guesses; ++i)
    expect_bytes_refused((const unsigned char *)guesses[i].bytes,
                         guesses[i].size, guesses[i].part);
}

/// The good plugin with `size` bytes at `offset` replaced.
static void expect_patched_refused(size_t offset, const void *bytes,
                                   size_t size, const char *part) {
  struct bytes plugin = plugin_bytes("good");
  memcpy(plugin.data + offset, bytes, size);
  expect_bytes_refused(plugin.data, plugin.size, part);
  free(plugin.data);
}

#define PATCHED(field, type, value, part)                                      \
  do {                                                                         \
    type patch = (value);                                                      \
    expect_patched_refused(offsetof(Elf64_Ehdr, field), &patch, sizeof patch,  \
                           part);                                              \
  } while (0)

Test(a_file_for_another_machine, is_refused_with_both_machines_named) {
  PATCHED(e_machine, uint16_t, EM_RISCV, "another machine: RISC-V");
  PATCHED(e_machine, uint16_t, OTHER_MACHINE, OTHER_NAME);
  PATCHED(e_machine, uint16_t, EM_RISCV, HOST_NAME);
  PATCHED(e_machine, uint16_t, EM_CUDA, "NVIDIA CUDA");
  PATCHED(e_machine, uint16_t, 0xfffe, "machine number 65534");
}

Test(a_file_for_another_machine, is_refused_by_class_and_byte_order) {
  unsigned char value = ELFCLASS32;
  expect_patched_refused(EI_CLASS, &value, 1, "32-bit ELF file");
  value = 9;
  expect_patched_refused(EI_CLASS, &value, 1, "unknown class 9");
  value = ELFDATA2MSB;
  expect_patched_refused(EI_DATA, &value, 1, "big-endian");
  value = 0;
  expect_patched_refused(EI_DATA, &value, 1, "another byte order");
}

Test(an_elf_file_of_another_type, is_refused_by_its_name) {
  PATCHED(e_type, uint16_t, ET_REL, "object file (.o)");
  PATCHED(e_type, uint16_t, ET_EXEC, "it is an executable");
  PATCHED(e_type, uint16_t, ET_CORE, "core dump");
  PATCHED(e_type, uint16_t, 77, "of the type 77");
}

Test(an_elf_file_of_another_type, is_refused_if_it_is_a_program) {
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  cr_assert_eq(mlirplug_plugin_read("/bin/sh", &description, &error),
               MLIRPLUG_FAILED);
  expect_error(error, "/bin/sh", "executable");
}

Test(a_corrupt_elf_header, is_refused) {
  PATCHED(e_phnum, uint16_t, 0, "no program headers");
  PATCHED(e_phnum, uint16_t, PN_XNUM, "ELF header is corrupt");
  PATCHED(e_phentsize, uint16_t, 32, "ELF header is corrupt");
  PATCHED(e_phoff, uint64_t, UINT64_MAX - 8, "shorter than its headers say");
  PATCHED(e_phoff, uint64_t, 1 << 30, "shorter than its headers say");
  PATCHED(e_shoff, uint64_t, UINT64_MAX - 8, "shorter than its headers say");
}
