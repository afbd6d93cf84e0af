// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dynamic symbols of an image, found by name as the system's loader does.

#ifndef MLIRPLUG_READ_SYMBOL_H
#define MLIRPLUG_READ_SYMBOL_H

#include "read/image.h"

/// Borrows from the image.
struct symbol_table {
  const struct image *image;
  const unsigned char *symbols; ///< Not aligned.
  uint64_t symbol_room;         ///< Symbols that lie in the file from there on.
  const char *strings;
  uint64_t strings_size;
  uint64_t hash;     ///< Address of DT_HASH's table,
  uint64_t gnu_hash; ///< and of DT_GNU_HASH's.
  bool has_hash;
  bool has_gnu_hash;
  uint64_t count; ///< Of all symbols, as the hash tables tell.
};

mlirplug_status symbol_table_open(const struct image *image,
                                  struct symbol_table *table,
                                  mlirplug_error **error);

/// The symbol at `index`; false if it lies outside the file.
bool symbol_get(const struct symbol_table *table, uint64_t index,
                Elf64_Sym *symbol);

/// A string of the dynamic string table; null if it does not end in it or is
/// longer than any sensible name.
const char *symbol_string(const struct symbol_table *table, uint64_t offset);

/// The same for messages: never null, and fit to be shown.
const char *symbol_text(const struct symbol_table *table, uint64_t offset,
                        struct error_buffer *buffer);

/// The defined symbol called `name`; false if there is none.
bool symbol_find(const struct symbol_table *table, const char *name,
                 Elf64_Sym *symbol);

/// Whether `symbol` is one that other objects can use.
bool symbol_is_exported(const Elf64_Sym *symbol);

#endif // MLIRPLUG_READ_SYMBOL_H
