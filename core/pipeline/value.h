// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single values of options, between text and memory. A list is several.

#ifndef MLIRPLUG_PIPELINE_VALUE_H
#define MLIRPLUG_PIPELINE_VALUE_H

#include "base/arena.h"
#include "base/text.h"
#include "pipeline/scan.h"

#include <mlirplug/option.h>
#include <stdint.h>

/// What the field of a list option holds, whatever its elements are.
struct value_list {
  const void *values;
  uint64_t count;
};

bool value_is_list(const mlirplug_option *option);

/// The size of one value (of a list: of one element) in bytes.
size_t value_size(const mlirplug_option *option);

enum value_fault {
  VALUE_FINE,
  VALUE_WRONG,   ///< Not of that kind.
  VALUE_OUTSIDE, ///< Out of the option's range, or that of its C type.
  VALUE_NO_MEMORY,
};

/// Reads one value from `text`, without quotes, to `value`. Strings are made in
/// `arena`.
enum value_fault value_read(const mlirplug_option *option, struct span text,
                            struct arena *arena, void *value);

/// The default of an option that is no list, to `value`.
void value_default(const mlirplug_option *option, void *value);

bool value_equal(const mlirplug_option *option, const void *a, const void *b);

/// Adds one value, quoted if need be. Returns true if it stands in braces,
/// which would be taken for those of a list.
bool value_print(struct text *text, const mlirplug_option *option,
                 const void *value);

/// Choice `index` of an enum option; false behind the last.
bool value_choice(const mlirplug_option *option, uint64_t index,
                  struct span *choice);

/// Adds "from 0 to 10", the range of the option or else of its C type.
void value_print_range(struct text *text, const mlirplug_option *option);

#endif // MLIRPLUG_PIPELINE_VALUE_H
