// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a loaded object, for checking that a pointer lies in it.

#ifndef MLIRPLUG_BASE_SEGMENTS_H
#define MLIRPLUG_BASE_SEGMENTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

#define SEGMENTS_AT_MOST 32

struct segments {
  struct {
    uintptr_t begin;
    uintptr_t end;
    ElfW(Word) flags; ///< PF_R, PF_W, PF_X
  } items[SEGMENTS_AT_MOST];
  size_t count;
};

/// The segments of the object behind a handle from dlopen. A part that is made
/// read-only after relocation counts as read-only. False if it has none, or
/// more than SEGMENTS_AT_MOST.
bool segments_find(void *handle, struct segments *segments);

/// True if the `size` bytes at `pointer` lie in one segment with all of
/// `flags`.
bool segments_hold(const struct segments *segments, const void *pointer,
                   size_t size, ElfW(Word) flags);

/// True if `string` and its terminating NUL lie in one readable segment.
bool segments_hold_string(const struct segments *segments, const char *string);

#endif // MLIRPLUG_BASE_SEGMENTS_H
