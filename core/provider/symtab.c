// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/symtab.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Far above what there is (jaxlib's: 60 MB); keeps a hostile file from costing
// all memory.
#define LARGEST_SECTION ((uint64_t)1 << 30)
#define LARGEST_NOTE 65536
#define LONGEST_NAME 256

struct function {
  char *name;
  void *address;
  bool is_ambiguous;
};

struct symtab {
  struct function *functions; ///< Sorted by name, each once.
  size_t count;
  size_t capacity;
};

//===----------------------------------------------------------------------===//
// The file is the one in memory
//===----------------------------------------------------------------------===//

static bool file_read(int descriptor, void *to, size_t size, uint64_t offset) {
  unsigned char *bytes = to;
  while (size) {
    ssize_t length = pread(descriptor, bytes, size, (off_t)offset);
    if (length < 0 && errno == EINTR)
      continue;
    if (length <= 0)
      return false;
    bytes += length;
    size -= (size_t)length;
    offset += (uint64_t)length;
  }
  return true;
}

/// The notes, among which is the build id, say the same in both.
static bool notes_match(int descriptor, const struct mapped *object) {
  for (size_t i = 0; i < object->header_count; ++i) {
    const ElfW(Phdr) *header = &object->headers[i];
    if (header->p_type != PT_NOTE || header->p_filesz > LARGEST_NOTE)
      continue;
    const void *memory = (const void *)(object->base + header->p_vaddr);
    if (!segments_hold(&object->segments, memory, header->p_filesz, PF_R))
      continue;
    void *bytes = malloc(header->p_filesz + 1);
    bool match =
        bytes &&
        file_read(descriptor, bytes, header->p_filesz, header->p_offset) &&
        memcmp(bytes, memory, header->p_filesz) == 0;
    free(bytes);
    if (!match)
      return false;
  }
  return true;
}

static bool file_is_mapped(int descriptor, Elf *elf,
                           const struct mapped *object) {
  size_t count;
  if (elf_getphdrnum(elf, &count) != 0 || count != object->header_count)
    return false;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (!gelf_getphdr(elf, (int)i, &header) ||
        memcmp(&header, &object->headers[i], sizeof header) != 0)
      return false;
  }
  return notes_match(descriptor, object);
}

//===----------------------------------------------------------------------===//
// The functions
//===----------------------------------------------------------------------===//

bool symtab_keep_api(const char *name) {
  return strncmp(name, "mlir", 4) == 0 || strcmp(name, "LLVMGetVersion") == 0;
}

static bool name_is_wanted(symtab_filter *filter, const char *name,
                           size_t room) {
  return filter(name) &&
         strnlen(name, room) < (room < LONGEST_NAME ? room : LONGEST_NAME);
}

static bool function_add(struct symtab *symtab, const char *name,
                         void *address) {
  if (symtab->count == symtab->capacity) {
    size_t capacity = symtab->capacity ? 2 * symtab->capacity : 1024;
    struct function *functions =
        reallocarray(symtab->functions, capacity, sizeof *functions);
    if (!functions)
      return false;
    symtab->functions = functions;
    symtab->capacity = capacity;
  }
  char *copy = strdup(name);
  if (!copy)
    return false;
  symtab->functions[symtab->count++] =
      (struct function){.name = copy, .address = address};
  return true;
}

static int function_compare(const void *left, const void *right) {
  const struct function *a = left, *b = right;
  return strcmp(a->name, b->name);
}

/// Sorts them and leaves each name once.
static void functions_sort(struct symtab *symtab) {
  struct function *functions = symtab->functions;
  size_t kept = 0;
  if (symtab->count)
    qsort(functions, symtab->count, sizeof *functions, function_compare);
  for (size_t i = 0; i < symtab->count; ++i) {
    if (kept && strcmp(functions[kept - 1].name, functions[i].name) == 0) {
      if (functions[kept - 1].address != functions[i].address)
        functions[kept - 1].is_ambiguous = true;
      free(functions[i].name);
    } else {
      functions[kept++] = functions[i];
    }
  }
  symtab->count = kept;
}

