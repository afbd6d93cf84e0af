// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/symbol.h"

#include "unit/read_plugin.h"

/// Opens NAME.so, finds the descriptor and not what is not there.
static void expect_found(const char *name, bool has_hash, bool has_gnu_hash) {
  struct bytes file = plugin_bytes(name);
  struct image image;
  struct symbol_table table;
  cr_assert_eq(image_open_memory(name, file.data, file.size, &image, NULL),
               MLIRPLUG_OK);
  cr_assert_eq(symbol_table_open(&image, &table, NULL), MLIRPLUG_OK);
  cr_expect_eq(table.has_hash, has_hash);
  cr_expect_eq(table.has_gnu_hash, has_gnu_hash);
  Elf64_Sym symbol;
  cr_assert(symbol_find(&table, "mlirplug_plugin", &symbol));
  char magic[8];
  cr_assert(image_read(&image, symbol.st_value, magic, sizeof magic));
  cr_expect_arr_eq(magic, "MLIRPLUG", 8);
  cr_expect(!symbol_find(&table, "mlirplug_plugi", &symbol));
  cr_expect(!symbol_find(&table, "", &symbol));
  cr_expect_gt(table.count, 1);
  cr_expect(symbol_get(&table, table.count - 1, &symbol));
  image_close(&image);
  free(file.data);
}

Test(finding_a_symbol, works_with_each_hash_table) {
  expect_found("hash-gnu", false, true);
  expect_found("hash-sysv", true, false);
}

Test(finding_a_symbol, works_without_section_headers) {
  struct bytes file = plugin_bytes("no-sections");
  Elf64_Ehdr header;
  memcpy(&header, file.data, sizeof header);
  cr_assert_eq(header.e_shnum, 0);
  free(file.data);
  mlirplug_plugin_description *description = expect_read("no-sections");
  cr_expect_eq(description->pass_count, 2);
  mlirplug_plugin_description_destroy(description);
}

//===----------------------------------------------------------------------===//
// Tables that are made by hand: addresses are offsets in `memory`.
//===----------------------------------------------------------------------===//

enum { SYMBOLS = 0, STRINGS = 128, HASH = 192, SIZE = 320 };

struct made {
  unsigned char memory[SIZE];
  struct image_segment segment;
  Elf64_Dyn dynamic[4];
  struct image image;
};

static void make(struct made *made, int64_t hash_tag, const uint32_t *hash,
                 size_t hash_size) {
  *made = (struct made){
      .segment = {.file_size = SIZE, .memory_size = SIZE},
      .dynamic = {{DT_SYMTAB, {SYMBOLS}},
                  {DT_STRTAB, {STRINGS}},
                  {DT_STRSZ, {13}},
                  {hash_tag, {HASH}}},
  };
  made->segment.bytes = made->memory;
  made->image = (struct image){.path = "made",
                               .segments = &made->segment,
                               .segment_count = 1,
                               .dynamic = made->dynamic,
                               .dynamic_count = 4};
  const Elf64_Sym symbols[] = {
      {0},
      {.st_name = 1,
       .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
       .st_shndx = 5,
       .st_value = 42},
      {.st_name = 7, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT)},
  };
  memcpy(made->memory + SYMBOLS, symbols, sizeof symbols);
  memcpy(made->memory + STRINGS, "\0first\0other\0", 13);
  memcpy(made->memory + HASH, hash, hash_size);
}

Test(a_hash_table_made_by_hand, finds_what_is_defined) {
  static const uint32_t hash[] = {1, 3, 1, 0, 2, 0};
  struct made made;
  struct symbol_table table;
  Elf64_Sym symbol;
  make(&made, DT_HASH, hash, sizeof hash);
  cr_assert_eq(symbol_table_open(&made.image, &table, NULL), MLIRPLUG_OK);
  cr_expect_eq(table.count, 3);
  cr_assert(symbol_find(&table, "first", &symbol));
  cr_expect_eq(symbol.st_value, 42);
  cr_expect(!symbol_find(&table, "other", &symbol), "it is undefined");
}

