// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/header.h"

#include "read/refuse.h"

#include <inttypes.h>
#include <string.h>

#if defined(__x86_64__)
#define HOST_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define HOST_MACHINE EM_AARCH64
#else
#error "add this machine here and in relocation.c"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HOST_BYTE_ORDER ELFDATA2LSB
#else
#define HOST_BYTE_ORDER ELFDATA2MSB
#endif

static const char rebuild[] = "build the plugin for this machine";
static const char wanted[] = "an ELF shared object (.so)";
static const char link_shared[] = "link the plugin with -shared";

struct signature {
  const char *bytes;
  size_t length;
  const char *meaning;
};

#define SIGNATURE(text, meaning) {text, sizeof(text) - 1, meaning}

static const struct signature signatures[] = {
    SIGNATURE("!<arch>\n", "an ar archive (.a)"),
    SIGNATURE("!<thin>\n", "a thin ar archive (.a)"),
    SIGNATURE("BC\xc0\xde", "LLVM bitcode"),
    SIGNATURE("\xde\xc0\x17\x0b", "LLVM bitcode in a wrapper"),
    SIGNATURE("ML\xef"
              "R",
              "MLIR bytecode"),
    SIGNATURE("\xcf\xfa\xed\xfe", "a Mach-O file (macOS)"),
    SIGNATURE("\xce\xfa\xed\xfe", "a Mach-O file (macOS)"),
    SIGNATURE("\xca\xfe\xba\xbe", "a universal Mach-O file (macOS) or Java"),
    SIGNATURE("MZ", "a PE file (Windows)"),
    SIGNATURE("\0asm", "a WebAssembly module"),
    SIGNATURE("\x1f\x8b", "a gzip archive"),
    SIGNATURE("PK\3\4", "a zip archive (or a Python wheel)"),
    SIGNATURE("\xfd"
              "7zXZ",
              "an xz archive"),
    SIGNATURE("\x28\xb5\x2f\xfd", "a zstd archive"),
    SIGNATURE("BZh", "a bzip2 archive"),
    SIGNATURE("#!", "a script"),
    SIGNATURE("version https://git-lfs", "a Git LFS pointer, not the file"),
    SIGNATURE("<!DOCTYPE", "a web page"),
    SIGNATURE("<!doctype", "a web page"),
    SIGNATURE("<html", "a web page"),
    SIGNATURE("/* GNU ld script", "a linker script"),
};

static bool looks_like_text(const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < length; ++i)
    if (bytes[i] == 0x7f ||
        (bytes[i] < ' ' && !strchr("\t\n\f\r", bytes[i] ? bytes[i] : 1)))
      return false;
  return true;
}

static const char *looks_like(const unsigned char *bytes, size_t length) {
  for (size_t i = 0; i < sizeof signatures / sizeof *signatures; ++i)
    if (length >= signatures[i].length &&
        memcmp(bytes, signatures[i].bytes, signatures[i].length) == 0)
      return signatures[i].meaning;
  return looks_like_text(bytes, length) ? "text" : "data of an unknown kind";
}

/// The name of a machine, put into `buffer` if it is not a known one.
static const char *machine_name(uint16_t machine, struct error_buffer *buffer) {
  switch (machine) {
  case EM_386:
    return "x86 (32-bit)";
  case EM_X86_64:
    return "x86-64";
  case EM_AARCH64:
    return "AArch64";
  case EM_ARM:
    return "ARM (32-bit)";
  case EM_RISCV:
    return "RISC-V";
  case EM_PPC64:
    return "PowerPC64";
  case EM_S390:
    return "S/390";
  case EM_MIPS:
    return "MIPS";
  case 258: // EM_LOONGARCH, not in every elf.h
    return "LoongArch";
  case EM_SPARCV9:
    return "SPARC v9";
  case EM_BPF:
    return "BPF";
  case EM_CUDA:
    return "NVIDIA CUDA";
  case EM_AMDGPU:
    return "AMD GPU";
  default:
    return error_format(buffer, "machine number %u", machine);
  }
}

/// The name of the system that a file is for; null if it is this one or any.
static const char *other_system(unsigned char number,
                                struct error_buffer *buffer) {
  switch (number) {
  case ELFOSABI_NONE:
  case ELFOSABI_GNU:
    return NULL;
  case ELFOSABI_NETBSD:
    return "NetBSD";
  case ELFOSABI_SOLARIS:
    return "Solaris";
  case ELFOSABI_FREEBSD:
    return "FreeBSD";
  case 12: // ELFOSABI_OPENBSD, not in every elf.h
    return "OpenBSD";
  default:
    return error_format(buffer, "system number %u", number);
  }
}