/// Takes the functions that pass `filter` from a section and its names, which
/// end with a NUL. False if memory runs out.
static bool functions_take(struct symtab *symtab, const struct mapped *object,
                           symtab_filter *filter, const Elf_Data *symbols,
                           const Elf_Data *names) {
  size_t count = symbols->d_size / sizeof(ElfW(Sym));
  for (size_t i = 0; i < count; ++i) {
    ElfW(Sym) symbol;
    memcpy(&symbol, (const char *)symbols->d_buf + i * sizeof symbol,
           sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC ||
        symbol.st_shndx == SHN_UNDEF || symbol.st_name >= names->d_size)
      continue;
    const char *name = (const char *)names->d_buf + symbol.st_name;
    void *address = (void *)(object->base + symbol.st_value);
    if (name_is_wanted(filter, name, names->d_size - symbol.st_name) &&
        segments_hold(&object->segments, address, 1, PF_X) &&
        !function_add(symtab, name, address))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The data of a section; null if it is none that can be trusted.
static Elf_Data *section_data(Elf_Scn *section, uint32_t type) {
  GElf_Shdr header;
  if (!section || !gelf_getshdr(section, &header) || header.sh_type != type ||
      header.sh_size > LARGEST_SECTION)
    return NULL;
  Elf_Data *data = elf_getdata(section, NULL);
  return data && data->d_buf && data->d_size == header.sh_size ? data : NULL;
}

static enum symtab_outcome unfit(struct error_buffer *reason,
                                 const char *what) {
  error_format(reason, "%s", what);
  return SYMTAB_UNFIT;
}

static enum symtab_outcome section_read(const struct mapped *object,
                                        symtab_filter *filter, Elf *elf,
                                        Elf_Scn *section, struct symtab *symtab,
                                        struct error_buffer *reason) {
  GElf_Shdr header;
  Elf_Data *symbols = section_data(section, SHT_SYMTAB);
  Elf_Data *names =
      symbols && gelf_getshdr(section, &header)
          ? section_data(elf_getscn(elf, header.sh_link), SHT_STRTAB)
          : NULL;
  if (!names || !names->d_size ||
      ((const char *)names->d_buf)[names->d_size - 1] != '\0')
    return unfit(reason, "its .symtab is damaged");
  if (!functions_take(symtab, object, filter, symbols, names))
    return unfit(reason, "out of memory");
  functions_sort(symtab);
  return SYMTAB_READ;
}

/// The section .symtab; null if there is none.
static Elf_Scn *symtab_section(Elf *elf) {
  Elf_Scn *section = NULL;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
      return section;
  }
  return NULL;
}

/// Whether the object calls MLIR through ir.h, whose functions have the names
/// of the C API and are none of it.
static bool has_imports(Elf *elf) {
  Elf_Scn *section = NULL;
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return false;
  while ((section = elf_nextscn(elf, section))) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header)
                           ? elf_strptr(elf, names, header.sh_name)
                           : NULL;
    if (name && strcmp(name, "mlirplug_imports") == 0)
      return true;
  }
  return false;
}

static enum symtab_outcome file_symtab_read(int descriptor,
                                            const struct mapped *object,
                                            symtab_filter *filter,
                                            struct symtab *symtab,
                                            struct error_buffer *reason) {
  (void)elf_version(EV_CURRENT);
  Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL); // never maps the file
  enum symtab_outcome outcome = SYMTAB_STRIPPED;
  if (!elf || gelf_getclass(elf) != ELFCLASS64) {
    outcome = unfit(reason, "its file is no ELF file");
  } else if (!file_is_mapped(descriptor, elf, object)) {
    outcome = unfit(reason, "its file is not the one in memory; it was "
                            "replaced after it was loaded");
  } else if (has_imports(elf)) {
    outcome = unfit(reason, "it only calls that of others, as plugins do");
  } else {
    Elf_Scn *section = symtab_section(elf);
    if (section)
      outcome = section_read(object, filter, elf, section, symtab, reason);
    else
      error_format(reason, "its file is stripped (no .symtab)");
  }
  elf_end(elf);
  return outcome;
}

enum symtab_outcome symtab_read(const struct mapped *object,
                                symtab_filter *filter, struct symtab **symtab,
                                struct error_buffer *reason) {
  const char *path = object->is_program ? "/proc/self/exe" : object->path;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0 ||
      !S_ISREG(status.st_mode)) {
    error_format(reason, "its file cannot be read: %s",
                 descriptor < 0 ? strerror(errno) : "no regular file");
    if (descriptor >= 0)
      (void)close(descriptor);
    return SYMTAB_UNFIT;
  }
  struct symtab *made = calloc(1, sizeof *made);
  enum symtab_outcome outcome =
      made ? file_symtab_read(descriptor, object, filter, made, reason)
           : unfit(reason, "out of memory");
  (void)close(descriptor);
  if (outcome == SYMTAB_READ)
    *symtab = made;
  else
    symtab_destroy(made);
  return outcome;
}

void symtab_destroy(struct symtab *symtab) {
  if (!symtab)
    return;
  for (size_t i = 0; i < symtab->count; ++i)
    free(symtab->functions[i].name);
  free(symtab->functions);
  free(symtab);
}

void *symtab_find(const struct symtab *symtab, const char *name) {
  struct function wanted = {.name = (char *)name};
  const struct function *found =
      symtab->count ? bsearch(&wanted, symtab->functions, symtab->count,
                              sizeof wanted, function_compare)
                    : NULL;
  return found && !found->is_ambiguous ? found->address : NULL;
}
