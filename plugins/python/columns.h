// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to know of each operation in a tree, as columns of numbers:
// one row for each operation, outermost first.
//
// columns.c        the walk, and mlirplug._mlirplug.columns, which columns.py
//                  makes arrays of
// columns_fill.c   the cells of one operation
// columns_code.c   numbers for names, files and attributes
// columns_value.c  these as Python objects
//
// Conventions are those of ir.h. Nothing here runs Python code until the walk
// is over, so the IR stays as it is.

#ifndef MLIRPLUG_PYTHON_COLUMNS_H
#define MLIRPLUG_PYTHON_COLUMNS_H

#include "host.h"
#include "ir_object.h"

//===----------------------------------------------------------------------===//
// Codes
//===----------------------------------------------------------------------===//

/// Numbers for pointers, in the order in which they are met: MLIR keeps one
/// copy of each identifier and attribute.
struct column_codes {
  const void **keys; ///< By code.
  size_t count;
  struct column_slot {
    const void *key; ///< Null if it is free.
    int32_t code;
  } *slots;
  size_t size; ///< A power of two, or 0.
};

/// The slot of `key`, or the free one for it; there must be slots.
static inline struct column_slot *
column_slot_find(const struct column_codes *codes, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  size_t index = (size_t)(hash >> 32) & (codes->size - 1);
  while (codes->slots[index].key && codes->slots[index].key != key)
    index = (index + 1) & (codes->size - 1);
  return &codes->slots[index];
}

/// Gives `key`, which is new, a code.
int32_t column_code_add(struct column_codes *codes, const void *key);

/// The code of `key`; -1 for null. Out of memory is told by -2.
static inline int32_t column_code(struct column_codes *codes, const void *key) {
  if (!key)
    return -1;
  struct column_slot *slot = codes->size ? column_slot_find(codes, key) : NULL;
  return slot && slot->key ? slot->code : column_code_add(codes, key);
}
void column_codes_clear(struct column_codes *codes);

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

enum column {
  COLUMN_NAME,
  COLUMN_PARENT,
  COLUMN_OPERANDS,
  COLUMN_RESULTS,
  COLUMN_FILE,
  COLUMN_LINE,
  COLUMN_COLUMN,
  COLUMN_COUNT ///< Those of attributes begin here.
};

struct columns {
  const struct ir_api *api;
  bool has_location;
  const MlirStringRef *attributes; ///< Their names.
  size_t attribute_count;
  PyObject **arrays; ///< A bytearray for each column; null if it is left out.
  int32_t **cells;   ///< What is in them.
  size_t capacity;   ///< Of each, in rows.
  size_t count;      ///< Rows.
  struct column_codes names, files;
  struct column_codes *values; ///< For each attribute.
};

/// Adds the row of `operation`, whose parent has the row `parent` (-1: none).
int columns_fill(struct columns *columns, MlirOperation operation,
                 int32_t parent);

/// Lists of what codes stand for.
PyObject *column_identifiers(const struct ir_api *api,
                             const struct column_codes *codes);
PyObject *column_values(const struct ir_api *api,
                        const struct column_codes *codes);

/// mlirplug._mlirplug.columns(operation, attributes, location): a list of a
/// tuple of the bytearrays (in the order of enum column; None for those left
/// out), and lists of what codes stand for: names, files, and values for each
/// attribute.
PyObject *columns_make(PyObject *module, PyObject *arguments);

#endif // MLIRPLUG_PYTHON_COLUMNS_H
