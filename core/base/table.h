// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers found by a hash. Whoever owns it knows what a number stands for and
// compares the keys:
//
//     for (size_t at = 0; table_next(&table, hash, &at, &number);)
//       if (key of number is the one wanted)
//         …

#ifndef MLIRPLUG_BASE_TABLE_H
#define MLIRPLUG_BASE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Zero bytes are an empty table that has room for nothing. Never changes while
/// it is only looked at, on however many threads.
struct table {
  struct table_slot *slots;
  size_t mask; ///< One less than the number of slots, a power of two.
};

/// Makes room for `count` numbers; false if memory runs out.
bool table_create(struct table *table, size_t count);
void table_release(struct table *table);

/// Puts a number in; there must be room. A hash may be there several times.
void table_add(struct table *table, uint64_t hash, uint32_t number);

/// The numbers that were put in under `hash`, and sometimes others, in the
/// order in which they were put in. `*at` is 0 at first. False behind the last.
bool table_next(const struct table *table, uint64_t hash, size_t *at,
                uint32_t *number);

#endif // MLIRPLUG_BASE_TABLE_H
