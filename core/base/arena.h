// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that is freed all at once. Zero bytes are an empty arena. One thread
// at a time. Every function returns null when memory runs out.

#ifndef MLIRPLUG_BASE_ARENA_H
#define MLIRPLUG_BASE_ARENA_H

#include <stddef.h>

struct arena {
  struct arena_block *blocks; ///< The newest first.
};

/// `size` zeroed bytes, aligned for any type.
void *arena_allocate(struct arena *arena, size_t size);

/// `count` zeroed elements of `size` bytes.
void *arena_array(struct arena *arena, size_t count, size_t size);

/// An array of pointers to `count` zeroed elements of `size` bytes, which lie
/// side by side.
void *arena_pointers(struct arena *arena, size_t count, size_t size);

char *arena_copy_bytes(struct arena *arena, const char *bytes, size_t length);
char *arena_copy(struct arena *arena, const char *string);

/// Frees everything; the arena is empty and usable afterwards.
void arena_release(struct arena *arena);

#endif // MLIRPLUG_BASE_ARENA_H
