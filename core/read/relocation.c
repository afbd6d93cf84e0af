// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/relocation.h"

#include "read/refuse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// RELR packs 63 relocations into eight bytes, so the file's size is no bound.
// The whole of MLIR in one object has about a million.
#define MOST_RELOCATIONS ((size_t)1 << 22)

#define SLOT_SIZE ((uint64_t)8)

#ifndef DT_RELR // glibc before 2.36
#define DT_RELRSZ 35
#define DT_RELR 36
#define DT_RELRENT 37
#endif

#if defined(__x86_64__)
#define TYPE_NONE R_X86_64_NONE
#define TYPE_RELATIVE R_X86_64_RELATIVE
#define TYPE_ABSOLUTE R_X86_64_64
#elif defined(__aarch64__)
#define TYPE_NONE R_AARCH64_NONE
#define TYPE_RELATIVE R_AARCH64_RELATIVE
#define TYPE_ABSOLUTE R_AARCH64_ABS64
#else
#error "add this machine here and in header.c"
#endif

static const char *type_name(uint32_t type, struct error_buffer *buffer) {
#define TYPE(name)                                                             \
  case name:                                                                   \
    return #name
  switch (type) {
#if defined(__x86_64__)
    TYPE(R_X86_64_64);
    TYPE(R_X86_64_PC32);
    TYPE(R_X86_64_COPY);
    TYPE(R_X86_64_GLOB_DAT);
    TYPE(R_X86_64_JUMP_SLOT);
    TYPE(R_X86_64_RELATIVE);
    TYPE(R_X86_64_32);
    TYPE(R_X86_64_DTPMOD64);
    TYPE(R_X86_64_DTPOFF64);
    TYPE(R_X86_64_TPOFF64);
    TYPE(R_X86_64_PC64);
    TYPE(R_X86_64_SIZE64);
    TYPE(R_X86_64_TLSDESC);
    TYPE(R_X86_64_IRELATIVE);
#else
    TYPE(R_AARCH64_ABS64);
    TYPE(R_AARCH64_COPY);
    TYPE(R_AARCH64_GLOB_DAT);
    TYPE(R_AARCH64_JUMP_SLOT);
    TYPE(R_AARCH64_RELATIVE);
    TYPE(R_AARCH64_TLS_DTPMOD);
    TYPE(R_AARCH64_TLS_DTPREL);
    TYPE(R_AARCH64_TLS_TPREL);
    TYPE(R_AARCH64_TLSDESC);
    TYPE(R_AARCH64_IRELATIVE);
#endif
  default:
    return error_format(buffer, "relocation type %" PRIu32, type);
  }
#undef TYPE
}

//===----------------------------------------------------------------------===//
// Reading the tables
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_table(const struct image *image, const char *name,
                                    mlirplug_error **error) {
  return refuse(image->path,
                error_text("its table of relocations %s is corrupt", name),
                NULL, "build or copy the plugin again", error);
}

static mlirplug_status relocation_add(struct relocation_table *table,
                                      struct relocation added,
                                      mlirplug_error **error) {
  if (table->count == table->capacity) {
    if (table->count == MOST_RELOCATIONS)
      return refuse(
          table->symbols->image->path,
          error_text("it has more than %zu relocations", MOST_RELOCATIONS),
          NULL, "plugins do not link MLIR or LLVM into themselves", error);
    size_t capacity = table->capacity ? table->capacity * 2 : 64;
    struct relocation *entries =
        realloc(table->entries, capacity * sizeof *entries);
    if (!entries)
      return error_set_memory(error);
    table->entries = entries;
    table->capacity = capacity;
  }
  table->entries[table->count++] = added;
  return MLIRPLUG_OK;
}

/// The bytes of the table at the dynamic entry `tag`, `size` of them.
static const unsigned char *table_bytes(const struct image *image, int64_t tag,
                                        uint64_t size) {
  uint64_t address, room;
  const unsigned char *bytes = NULL;
  if (image_dynamic(image, tag, &address))
    bytes = image_bytes(image, address, &room);
  return bytes && size <= room ? bytes : NULL;
}

