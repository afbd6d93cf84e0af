// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/table.h"

#include <stdlib.h>

/// The upper half of the hash, of which the lower half chose the slot.
struct table_slot {
  uint32_t hash;
  uint32_t number; // plus 1; 0 where the slot is free
};

bool table_create(struct table *table, size_t count) {
  // At most half full, so that a search soon meets a free slot.
  size_t capacity = 2;
  while (capacity < 2 * count)
    capacity *= 2;
  struct table_slot *slots = calloc(capacity, sizeof *slots);
  if (!slots)
    return false;
  *table = (struct table){slots, capacity - 1};
  return true;
}

void table_release(struct table *table) {
  free(table->slots);
  *table = (struct table){0};
}

void table_add(struct table *table, uint64_t hash, uint32_t number) {
  size_t place = hash & table->mask;
  while (table->slots[place].number)
    place = (place + 1) & table->mask;
  table->slots[place] = (struct table_slot){(uint32_t)(hash >> 32), number + 1};
}

bool table_next(const struct table *table, uint64_t hash, size_t *at,
                uint32_t *number) {
  if (!table->slots)
    return false;
  for (;;) {
    const struct table_slot *slot =
        &table->slots[(hash + (*at)++) & table->mask];
    if (!slot->number)
      return false;
    if (slot->hash == (uint32_t)(hash >> 32)) {
      *number = slot->number - 1;
      return true;
    }
  }
}
