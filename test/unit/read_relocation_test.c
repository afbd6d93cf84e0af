// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/relocation.h"

#include "unit/read_plugin.h"

#ifdef __x86_64__
#define RELATIVE R_X86_64_RELATIVE
#define ABSOLUTE R_X86_64_64
#define ABSOLUTE_NAME "R_X86_64_64"
#define TABLE_SLOT R_X86_64_GLOB_DAT
#define TABLE_SLOT_NAME "R_X86_64_GLOB_DAT"
#else
#define RELATIVE R_AARCH64_RELATIVE
#define ABSOLUTE R_AARCH64_ABS64
#define ABSOLUTE_NAME "R_AARCH64_ABS64"
#define TABLE_SLOT R_AARCH64_GLOB_DAT
#define TABLE_SLOT_NAME "R_AARCH64_GLOB_DAT"
#endif

//===----------------------------------------------------------------------===//
// An image made by hand: addresses are offsets in `memory`.
//===----------------------------------------------------------------------===//

enum { SLOTS = 0, SYMBOLS = 1024, STRINGS = 1280, TABLE = 1408, SIZE = 2048 };

struct made {
  unsigned char memory[SIZE];
  struct image_segment segment;
  Elf64_Dyn dynamic[4];
  struct image image;
  struct symbol_table symbols;
};

static void make(struct made *made, int64_t tag, int64_t size_tag,
                 const void *table, size_t size) {
  *made = (struct made){
      .segment = {.file_size = SIZE, .memory_size = SIZE},
      .dynamic = {{tag, {TABLE}}, {size_tag, {size}}},
  };
  made->segment.bytes = made->memory;
  made->image = (struct image){.path = "made",
                               .segments = &made->segment,
                               .segment_count = 1,
                               .dynamic = made->dynamic,
                               .dynamic_count = 2};
  const Elf64_Sym symbols[] = {
      {0},
      {.st_name = 1, .st_shndx = 5, .st_value = 0x500},
      {.st_name = 7, .st_shndx = SHN_UNDEF},
      {.st_name = 1,
       .st_shndx = 5,
       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_GNU_IFUNC)},
  };
  memcpy(made->memory + SYMBOLS, symbols, sizeof symbols);
  memcpy(made->memory + STRINGS, "\0inner\0outer\0", 13);
  if (size)
    memcpy(made->memory + TABLE, table, size);
  made->symbols =
      (struct symbol_table){.image = &made->image,
                            .symbols = made->memory + SYMBOLS,
                            .symbol_room = sizeof symbols / sizeof *symbols,
                            .strings = (const char *)made->memory + STRINGS,
                            .strings_size = 13};
}

static void expect_address(const struct relocation_table *table, uint64_t slot,
                           uint64_t address) {
  struct pointer pointer = {0};
  struct error_buffer buffer;
  const char *reason = relocation_follow(table, slot, &pointer, &buffer);
  cr_assert_null(reason, "slot %lu: %s", slot, reason);
  cr_expect(!pointer.is_null);
  cr_expect_eq(pointer.address, address, "slot %lu", slot);
}

static void expect_reason(const struct relocation_table *table, uint64_t slot,
                          const char *part) {
  struct pointer pointer = {0};
  struct error_buffer buffer;
  const char *reason = relocation_follow(table, slot, &pointer, &buffer);
  cr_assert_not_null(reason, "slot %lu was followed", slot);
  cr_expect_not_null(strstr(reason, part), "slot %lu: %s", slot, reason);
}

static const Elf64_Rela entries[] = {
    {64, ELF64_R_INFO(2, ABSOLUTE), 0},  {0, ELF64_R_INFO(0, RELATIVE), 0x123},
    {8, ELF64_R_INFO(1, ABSOLUTE), 4},   {32, ELF64_R_INFO(1, TABLE_SLOT), 0},
    {40, ELF64_R_INFO(99, ABSOLUTE), 0}, {48, ELF64_R_INFO(3, ABSOLUTE), 0},
    {56, ELF64_R_INFO(1, 999), 0},       {100, ELF64_R_INFO(0, RELATIVE), 1},
    {104, ELF64_R_INFO(0, RELATIVE), 2}, {200, ELF64_R_INFO(0, RELATIVE), 3},
    {200, ELF64_R_INFO(0, RELATIVE), 4},
};

Test(a_pointer, is_followed_or_refused_by_the_name_of_its_relocation) {
  struct made made;
  struct relocation_table table;
  make(&made, DT_RELA, DT_RELASZ, entries, sizeof entries);
  cr_assert_eq(relocation_table_open(&made.symbols, &table, NULL), MLIRPLUG_OK);
  expect_address(&table, 0, 0x123);
  expect_address(&table, 8, 0x504);
  expect_reason(&table, 64, "'outer' of another library (" ABSOLUTE_NAME ")");
  expect_reason(&table, 32, TABLE_SLOT_NAME " against symbol inner");
  expect_reason(&table, 40, "a symbol that does not exist");
  expect_reason(&table, 48, "no fixed address");
  expect_reason(&table, 56, "relocation type 999 against symbol inner");
  expect_reason(&table, 96, "overlap");
  expect_reason(&table, 100, "overlap");
  expect_reason(&table, 104, "overlap");
  expect_reason(&table, 200, "overlap");
  expect_reason(&table, 196, "overlap");
  relocation_table_close(&table);
}