/// DT_RELA and, of the same form, DT_JMPREL.
static mlirplug_status rela_read(struct relocation_table *table, int64_t tag,
                                 int64_t size_tag, const char *name,
                                 mlirplug_error **error) {
  const struct image *image = table->symbols->image;
  uint64_t size = 0, entry_size = sizeof(Elf64_Rela);
  (void)image_dynamic(image, size_tag, &size);
  (void)image_dynamic(image, DT_RELAENT, &entry_size);
  if (size == 0)
    return MLIRPLUG_OK;
  const unsigned char *bytes = table_bytes(image, tag, size);
  if (!bytes || entry_size != sizeof(Elf64_Rela) || size % entry_size != 0)
    return refuse_table(image, name, error);
  for (uint64_t at = 0; at < size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela entry;
    memcpy(&entry, bytes + at, sizeof entry);
    struct relocation added = {
        .slot = entry.r_offset,
        .addend = (uint64_t)entry.r_addend,
        .type = (uint32_t)ELF64_R_TYPE(entry.r_info),
        .symbol = (uint32_t)ELF64_R_SYM(entry.r_info),
    };
    if (added.type != TYPE_NONE &&
        relocation_add(table, added, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  return MLIRPLUG_OK;
}

/// One slot of DT_RELR, whose addend lies in the slot itself.
static mlirplug_status relr_add(struct relocation_table *table, uint64_t slot,
                                mlirplug_error **error) {
  const struct image *image = table->symbols->image;
  struct relocation added = {.slot = slot, .type = TYPE_RELATIVE};
  if (!image_read(image, slot, &added.addend, sizeof added.addend))
    return refuse_table(image, "DT_RELR", error);
  return relocation_add(table, added, error);
}

/// DT_RELR: an even entry is a slot; an odd one says with its other 63 bits
/// which of the slots behind the last one are meant.
static mlirplug_status relr_read(struct relocation_table *table,
                                 mlirplug_error **error) {
  const struct image *image = table->symbols->image;
  uint64_t size = 0, entry_size = sizeof(uint64_t), next = 0;
  (void)image_dynamic(image, DT_RELRSZ, &size);
  (void)image_dynamic(image, DT_RELRENT, &entry_size);
  if (size == 0)
    return MLIRPLUG_OK;
  const unsigned char *bytes = table_bytes(image, DT_RELR, size);
  if (!bytes || entry_size != sizeof(uint64_t) || size % entry_size != 0)
    return refuse_table(image, "DT_RELR", error);
  for (uint64_t at = 0; at < size; at += sizeof(uint64_t)) {
    uint64_t entry;
    memcpy(&entry, bytes + at, sizeof entry);
    if (!(entry & 1)) {
      if (relr_add(table, entry, error) != MLIRPLUG_OK)
        return MLIRPLUG_FAILED;
      next = entry + SLOT_SIZE;
      continue;
    }
    uint64_t slot = next;
    for (uint64_t bits = entry >> 1; bits; bits >>= 1, slot += SLOT_SIZE)
      if ((bits & 1) && relr_add(table, slot, error) != MLIRPLUG_OK)
        return MLIRPLUG_FAILED;
    next += 63 * SLOT_SIZE;
  }
  return MLIRPLUG_OK;
}

static int compare_slots(const void *left, const void *right) {
  uint64_t a = ((const struct relocation *)left)->slot;
  uint64_t b = ((const struct relocation *)right)->slot;
  return (a > b) - (a < b);
}

mlirplug_status relocation_table_open(const struct symbol_table *symbols,
                                      struct relocation_table *table,
                                      mlirplug_error **error) {
  const struct image *image = symbols->image;
  *table = (struct relocation_table){.symbols = symbols};
  uint64_t unused, plt_form = DT_RELA;
  (void)image_dynamic(image, DT_PLTREL, &plt_form);
  if (image_dynamic(image, DT_REL, &unused) || plt_form == DT_REL)
    return refuse(image->path, "it has relocations of the form DT_REL",
                  "DT_RELA or DT_RELR, the forms of this machine",
                  "build the plugin with an ordinary linker", error);
  if (relr_read(table, error) != MLIRPLUG_OK ||
      rela_read(table, DT_RELA, DT_RELASZ, "DT_RELA", error) != MLIRPLUG_OK ||
      rela_read(table, DT_JMPREL, DT_PLTRELSZ, "DT_JMPREL", error) !=
          MLIRPLUG_OK) {
    relocation_table_close(table);
    return MLIRPLUG_FAILED;
  }
  if (table->count)
    qsort(table->entries, table->count, sizeof *table->entries, compare_slots);
  return MLIRPLUG_OK;
}

void relocation_table_close(struct relocation_table *table) {
  free(table->entries);
  *table = (struct relocation_table){0};
}

//===----------------------------------------------------------------------===//
// Following a pointer
//===----------------------------------------------------------------------===//

/// The index of the first relocation that writes behind `slot`'s first byte.
static size_t first_near(const struct relocation_table *table, uint64_t slot) {
  uint64_t lowest = slot < SLOT_SIZE ? 0 : slot - (SLOT_SIZE - 1);
  size_t low = 0, high = table->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (table->entries[middle].slot < lowest)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static const char *symbol_follow(const struct relocation_table *table,
                                 const struct relocation *relocation,
                                 struct pointer *pointer,
                                 struct error_buffer *reason) {
  struct error_buffer buffer;
  const char *type = type_name(relocation->type, &buffer);
  Elf64_Sym symbol;
  if (!symbol_get(table->symbols, relocation->symbol, &symbol))
    return error_format(reason, "%s against a symbol that does not exist",
                        type);
  struct error_buffer name_buffer;
  const char *name = symbol_text(table->symbols, symbol.st_name, &name_buffer);
  if (relocation->type != TYPE_ABSOLUTE)
    return error_format(reason, "%s against symbol %s", type, name);
  if (symbol.st_shndx == SHN_UNDEF) {
    pointer->is_elsewhere = true;
    return error_format(reason, "'%s' of another library (%s)", name, type);
  }
  unsigned kind = ELF64_ST_TYPE(symbol.st_info);
  if (symbol.st_shndx == SHN_ABS || kind == STT_TLS || kind == STT_GNU_IFUNC)
    return error_format(
        reason, "%s against symbol %s, which has no fixed address", type, name);
  *pointer = (struct pointer){.address = symbol.st_value + relocation->addend};
  return NULL;
}

const char *relocation_follow(const struct relocation_table *table,
                              uint64_t slot, struct pointer *pointer,
                              struct error_buffer *reason) {
  *pointer = (struct pointer){0};
  size_t index = first_near(table, slot);
  bool is_near =
      index < table->count &&
      table->entries[index].slot - slot + SLOT_SIZE - 1 < 2 * SLOT_SIZE - 1;
  if (!is_near) {
    uint64_t content;
    if (!image_read(table->symbols->image, slot, &content, sizeof content))
      return "it lies outside the file";
    if (content != 0)
      return error_format(
          reason, "the number 0x%" PRIx64 " without a relocation", content);
    *pointer = (struct pointer){.is_null = true};
    return NULL;
  }
  const struct relocation *found = &table->entries[index];
  bool is_alone = index + 1 == table->count ||
                  table->entries[index + 1].slot - slot >= SLOT_SIZE;
  if (found->slot != slot || !is_alone)
    return "several relocations overlap there";
  if (found->type != TYPE_RELATIVE)
    return symbol_follow(table, found, pointer, reason);
  *pointer = (struct pointer){.address = found->addend};
  return NULL;
}
