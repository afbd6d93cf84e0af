// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of the resources behind the IR of a text: "{-#
// external_resources: {GROUP: {KEY: VALUE}} #-}". A text may have several such
// sections.

#ifndef MLIRPLUG_REPRODUCE_SECTION_H
#define MLIRPLUG_REPRODUCE_SECTION_H

#include "base/arena.h"

#include <stdbool.h>

/// Some of the text, which is not terminated.
struct section_part {
  const char *bytes;
  size_t length;
};

struct section_entry {
  struct section_part group; ///< Likewise without quotes.
  struct section_part key;
  struct section_part value; ///< As written, but without quotes.
  bool is_string;            ///< It has quotes: section_string decodes it.
};

/// Calls `take` for each entry, until it is false and has set `*complaint`.
/// False with a complaint, and the line that it is about, also if the text is
/// none that MLIR would read.
bool section_read(const char *text, size_t length,
                  bool (*take)(const struct section_entry *entry,
                               const char **complaint, void *user_data),
                  void *user_data, const char **complaint, size_t *line);

bool section_part_is(struct section_part part, const char *string);

/// The text that a string stands for; null if memory runs out or if there is a
/// NUL in it.
const char *section_string(struct section_part value, struct arena *arena);

#endif // MLIRPLUG_REPRODUCE_SECTION_H