Test(a_pointer, is_null_when_nothing_fills_it) {
  struct made made;
  struct relocation_table table;
  make(&made, DT_RELA, DT_RELASZ, entries, sizeof entries);
  cr_assert_eq(relocation_table_open(&made.symbols, &table, NULL), MLIRPLUG_OK);
  struct pointer pointer = {0};
  struct error_buffer buffer;
  cr_expect_null(relocation_follow(&table, 16, &pointer, &buffer));
  cr_expect(pointer.is_null);
  relocation_table_close(&table);
}

Test(a_pointer, is_refused_when_it_is_a_plain_number) {
  struct made made;
  struct relocation_table table;
  make(&made, DT_RELA, DT_RELASZ, NULL, 0);
  made.memory[16] = 0x34;
  made.memory[17] = 0x12;
  cr_assert_eq(relocation_table_open(&made.symbols, &table, NULL), MLIRPLUG_OK);
  expect_reason(&table, 16, "the number 0x1234 without a relocation");
  expect_reason(&table, SIZE - 4, "outside the file");
  expect_reason(&table, UINT64_MAX - 3, "outside the file");
  relocation_table_close(&table);
}

Test(packed_relative_relocations, fill_the_slots_that_their_bits_say) {
  // A slot; the first, third and last of the 63 behind it; then the 64th.
  static const uint64_t packed[] = {
      8, 1 | 1u << 1 | 1u << 3 | (uint64_t)1 << 63, 1 | 1u << 1};
  struct made made;
  struct relocation_table table;
  make(&made, DT_RELR, DT_RELRSZ, packed, sizeof packed);
  for (uint64_t slot = 0; slot < SYMBOLS; slot += 8) {
    uint64_t addend = 0x1000 + slot;
    memcpy(made.memory + slot, &addend, sizeof addend);
  }
  cr_assert_eq(relocation_table_open(&made.symbols, &table, NULL), MLIRPLUG_OK);
  cr_expect_eq(table.count, 5);
  static const uint64_t slots[] = {8, 16, 32, 8 + 63 * 8, 8 + 64 * 8};
  for (size_t i = 0; i < 5; ++i)
    expect_address(&table, slots[i], 0x1000 + slots[i]);
  expect_reason(&table, 24, "without a relocation");
  relocation_table_close(&table);
}

static void expect_table_refused(struct made *made, const char *part) {
  struct relocation_table table;
  mlirplug_error *error = NULL;
  cr_assert_eq(relocation_table_open(&made->symbols, &table, &error),
               MLIRPLUG_FAILED);
  expect_error(error, "made", part);
  cr_expect_null(table.entries);
}

Test(a_relocation_table, is_refused_when_it_is_corrupt) {
  struct made made;
  make(&made, DT_RELA, DT_RELASZ, entries, sizeof entries);
  made.dynamic[1].d_un.d_val = 25;
  expect_table_refused(&made, "DT_RELA is corrupt");
  made.dynamic[1].d_un.d_val = SIZE;
  expect_table_refused(&made, "DT_RELA is corrupt");
  made.dynamic[1].d_un.d_val = 24 * (UINT64_MAX / 24);
  expect_table_refused(&made, "DT_RELA is corrupt");
  made.dynamic[1].d_un.d_val = 24;
  made.dynamic[2] = (Elf64_Dyn){DT_RELAENT, {16}};
  made.image.dynamic_count = 3;
  expect_table_refused(&made, "DT_RELA is corrupt");

  static const uint64_t outside[] = {SIZE - 4};
  make(&made, DT_RELR, DT_RELRSZ, outside, sizeof outside);
  expect_table_refused(&made, "DT_RELR is corrupt");
}

Test(a_relocation_table, is_refused_when_it_has_another_form) {
  struct made made;
  make(&made, DT_REL, DT_RELSZ, entries, 16);
  expect_table_refused(&made, "the form DT_REL");
  make(&made, DT_PLTREL, DT_NULL, entries, 0);
  made.dynamic[0].d_un.d_val = DT_REL;
  expect_table_refused(&made, "the form DT_REL");
}

Test(a_relocation_table, is_refused_when_it_unpacks_to_too_much,
     .timeout = 60) {
  // 600 kB that stand for five million slots in a segment that is mostly zero.
  const size_t count = 80000, size = count * sizeof(uint64_t);
  struct made made;
  make(&made, DT_RELR, DT_RELRSZ, NULL, 0);
  uint64_t *packed = malloc(size);
  packed[0] = 0;
  for (size_t i = 1; i < count; ++i)
    packed[i] = UINT64_MAX;
  made.segment = (struct image_segment){.file_size = size,
                                        .memory_size = (uint64_t)1 << 40,
                                        .bytes = (unsigned char *)packed};
  made.dynamic[0].d_un.d_val = 0;
  made.dynamic[1].d_un.d_val = size;
  expect_table_refused(&made, "more than 4194304 relocations");
  free(packed);
}

Test(a_plugin, is_read_with_each_form_of_relocation) {
  static const char *const names[] = {"good", "relr", "other-file"};
  for (size_t i = 0; i < 3; ++i) {
    mlirplug_plugin_description *description = expect_read(names[i]);
    cr_assert_eq(description->pass_count, 2);
    cr_expect_str_eq(description->passes[0]->name,
                     i == 2 ? "other-pass" : "first-pass");
    cr_expect_str_eq(description->passes[1]->name, "second-pass");
    mlirplug_plugin_description_destroy(description);
  }
}
