// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --split-input-file: the parts of a file.

#ifndef MLIRPLUG_CLI_PART_H
#define MLIRPLUG_CLI_PART_H

#include <stdbool.h>
#include <stddef.h>

struct part {
  const char *text; ///< Within the file's; not owned.
  size_t length;
  size_t line, column; ///< Where it begins in the file, from 1.
};

/// Zero bytes are none.
struct parts {
  struct part *items;
  size_t count;
};

/// Told of what may have been meant for a marker, before the parts are used.
typedef void part_near_miss(size_t line, size_t column, void *user_data);

/// Cuts `content` where mlir-opt does: at each `marker`, which belongs to no
/// part; of one part if `marker` is null or empty. False if memory runs out.
bool parts_cut(struct parts *parts, const char *content, size_t length,
               const char *marker, part_near_miss *near_miss, void *user_data);
void parts_release(struct parts *parts);

/// The part's text, with everything at the line and column that it has in the
/// file, to be freed; null if memory runs out. Its end is marked with NUL.
char *part_place(const struct part *part, size_t *length);

#endif // MLIRPLUG_CLI_PART_H
