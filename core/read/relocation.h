// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pointers in an image will point. In the file a pointer is a slot of
// eight bytes that a relocation fills when the object is loaded. What can be
// told beforehand: RELATIVE and RELR (a place in the object itself) and the
// absolute address of a symbol that the object defines.

#ifndef MLIRPLUG_READ_RELOCATION_H
#define MLIRPLUG_READ_RELOCATION_H

#include "read/symbol.h"

struct relocation {
  uint64_t slot;
  uint64_t addend;
  uint32_t type;
  uint32_t symbol;
};

/// All relocations, sorted by slot. Borrows from the image; the entries are
/// freed by relocation_table_close. Reading is fine on any thread.
struct relocation_table {
  const struct symbol_table *symbols;
  struct relocation *entries;
  size_t count;
  size_t capacity;
};

/// On failure `table` is closed.
mlirplug_status relocation_table_open(const struct symbol_table *symbols,
                                      struct relocation_table *table,
                                      mlirplug_error **error);

void relocation_table_close(struct relocation_table *table);

/// A pointer as it will be in the loaded object.
struct pointer {
  bool is_null;
  bool is_elsewhere; ///< In another library, so that it cannot be followed.
  uint64_t address;
};

/// Follows the pointer at `slot`. Returns null and fills `pointer`, or returns
/// why it cannot be known, a text in `reason`.
const char *relocation_follow(const struct relocation_table *table,
                              uint64_t slot, struct pointer *pointer,
                              struct error_buffer *reason);

#endif // MLIRPLUG_READ_RELOCATION_H
