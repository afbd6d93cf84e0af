// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/symbol.h"

#include "read/refuse.h"

#include <string.h>

#define LONGEST_NAME 4096

static const char rebuild[] = "build or copy the plugin again";

//===----------------------------------------------------------------------===//
// DT_HASH: bucket count, chain count, buckets, chains; 32 bits each.
//===----------------------------------------------------------------------===//

static uint32_t hash_of(const char *name) {
  uint32_t hash = 0;
  for (const char *c = name; *c; ++c) {
    hash = (hash << 4) + (unsigned char)*c;
    uint32_t high = hash & 0xf0000000;
    hash ^= high >> 24;
    hash &= ~high;
  }
  return hash;
}

/// A word of a hash table. It must come from the file: in the zeros behind it a
/// search could go on for ever.
static bool word_read(const struct symbol_table *table, uint64_t start,
                      uint64_t index, uint32_t *word) {
  uint64_t address, room;
  if (__builtin_add_overflow(start, index * sizeof *word, &address))
    return false;
  const unsigned char *bytes = image_bytes(table->image, address, &room);
  if (!bytes || room < sizeof *word)
    return false;
  memcpy(word, bytes, sizeof *word);
  return true;
}

static bool name_matches(const struct symbol_table *table, uint32_t index,
                         const char *name, Elf64_Sym *symbol) {
  if (!symbol_get(table, index, symbol) || !symbol_is_exported(symbol))
    return false;
  const char *its_name = symbol_string(table, symbol->st_name);
  return its_name && strcmp(its_name, name) == 0;
}

