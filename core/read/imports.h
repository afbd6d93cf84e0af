// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of functions that a plugin uses, from its import section.

#ifndef MLIRPLUG_READ_IMPORTS_H
#define MLIRPLUG_READ_IMPORTS_H

#include "read/reader.h"

/// Reads the entries between the descriptor's two pointers into the lists of
/// `description`: sorted, each name once. False on failure.
bool imports_read(struct reader *reader, const struct structure *descriptor,
                  mlirplug_plugin_description *description);

#endif // MLIRPLUG_READ_IMPORTS_H
