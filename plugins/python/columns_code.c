// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "columns.h"

#include <stdlib.h>

enum { FIRST_SIZE = 64, OUT_OF_MEMORY = -2 };

/// Twice as many slots; half of them, at most, are in use.
static bool grow(struct column_codes *codes) {
  size_t size = codes->size ? 2 * codes->size : FIRST_SIZE;
  const void **keys =
      realloc((void *)codes->keys, size / 2 * sizeof(*codes->keys));
  if (!keys)
    return false;
  codes->keys = keys;
  struct column_slot *slots = calloc(size, sizeof(*slots));
  if (!slots)
    return false;
  free(codes->slots);
  codes->slots = slots;
  codes->size = size;
  for (size_t i = 0; i < codes->count; ++i)
    *column_slot_find(codes, keys[i]) =
        (struct column_slot){keys[i], (int32_t)i};
  return true;
}

int32_t column_code_add(struct column_codes *codes, const void *key) {
  if (codes->count == codes->size / 2 && !grow(codes))
    return OUT_OF_MEMORY;
  *column_slot_find(codes, key) =
      (struct column_slot){key, (int32_t)codes->count};
  codes->keys[codes->count++] = key;
  return (int32_t)codes->count - 1;
}

void column_codes_clear(struct column_codes *codes) {
  free((void *)codes->keys);
  free(codes->slots);
  *codes = (struct column_codes){0};
}
