// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which names can be used where, and lists of them.

#ifndef MLIRPLUG_READ_NAMES_H
#define MLIRPLUG_READ_NAMES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/// Why `name` cannot stand in a pipeline as the name of a pass, an option or a
/// choice; null if it can.
const char *name_defect(const char *name);

/// Whether `name` can be the name of an operation.
bool name_is_operation(const char *name);

/// Whether `name` can be the name of a dialect.
bool name_is_dialect(const char *name);

/// Whether `name` can be the name of an imported function: "mlirX", "mlirX/2".
bool name_is_function(const char *name);

/// Splits `text` at its commas and trims blanks. No text, or nothing but
/// blanks, is an empty list. False if memory runs out.
bool names_split(struct arena *arena, const char *text,
                 const char *const **names, size_t *count);

/// Puts a name that occurs twice at `*duplicate`, or null. False if memory runs
/// out.
bool names_find_duplicate(struct arena *arena, const char *const *names,
                          size_t count, const char **duplicate);

#endif // MLIRPLUG_READ_NAMES_H
