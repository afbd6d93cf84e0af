// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir_table.h"

#include <stdint.h>
#include <stdlib.h>

static size_t home(const struct ir_table *table, const void *key) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(hash >> 32) & (table->size - 1);
}

static void place(struct ir_table *table, struct ir_slot slot) {
  size_t index = home(table, slot.key);
  while (table->slots[index].key)
    index = (index + 1) & (table->size - 1);
  table->slots[index] = slot;
}

static bool table_resize(struct ir_table *table, size_t size) {
  struct ir_table larger = {calloc(size, sizeof(*larger.slots)), size,
                            table->count};
  if (!larger.slots)
    return false;
  for (size_t i = 0; i < table->size; ++i)
    if (table->slots[i].key)
      place(&larger, table->slots[i]);
  free(table->slots);
  *table = larger;
  return true;
}

bool ir_table_insert(struct ir_table *table, const void *key,
                     struct ir_handle *handle) {
  if (2 * (table->count + 1) > table->size &&
      !table_resize(table, table->size ? 2 * table->size : 16))
    return false;
  place(table, (struct ir_slot){key, handle});
  ++table->count;
  return true;
}

struct ir_slot *ir_table_find(const struct ir_table *table, const void *key) {
  if (!table->count)
    return NULL;
  for (size_t index = home(table, key); table->slots[index].key;
       index = (index + 1) & (table->size - 1))
    if (table->slots[index].key == key)
      return &table->slots[index];
  return NULL;
}

/// Moves up what stands behind, so that no search ends too early.
void ir_table_remove(struct ir_table *table, struct ir_slot *slot) {
  size_t mask = table->size - 1;
  size_t hole = (size_t)(slot - table->slots);
  for (size_t index = (hole + 1) & mask; table->slots[index].key;
       index = (index + 1) & mask) {
    size_t distance = (index - home(table, table->slots[index].key)) & mask;
    if (distance >= ((index - hole) & mask)) {
      table->slots[hole] = table->slots[index];
      hole = index;
    }
  }
  table->slots[hole] = (struct ir_slot){NULL, NULL};
  --table->count;
}

void ir_table_clear(struct ir_table *table) {
  free(table->slots);
  *table = (struct ir_table){0};
}
