// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is odd about a plugin but no reason to refuse it, collected.

#ifndef MLIRPLUG_READ_WARNING_H
#define MLIRPLUG_READ_WARNING_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/// The lines are made in `arena`. Want of memory is remembered.
struct warning_list {
  struct arena *arena;
  const char **lines;
  size_t count;
  size_t capacity;
  bool failed;
};

/// Adds a line; longer ones are cut after 1 KiB.
__attribute__((format(printf, 2, 3))) void
warning_add(struct warning_list *list, const char *format, ...);

#endif // MLIRPLUG_READ_WARNING_H