static bool hash_find(const struct symbol_table *table, const char *name,
                      Elf64_Sym *symbol) {
  uint32_t bucket_count, index;
  if (!word_read(table, table->hash, 0, &bucket_count) || bucket_count == 0 ||
      !word_read(table, table->hash, 2 + hash_of(name) % bucket_count, &index))
    return false;
  // A chain that is longer than all symbols together is a cycle.
  for (uint64_t step = 0; index != STN_UNDEF && step < table->symbol_room;
       ++step) {
    if (name_matches(table, index, name, symbol))
      return true;
    if (!word_read(table, table->hash, 2 + (uint64_t)bucket_count + index,
                   &index))
      return false;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// DT_GNU_HASH: a header, a bloom filter of 64-bit words, buckets with the index
// of their first symbol, and from `first_symbol` on a hash per symbol whose
// lowest bit ends the bucket.
//===----------------------------------------------------------------------===//

struct gnu_hash {
  uint32_t bucket_count;
  uint32_t first_symbol;
  uint64_t buckets; ///< Addresses.
  uint64_t chains;
};

static bool gnu_hash_open(const struct symbol_table *table,
                          struct gnu_hash *hash) {
  uint32_t bloom_count;
  if (!word_read(table, table->gnu_hash, 0, &hash->bucket_count) ||
      !word_read(table, table->gnu_hash, 1, &hash->first_symbol) ||
      !word_read(table, table->gnu_hash, 2, &bloom_count))
    return false;
  hash->buckets = table->gnu_hash + 16 + (uint64_t)bloom_count * 8;
  hash->chains = hash->buckets + (uint64_t)hash->bucket_count * 4;
  return true;
}

static uint32_t gnu_hash_of(const char *name) {
  uint32_t hash = 5381;
  for (const char *c = name; *c; ++c)
    hash = hash * 33 + (unsigned char)*c;
  return hash;
}

static bool gnu_hash_find(const struct symbol_table *table, const char *name,
                          Elf64_Sym *symbol) {
  struct gnu_hash hash;
  uint32_t wanted = gnu_hash_of(name), index, found = 0;
  if (!gnu_hash_open(table, &hash) || hash.bucket_count == 0 ||
      !word_read(table, hash.buckets, wanted % hash.bucket_count, &index) ||
      index < hash.first_symbol)
    return false;
  for (; !(found & 1); ++index) {
    if (!word_read(table, hash.chains, index - hash.first_symbol, &found))
      return false;
    if ((found | 1) == (wanted | 1) && name_matches(table, index, name, symbol))
      return true;
    if (index == UINT32_MAX)
      return false;
  }
  return false;
}

/// How many symbols there are, which DT_GNU_HASH tells only by its last chain.
static uint64_t gnu_hash_count(const struct symbol_table *table) {
  struct gnu_hash hash;
  if (!gnu_hash_open(table, &hash))
    return 0;
  uint32_t last = 0, first, found = 0;
  for (uint32_t bucket = 0; bucket < hash.bucket_count; ++bucket) {
    if (!word_read(table, hash.buckets, bucket, &first))
      return 0;
    last = first > last ? first : last;
  }
  if (last < hash.first_symbol)
    return hash.first_symbol;
  for (uint64_t index = last;; ++index) {
    if (!word_read(table, hash.chains, index - hash.first_symbol, &found))
      return 0;
    if (found & 1)
      return index + 1;
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

mlirplug_status symbol_table_open(const struct image *image,
                                  struct symbol_table *table,
                                  mlirplug_error **error) {
  struct symbol_table made = {.image = image};
  uint64_t symbols, strings, entry_size = sizeof(Elf64_Sym), room;
  made.has_hash = image_dynamic(image, DT_HASH, &made.hash);
  made.has_gnu_hash = image_dynamic(image, DT_GNU_HASH, &made.gnu_hash);
  if (!image_dynamic(image, DT_SYMTAB, &symbols) ||
      !image_dynamic(image, DT_STRTAB, &strings) ||
      !image_dynamic(image, DT_STRSZ, &made.strings_size) ||
      !(made.has_hash || made.has_gnu_hash))
    return refuse(image->path, "it has no table of dynamic symbols", NULL,
                  "link the plugin with -shared", error);
  (void)image_dynamic(image, DT_SYMENT, &entry_size);
  made.symbols = image_bytes(image, symbols, &room);
  made.symbol_room = made.symbols ? room / sizeof(Elf64_Sym) : 0;
  made.strings = (const char *)image_bytes(image, strings, &room);
  if (entry_size != sizeof(Elf64_Sym) || !made.symbols || !made.strings ||
      made.strings_size > room)
    return refuse(image->path, "its table of dynamic symbols is corrupt", NULL,
                  rebuild, error);
  uint32_t count = 0;
  if (made.has_gnu_hash)
    made.count = gnu_hash_count(&made);
  else if (word_read(&made, made.hash, 1, &count))
    made.count = count;
  if (made.count > made.symbol_room)
    made.count = made.symbol_room;
  *table = made;
  return MLIRPLUG_OK;
}

bool symbol_get(const struct symbol_table *table, uint64_t index,
                Elf64_Sym *symbol) {
  if (index >= table->symbol_room)
    return false;
  memcpy(symbol, table->symbols + index * sizeof *symbol, sizeof *symbol);
  return true;
}

const char *symbol_string(const struct symbol_table *table, uint64_t offset) {
  if (offset >= table->strings_size)
    return NULL;
  uint64_t room = table->strings_size - offset;
  room = room < LONGEST_NAME ? room : LONGEST_NAME;
  const char *string = table->strings + offset;
  return memchr(string, '\0', room) ? string : NULL;
}

const char *symbol_text(const struct symbol_table *table, uint64_t offset,
                        struct error_buffer *buffer) {
  const char *string = symbol_string(table, offset);
  if (!string || !*string)
    return "(without a name)";
  (void)error_format(buffer, "%.200s", string);
  for (char *c = buffer->bytes; *c; ++c)
    if (*c < ' ' || *c > '~')
      *c = '?';
  return buffer->bytes;
}

bool symbol_find(const struct symbol_table *table, const char *name,
                 Elf64_Sym *symbol) {
  Elf64_Sym found;
  bool is_there = table->has_gnu_hash ? gnu_hash_find(table, name, &found)
                                      : hash_find(table, name, &found);
  if (is_there)
    *symbol = found;
  return is_there;
}

bool symbol_is_exported(const Elf64_Sym *symbol) {
  unsigned binding = ELF64_ST_BIND(symbol->st_info);
  unsigned visibility = ELF64_ST_VISIBILITY(symbol->st_other);
  return symbol->st_shndx != SHN_UNDEF && binding != STB_LOCAL &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}
