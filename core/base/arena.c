// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)4096)
#define ALIGNMENT alignof(max_align_t)

struct arena_block {
  struct arena_block *next;
  size_t used;
  size_t capacity;
  alignas(max_align_t) unsigned char bytes[];
};

static struct arena_block *block_create(size_t capacity) {
  if (capacity > SIZE_MAX - sizeof(struct arena_block))
    return NULL;
  struct arena_block *block = calloc(1, sizeof *block + capacity);
  if (block)
    block->capacity = capacity;
  return block;
}

void *arena_allocate(struct arena *arena, size_t size) {
  if (size > SIZE_MAX - ALIGNMENT)
    return NULL;
  // At least one byte, so that two allocations never have one address.
  size_t taken =
      size ? (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : ALIGNMENT;
  struct arena_block *block = arena->blocks;
  if (!block || block->capacity - block->used < taken) {
    block = block_create(taken > BLOCK_SIZE ? taken : BLOCK_SIZE);
    if (!block)
      return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
  }
  void *memory = block->bytes + block->used;
  block->used += taken;
  return memory;
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    return NULL;
  return arena_allocate(arena, bytes);
}

void *arena_pointers(struct arena *arena, size_t count, size_t size) {
  // The caller reads them as pointers to its own type.
  typedef void *__attribute__((may_alias)) any_pointer;
  any_pointer *pointers = arena_array(arena, count, sizeof *pointers);
  char *elements = arena_array(arena, count, size);
  if (!pointers || !elements)
    return NULL;
  for (size_t i = 0; i < count; ++i)
    pointers[i] = elements + i * size;
  return pointers;
}

char *arena_copy_bytes(struct arena *arena, const char *bytes, size_t length) {
  char *copy = length < SIZE_MAX ? arena_allocate(arena, length + 1) : NULL;
  if (copy && length)
    memcpy(copy, bytes, length);
  return copy;
}

char *arena_copy(struct arena *arena, const char *string) {
  return arena_copy_bytes(arena, string, strlen(string));
}

void arena_release(struct arena *arena) {
  for (struct arena_block *block = arena->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  arena->blocks = NULL;
}
