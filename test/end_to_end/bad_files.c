// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "end_to_end/bad_files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define CONTENT(text) .content = text, .length = sizeof(text) - 1
#define GOOD .copy_of = "descriptor/good.so"
#define HEADER(field, value) GOOD, .patch = ELF_PATCH_HEADER(field, value)
#define SEGMENT(type, index, field, value)                                     \
  GOOD, .patch = ELF_PATCH_SEGMENT(type, index, field, value)
#define DYNAMIC(tag, value) GOOD, .patch = ELF_PATCH_DYNAMIC(tag, d_un, value)
#define DYNAMIC_TAG(tag, value)                                                \
  GOOD, .patch = ELF_PATCH_DYNAMIC(tag, d_tag, value)

#define GIVE "give the plugin's .so file"
#define COPY "build or copy the plugin again"
#define HALF "copied only in part? copy or build the plugin again"
#define LINK "link the plugin with -shared"
#define MACHINE "build the plugin for this machine"
#define SOURCE "use MLIRPLUG_PLUGIN in one source file"

#ifdef __x86_64__
#define OTHER_MACHINE EM_AARCH64
#else
#define OTHER_MACHINE EM_X86_64
#endif

//===----------------------------------------------------------------------===//
// Files that are not made by writing some bytes
//===----------------------------------------------------------------------===//

static void make_directory(const char *path) {
  cr_assert_eq(mkdir(path, 0700), 0);
}

static void make_fifo(const char *path) { cr_assert_eq(mkfifo(path, 0600), 0); }

static void make_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  cr_assert_lt(strlen(path), sizeof address.sun_path);
  memcpy(address.sun_path, path, strlen(path) + 1);
  int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  if (descriptor < 0)
    cr_assert_fail("cannot make a socket");
  cr_assert_eq(bind(descriptor, (struct sockaddr *)&address, sizeof address),
               0);
  close(descriptor);
}

static void make_dangling_link(const char *path) {
  cr_assert_eq(symlink("nowhere.so", path), 0);
}

static void make_link_to_itself(const char *path) {
  cr_assert_eq(symlink(path, path), 0);
}

static void make_unreadable(const char *path) {
  file_write(path, "content", 7);
  cr_assert_eq(chmod(path, 0), 0);
}

enum { GIBIBYTE = 1 << 30 };

static void make_huge(const char *path) {
  file_write(path, "", 0);
  cr_assert_eq(truncate(path, 5L * GIBIBYTE), 0);
}

static void make_huge_segment(const char *path) {
  struct elf_file file =
      elf_read(MLIRPLUG_BUILD_DIRECTORY "/test/plugins/descriptor/good.so");
  Elf64_Phdr *last = elf_segment(&file, PT_LOAD, 0);
  while (last[1].p_type == PT_LOAD)
    ++last;
  last->p_filesz = last->p_memsz = 2L * GIBIBYTE;
  file_write(path, file.bytes, file.size);
  free(file.bytes);
  cr_assert_eq(truncate(path, 5L * GIBIBYTE), 0);
}

//===----------------------------------------------------------------------===//
// Changes that are more than one number
//===----------------------------------------------------------------------===//

static void remove_end_mark(struct elf_file *file) {
  const Elf64_Phdr *segment = elf_segment(file, PT_DYNAMIC, 0);
  Elf64_Dyn *entries = (Elf64_Dyn *)(file->bytes + segment->p_offset);
  for (size_t i = 0; i < segment->p_memsz / sizeof *entries; ++i)
    if (entries[i].d_tag == DT_NULL)
      entries[i].d_tag = DT_DEBUG;
}

/// Every chain of the hash table comes back to its beginning.
static void make_hash_cyclic(struct elf_file *file) {
  uint32_t *words = elf_table(file, DT_HASH);
  uint32_t buckets = words[0], symbols = words[1];
  for (uint32_t i = 0; i < buckets; ++i)
    words[2 + i] = 1;
  for (uint32_t i = 0; i < symbols; ++i)
    words[2 + buckets + i] = i;
}