Test(a_hash_table_made_by_hand, ends_when_its_chains_do_not, .timeout = 10) {
  static const uint32_t cycle[] = {1, 3, 1, 0, 2, 1};
  static const uint32_t no_buckets[] = {0, 3, 1, 0, 2, 0};
  static const uint32_t wild[] = {1, UINT32_MAX, UINT32_MAX, 0, 2, 0};
  static const uint32_t *const tables[] = {cycle, no_buckets, wild};
  for (size_t i = 0; i < 3; ++i) {
    struct made made;
    struct symbol_table table;
    Elf64_Sym symbol;
    make(&made, DT_HASH, tables[i], sizeof cycle);
    cr_assert_eq(symbol_table_open(&made.image, &table, NULL), MLIRPLUG_OK);
    cr_expect(!symbol_find(&table, "absent", &symbol));
    cr_expect_leq(table.count, SIZE / sizeof(Elf64_Sym));
  }
}

Test(a_gnu_hash_table_made_by_hand, ends_when_its_chains_do_not,
     .timeout = 10) {
  // Buckets, first symbol, bloom words, shift; one bloom word; a bucket; then
  // chains without an end mark.
  static const uint32_t endless[] = {1, 1, 1, 0, 0, 0, 1, 2, 2, 2};
  static const uint32_t huge[] = {UINT32_MAX, 1, UINT32_MAX, 0, 0, 0, 1};
  static const uint32_t before[] = {1, 9, 1, 0, 0, 0, 1, 1};
  static const struct {
    const uint32_t *table;
    size_t size;
    uint64_t count;
  } tables[] = {{endless, sizeof endless, 0},
                {huge, sizeof huge, 0},
                {before, sizeof before, 9}};
  for (size_t i = 0; i < 3; ++i) {
    struct made made;
    struct symbol_table table;
    Elf64_Sym symbol;
    make(&made, DT_GNU_HASH, tables[i].table, tables[i].size);
    cr_assert_eq(symbol_table_open(&made.image, &table, NULL), MLIRPLUG_OK);
    cr_expect(!symbol_find(&table, "absent", &symbol));
    cr_expect_eq(table.count, tables[i].count);
  }
}

Test(a_string_table, gives_no_string_that_does_not_end_in_it) {
  static const uint32_t hash[] = {1, 3, 1, 0, 2, 0};
  struct made made;
  struct symbol_table table;
  make(&made, DT_HASH, hash, sizeof hash);
  made.dynamic[2].d_un.d_val = 12; // without the last NUL
  cr_assert_eq(symbol_table_open(&made.image, &table, NULL), MLIRPLUG_OK);
  cr_expect_str_eq(symbol_string(&table, 1), "first");
  cr_expect_null(symbol_string(&table, 7));
  cr_expect_null(symbol_string(&table, 12));
  cr_expect_null(symbol_string(&table, UINT64_MAX));
  struct error_buffer buffer;
  cr_expect_str_eq(symbol_text(&table, 7, &buffer), "(without a name)");
  made.memory[STRINGS + 2] = 0x1b;
  cr_expect_str_eq(symbol_text(&table, 1, &buffer), "f?rst");
}

Test(a_string_table, is_refused_if_it_lies_outside_the_file) {
  static const uint32_t hash[] = {1, 3, 1, 0, 2, 0};
  struct made made;
  struct symbol_table table;
  mlirplug_error *error = NULL;
  make(&made, DT_HASH, hash, sizeof hash);
  made.dynamic[2].d_un.d_val = SIZE;
  cr_assert_eq(symbol_table_open(&made.image, &table, &error), MLIRPLUG_FAILED);
  expect_error(error, "made", "dynamic symbols is corrupt");
  made.image.dynamic_count = 3;
  error = NULL;
  cr_assert_eq(symbol_table_open(&made.image, &table, &error), MLIRPLUG_FAILED);
  expect_error(error, "made", "no table of dynamic symbols");
}

Test(a_hash_table_made_by_hand, is_not_looked_for_in_zeros, .timeout = 10) {
  // Four thousand million buckets, all of them behind the file.
  static const uint32_t table_in_zeros[] = {UINT32_MAX, 1, 1, 0, 0, 0};
  struct made made;
  struct symbol_table table;
  Elf64_Sym symbol;
  make(&made, DT_GNU_HASH, table_in_zeros, sizeof table_in_zeros);
  made.segment.memory_size = (uint64_t)1 << 60;
  cr_assert_eq(symbol_table_open(&made.image, &table, NULL), MLIRPLUG_OK);
  cr_expect_eq(table.count, 0);
  cr_expect(!symbol_find(&table, "absent", &symbol));
}