mlirplug_status header_refuse_short(const char *path, uint64_t size,
                                    uint64_t needed, mlirplug_error **error) {
  return refuse(path,
                error_text("the file is shorter than its headers say: "
                           "%" PRIu64 " bytes, needs %" PRIu64,
                           size, needed),
                NULL,
                "was it copied only in part? copy or build the plugin again",
                error);
}

/// Class, byte order, machine and system are those of this process.
static mlirplug_status machine_check(const char *path, const Elf64_Ehdr *header,
                                     mlirplug_error **error) {
  const char *host = machine_name(HOST_MACHINE, &(struct error_buffer){{0}});
  const char *expected = error_text("a 64-bit shared object for %s", host);
  if (header->e_ident[EI_CLASS] != ELFCLASS64) {
    bool is_32_bit = header->e_ident[EI_CLASS] == ELFCLASS32;
    return refuse(path,
                  is_32_bit ? "it is a 32-bit ELF file"
                            : error_text("it is an ELF file of the unknown "
                                         "class %u",
                                         header->e_ident[EI_CLASS]),
                  expected, rebuild, error);
  }
  if (header->e_ident[EI_DATA] != HOST_BYTE_ORDER)
    return refuse(path,
                  header->e_ident[EI_DATA] == ELFDATA2MSB
                      ? "it is a big-endian ELF file"
                      : "it is an ELF file of another byte order",
                  expected, rebuild, error);
  if (header->e_machine != HOST_MACHINE)
    return refuse(path,
                  error_text("it is built for another machine: %s",
                             machine_name(header->e_machine,
                                          &(struct error_buffer){{0}})),
                  expected, rebuild, error);
  const char *system =
      other_system(header->e_ident[EI_OSABI], &(struct error_buffer){{0}});
  if (system)
    return refuse(
        path, error_text("it is built for another system: %s", system),
        "a shared object for Linux", "build the plugin on Linux", error);
  return MLIRPLUG_OK;
}

static mlirplug_status type_check(const char *path, const Elf64_Ehdr *header,
                                  mlirplug_error **error) {
  switch (header->e_type) {
  case ET_DYN:
    return MLIRPLUG_OK;
  case ET_REL:
    return refuse(path, "it is an object file (.o)", wanted, link_shared,
                  error);
  case ET_EXEC:
    return refuse(path, "it is an executable", wanted, link_shared, error);
  case ET_CORE:
    return refuse(path, "it is a core dump", wanted,
                  "give the plugin's .so file", error);
  default:
    return refuse(
        path, error_text("it is an ELF file of the type %u", header->e_type),
        wanted, link_shared, error);
  }
}

/// The end of a table in the file; UINT64_MAX if there can be no such file.
static uint64_t table_end(uint64_t offset, uint64_t count,
                          uint64_t element_size) {
  uint64_t end;
  // Both factors are 16-bit numbers in the file.
  if (__builtin_add_overflow(offset, count * element_size, &end))
    return UINT64_MAX;
  return end;
}

static mlirplug_status tables_check(const char *path, const Elf64_Ehdr *header,
                                    uint64_t size, mlirplug_error **error) {
  if (header->e_phnum == 0)
    return refuse(path, "it has no program headers", wanted, link_shared,
                  error);
  if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_phnum == PN_XNUM)
    return refuse(path,
                  error_text("its ELF header is corrupt: %u program headers "
                             "of %u bytes",
                             header->e_phnum, header->e_phentsize),
                  NULL, "build the plugin again", error);
  uint64_t needed =
      table_end(header->e_phoff, header->e_phnum, header->e_phentsize);
  // Nobody reads the section headers; but they come last in a file, and so tell
  // best that its end is missing.
  if (header->e_shoff != 0) {
    uint64_t sections_end =
        table_end(header->e_shoff, header->e_shnum, header->e_shentsize);
    needed = sections_end > needed ? sections_end : needed;
  }
  if (needed > size)
    return header_refuse_short(path, size, needed, error);
  return MLIRPLUG_OK;
}

mlirplug_status header_check(const char *path, const unsigned char *bytes,
                             size_t length, uint64_t size, Elf64_Ehdr *header,
                             mlirplug_error **error) {
  if (length == 0)
    return refuse(path, "the file is empty (0 bytes)", wanted,
                  "build or copy the plugin again", error);
  if (length < SELFMAG || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return refuse(path,
                  error_text("not a shared library; it looks like %s",
                             looks_like(bytes, length)),
                  wanted, "give the plugin's .so file", error);
  Elf64_Ehdr read;
  if (length < sizeof read)
    return header_refuse_short(path, size, sizeof read, error);
  memcpy(&read, bytes, sizeof read);
  if (machine_check(path, &read, error) != MLIRPLUG_OK ||
      type_check(path, &read, error) != MLIRPLUG_OK ||
      tables_check(path, &read, size, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  *header = read;
  return MLIRPLUG_OK;
}