/// Puts a new table of program headers at the end: 65 empty segments.
static void add_segments(struct elf_file *file) {
  enum { COUNT = 65 };
  size_t offset = (file->size + 7) / 8 * 8;
  size_t size = offset + COUNT * sizeof(Elf64_Phdr);
  unsigned char *bytes = realloc(file->bytes, size);
  cr_assert_not_null(bytes);
  memset(bytes + file->size, 0, size - file->size);
  *file = (struct elf_file){bytes, size};
  elf_header(file)->e_phoff = offset;
  elf_header(file)->e_phnum = COUNT;
  Elf64_Phdr *segments = (Elf64_Phdr *)(file->bytes + offset);
  for (size_t i = 0; i < COUNT; ++i)
    segments[i].p_type = PT_LOAD;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const struct bad_file bad_files[] = {
    // Case 01.
    {"missing.so", .reason = "No such file or directory",
     .cure = "check the path"},
    {"text.so", CONTENT("not an ELF file\n"),
     .reason = "not a shared library; it looks like text", .cure = GIVE},
    {"empty.so", CONTENT(""), .reason = "the file is empty (0 bytes)",
     .cure = COPY},
    {"directory.so", .make = make_directory, .reason = "it is a directory",
     .cure = GIVE},
    {"no-entry.so", .copy_of = "descriptor/foreign.so",
     .reason = "it has no symbol mlirplug_plugin", .cure = SOURCE},
    // It has no descriptor either, which can be seen without loading it.
    {"undefined.so", .copy_of = "bad/undefined.so",
     .reason = "it has no symbol mlirplug_plugin", .cure = SOURCE},
    {"truncated.so", .copy_of = "descriptor/foreign.so", .cut = 4096,
     .reason = "the file is shorter than its headers say: 4096 bytes",
     .cure = HALF},
    {"other-machine.so", HEADER(e_machine, EM_RISCV),
     .reason = "it is built for another machine: RISC-V", .cure = MACHINE},

    // What is no file, or cannot be opened.
    {"/dev/null/x.so", .reason = "Not a directory", .cure = "check the path"},
    {"/dev/null", .reason = "it is a device", .cure = GIVE},
    {"/dev/zero", .reason = "it is a device", .cure = GIVE},
    {"fifo.so", .make = make_fifo, .reason = "it is a pipe (fifo)",
     .cure = GIVE},
    {"socket.so", .make = make_socket, .reason = "it is a socket",
     .cure = GIVE},
    {"dangling.so", .make = make_dangling_link,
     .reason = "No such file or directory", .cure = "check the path"},
    {"loop.so", .make = make_link_to_itself,
     .reason = "Too many levels of symbolic links", .cure = "check the path"},
    {"unreadable.so", .make = make_unreadable, .unprivileged = true,
     .reason = "Permission denied", .cure = "chmod a+r"},

    // Files of other formats.
    {"huge.so", .make = make_huge,
     .reason = "it looks like data of an unknown kind", .cure = GIVE},
    {"zeros.so", CONTENT("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
     .reason = "it looks like data of an unknown kind", .cure = GIVE},
    {"script.so", CONTENT("#!/bin/sh\nexit 1\n"),
     .reason = "it looks like a script", .cure = GIVE},
    {"source.so", CONTENT("module {\n}\n"), .reason = "it looks like text",
     .cure = GIVE},
    {"gzip.so", CONTENT("\x1f\x8b\x08\0\0\0\0\0\0\3"),
     .reason = "it looks like a gzip archive", .cure = GIVE},
    {"zip.so", CONTENT("PK\3\4\x14\0\0\0"),
     .reason = "it looks like a zip archive (or a Python wheel)", .cure = GIVE},
    {"archive.so", .copy_of = "bad/archive.a",
     .reason = "it looks like an ar archive (.a)", .cure = GIVE},
    {"bitcode.so", CONTENT("BC\xc0\xde\x35\x14\0\0"),
     .reason = "it looks like LLVM bitcode", .cure = GIVE},
    {"bytecode.so", CONTENT("ML\xefR\x06MLIR22\0"),
     .reason = "it looks like MLIR bytecode", .cure = GIVE},
    {"mach-o.so", CONTENT("\xcf\xfa\xed\xfe\7\0\0\1\3\0\0\0\6\0\0\0"),
     .reason = "it looks like a Mach-O file (macOS)", .cure = GIVE},
    {"pe.so", CONTENT("MZ\x90\0\3\0\0\0\4\0\0\0\xff\xff\0\0"),
     .reason = "it looks like a PE file (Windows)", .cure = GIVE},
    {"wasm.so", CONTENT("\0asm\1\0\0\0"),
     .reason = "it looks like a WebAssembly module", .cure = GIVE},
    {"page.so", CONTENT("<!DOCTYPE html><title>404 Not Found</title>"),
     .reason = "it looks like a web page", .cure = GIVE},
    {"pointer.so", CONTENT("version https://git-lfs.github.com/spec/v1\n"),
     .reason = "it looks like a Git LFS pointer, not the file", .cure = GIVE},
    {"linker-script.so", CONTENT("/* GNU ld script */\nGROUP ( libx.so.1 )\n"),
     .reason = "it looks like a linker script", .cure = GIVE},

    // ELF files of other kinds.
    {"32-bit.so", HEADER(e_ident[EI_CLASS], ELFCLASS32),
     .reason = "it is a 32-bit ELF file", .cure = MACHINE},
    {"class.so", HEADER(e_ident[EI_CLASS], 9),
     .reason = "it is an ELF file of the unknown class 9", .cure = MACHINE},
    {"big-endian.so", HEADER(e_ident[EI_DATA], ELFDATA2MSB),
     .reason = "it is a big-endian ELF file", .cure = MACHINE},
    {"byte-order.so", HEADER(e_ident[EI_DATA], 0),
     .reason = "it is an ELF file of another byte order", .cure = MACHINE},
    {"common-machine.so", HEADER(e_machine, OTHER_MACHINE),
     .reason = "it is built for another machine", .cure = MACHINE},
    {"other-system.so", HEADER(e_ident[EI_OSABI], ELFOSABI_FREEBSD),
     .reason = "it is built for another system: FreeBSD",
     .cure = "build the plugin on Linux"},
    {"object.so", .copy_of = "bad/object.o",
     .reason = "it is an object file (.o)", .cure = LINK},
    {"static.so", .copy_of = "bad/static", .reason = "it is an executable",
     .cure = LINK},
    {"pie.so", .copy_of = "bad/pie",
     .reason = "it is a position-independent executable", .cure = LINK},
    {"interpreted.so", SEGMENT(PT_GNU_EH_FRAME, 0, p_type, PT_INTERP),
     .reason = "it is a program: it names an interpreter", .cure = LINK},
    {"core.so", HEADER(e_type, ET_CORE), .reason = "it is a core dump",
     .cure = GIVE},
    {"type.so", HEADER(e_type, 77), .reason = "of the type 77", .cure = LINK},
    {"debug-only.so", .copy_of = "bad/debug-only.so",
     .reason = "only debug information", .cure = GIVE},
    {"no-sections.so", .copy_of = "bad/no-sections.so",
     .reason = "it has no symbol mlirplug_plugin", .cure = SOURCE},

    // Other kinds of plugins.
    {"mlir.so", .copy_of = "descriptor/foreign-mlir.so",
     .reason = "it is an MLIR pass plugin written in C++",
     .cure = "give it to mlir-opt of the same build with "
             "--load-pass-plugin=FILE"},
    {"mlir-dialect.so", .copy_of = "descriptor/foreign-dialect.so",
     .reason = "it is an MLIR dialect plugin written in C++",
     .cure = "give it to mlir-opt of the same build with "
             "--load-dialect-plugin=FILE"},
    {"llvm.so", .copy_of = "descriptor/foreign-llvm.so",
     .reason = "it is an LLVM pass plugin",
     .cure = "give it to LLVM's opt with -load-pass-plugin=FILE, or to clang "
             "with -fpass-plugin=FILE"},
    {"clang.so", .copy_of = "descriptor/foreign-clang.so",
     .reason = "it is a clang plugin",
     .cure = "give it to clang with -fplugin=FILE"},
    {"gcc.so", .copy_of = "descriptor/foreign-gcc.so",
     .reason = "it is a GCC plugin",
     .cure = "give it to gcc with -fplugin=FILE"},
    {"python.so", .copy_of = "descriptor/foreign-python.so",
     .reason = "it is a Python extension module",
     .cure = "import it in Python"},

    // Shared objects that nobody should load.
    {"executable-stack.so", .copy_of = "descriptor/executable-stack.so",
     .reason = "it wants an executable stack",
     .cure = "link it with -Wl,-z,noexecstack"},
#ifdef __x86_64__
    {"no-stack.so", SEGMENT(PT_GNU_STACK, 0, p_type, PT_NULL),
     .reason = "it wants an executable stack",
     .cure = "link it with -Wl,-z,noexecstack"},
#endif
    {"code-relocation.so", .copy_of = "descriptor/code-relocation.so",
     .reason = "its code needs relocations (TEXTREL)",
     .cure = "compile all of the plugin with -fPIC"},
    {"packed.so", .copy_of = "descriptor/packed.so",
     .reason = "it has Android's packed relocations",
     .cure = "link it without --pack-dyn-relocs=android"},

    // Cut off.
    {"cut-3.so", GOOD, .cut = 3, .reason = "not a shared library",
     .cure = GIVE},
    {"cut-4.so", GOOD, .cut = 4, .reason = "4 bytes, needs 64", .cure = HALF},
    {"cut-63.so", GOOD, .cut = 63, .reason = "63 bytes, needs 64",
     .cure = HALF},
    {"cut-64.so", GOOD, .cut = 64, .reason = "64 bytes, needs", .cure = HALF},
    {"cut-600.so", GOOD, .cut = 600, .reason = "600 bytes, needs",
     .cure = HALF},
    {"cut-last.so", GOOD, .cut = -1,
     .reason = "the file is shorter than its headers say", .cure = HALF},
    {"cut-no-sections.so", .copy_of = "descriptor/no-sections.so", .cut = -1,
     .reason = "the file is shorter than its headers say", .cure = HALF},

    // Impossible numbers.
    {"no-segments.so", HEADER(e_phnum, 0),
     .reason = "it has no program headers", .cure = LINK},
    {"segments-65535.so", HEADER(e_phnum, PN_XNUM),
     .reason = "its ELF header is corrupt: 65535 program headers",
     .cure = "build the plugin again"},
    {"segments-65534.so", HEADER(e_phnum, 65534),
     .reason = "the file is shorter than its headers say", .cure = HALF},
    {"segments-elsewhere.so", HEADER(e_phoff, UINT64_MAX - 8),
     .reason = "the file is shorter than its headers say", .cure = HALF},
    {"sections-elsewhere.so", HEADER(e_shoff, UINT64_MAX - 8),
     .reason = "the file is shorter than its headers say", .cure = HALF},
    {"sections-65535.so", HEADER(e_shnum, 65535),
     .reason = "the file is shorter than its headers say", .cure = HALF},
    {"segment-huge.so", SEGMENT(PT_LOAD, 0, p_filesz, UINT64_C(1) << 63),
     .reason = "needs 9223372036854775808", .cure = HALF},
    {"segment-beyond.so", SEGMENT(PT_LOAD, 1, p_offset, UINT64_MAX - 8),
     .reason = "the file is shorter than its headers say", .cure = HALF},
    {"segment-wraps.so", SEGMENT(PT_LOAD, 1, p_memsz, UINT64_MAX),
     .reason = "corrupt: segment 1 has an impossible size", .cure = COPY},
    {"segments-overlap.so", SEGMENT(PT_LOAD, 1, p_vaddr, 0),
     .reason = "corrupt: segment 1 overlaps the one before it", .cure = COPY},
    {"segments-many.so", GOOD, .change = add_segments,
     .reason = "corrupt: segment 64 is one too many", .cure = COPY},
    {"segment-5-gib.so", .make = make_huge_segment,
     .reason = "it has more than 1073741824 bytes to load",
     .cure = "plugins do not link MLIR or LLVM into themselves"},
    {"no-dynamic.so", SEGMENT(PT_DYNAMIC, 0, p_type, PT_NULL),
     .reason = "it has no dynamic section", .cure = LINK},
    {"dynamic-elsewhere.so", SEGMENT(PT_DYNAMIC, 0, p_vaddr, UINT64_C(1) << 62),
     .reason = "its dynamic section lies outside the file", .cure = COPY},
    {"dynamic-huge.so", SEGMENT(PT_DYNAMIC, 0, p_memsz, UINT64_C(1) << 63),
     .reason = "its dynamic section lies outside the file", .cure = COPY},
    {"dynamic-endless.so", GOOD, .change = remove_end_mark,
     .reason = "its dynamic section has no end mark", .cure = COPY},

    // Tables that lead nowhere, or round and round.
    {"no-symbols.so", DYNAMIC_TAG(DT_SYMTAB, DT_DEBUG),
     .reason = "it has no table of dynamic symbols", .cure = LINK},
    {"symbols-elsewhere.so", DYNAMIC(DT_SYMTAB, UINT64_MAX - 8),
     .reason = "its table of dynamic symbols is corrupt", .cure = COPY},
    {"strings-huge.so", DYNAMIC(DT_STRSZ, UINT64_C(1) << 63),
     .reason = "its table of dynamic symbols is corrupt", .cure = COPY},
    {"hash-cyclic.so", .copy_of = "descriptor/hash-sysv.so",
     .change = make_hash_cyclic, .reason = "it has no symbol mlirplug_plugin",
     .cure = SOURCE},
    {"relocations-huge.so", DYNAMIC(DT_RELASZ, UINT64_C(24) << 58),
     .reason = "its table of relocations DT_RELA is corrupt", .cure = COPY},
    {"relocations-elsewhere.so", DYNAMIC(DT_RELA, UINT64_MAX - 8),
     .reason = "its table of relocations DT_RELA is corrupt", .cure = COPY},
    {"relocations-odd.so", DYNAMIC_TAG(DT_RELA, DT_REL),
     .reason = "it has relocations of the form DT_REL",
     .cure = "build the plugin with an ordinary linker"},
    {"relative-huge.so", .copy_of = "descriptor/relr.so",
     .patch = ELF_PATCH_DYNAMIC(36 /* DT_RELR */, d_un, UINT64_MAX - 8),
     .reason = "its table of relocations DT_RELR is corrupt", .cure = COPY},
    {"cyclic.so", .copy_of = "bad/cyclic.so",
     .reason = "pass 0 (''), field 'anchor': where it points cannot be "
               "told from the file",
     .cure = "let it point to something in the plugin itself"},
    {"pass-in-itself.so", .copy_of = "descriptor/pass-itself.so",
     .reason = "pass 0 (''), field 'description': where it points cannot be "
               "told from the file",
     .cure = "let it point to something in the plugin itself"},

    {"names-huge.so", .copy_of = "bad/many-names.so",
     .reason = "corrupt descriptor: it describes more than 16777216 bytes",
     .cure = "correct the plugin's source and rebuild it"},
    {"anchors-many.so", .copy_of = "bad/many-anchors.so",
     .reason = "field 'anchor': it lists 4097 names, at most 4096 are possible",
     .cure = "rebuild the plugin with the SDK"},
    {"text-endless.so", .copy_of = "bad/no-end.so",
     .reason = "field 'description': its text does not end (no NUL)",
     .cure = "correct the plugin's source and rebuild it"},
    {"import-nameless.so", .copy_of = "bad/no-name.so",
     .reason = "field 'name': it is null",
     .cure = "rebuild the plugin with the SDK"},

    // What only loading shows.
    {"needs-symbol.so", .copy_of = "pass/undefined.so", .pass = "load",
     .reason = "undefined symbol: nobody_defines_this", .cure = "-Wl,-z,defs"},
    {"needs-library.so", .copy_of = "bad/needs-library.so",
     .pass = "first-pass",
     .reason = "libmlirplug-test-needed.so: cannot open shared object file: No "
               "such file or directory",
     .cure = "install the library"},
    {"needs-version.so", .copy_of = "bad/needs-version.so",
     .pass = "first-pass", .reason = "version `NEEDED_2' not found",
     .cure = "build the plugin on the oldest system that it is for"},
    {"thread-local.so", .copy_of = "bad/thread-local.so", .pass = "first-pass",
     .reason = "cannot allocate memory in static TLS block",
     .cure = "-ftls-model=initial-exec"},
    {"memory-huge.so", SEGMENT(PT_LOAD, 3, p_memsz, UINT64_C(1) << 62),
     .pass = "first-pass", .reason = "failed to map segment",
     .cure = "rebuild the plugin"},
    {"needs-function.so", .copy_of = "pass/needs-unknown.so", .pass = "load",
     .reason = "it uses mlirNowhereSet (not seen in any MLIR), which MLIR 22",
     .cure = "make the function optional in the plugin (MLIRPLUG_HAS)"},
    {"needs-service.so", .copy_of = "pass/needs-service.so", .pass = "load",
     .reason = "it uses mlirplug_from_the_future, which this mlirplug",
     .cure = "install a newer mlirplug"},
    {"changing.so", .copy_of = "bad/changing.so", .pass = "changing",
     .reason = "its descriptor in memory is not the one in the file",
     .cure = "rebuild the plugin"},
};

const size_t bad_file_count = sizeof bad_files / sizeof *bad_files;
