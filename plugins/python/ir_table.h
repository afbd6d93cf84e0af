// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table from pointers to objects.

#ifndef MLIRPLUG_PYTHON_IR_TABLE_H
#define MLIRPLUG_PYTHON_IR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct ir_handle;

/// Open addressing. Zero bytes are an empty one.
struct ir_table {
  struct ir_slot {
    const void *key;
    struct ir_handle *handle;
  } *slots;
  size_t size; ///< A power of two, or 0.
  size_t count;
};

/// False if memory runs out. `key` is not in it yet.
bool ir_table_insert(struct ir_table *table, const void *key,
                     struct ir_handle *handle);
/// Null if `key` is not there.
struct ir_slot *ir_table_find(const struct ir_table *table, const void *key);
void ir_table_remove(struct ir_table *table, struct ir_slot *slot);
void ir_table_clear(struct ir_table *table);

#endif // MLIRPLUG_PYTHON_IR_TABLE_H
