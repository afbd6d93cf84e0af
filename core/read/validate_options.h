// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the options of a pass make sense: names, kinds, fields inside the
// pass's structure, choices, ranges, defaults.

#ifndef MLIRPLUG_READ_VALIDATE_OPTIONS_H
#define MLIRPLUG_READ_VALIDATE_OPTIONS_H

#include "base/arena.h"
#include "base/error.h"

/// Checks all options of `pass`. `arena` is for memory that the caller frees.
mlirplug_status validate_options(const char *path,
                                 const mlirplug_pass_description *pass,
                                 struct arena *arena, mlirplug_error **error);

#endif // MLIRPLUG_READ_VALIDATE_OPTIONS_H
