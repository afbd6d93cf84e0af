// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of a descriptor, with their options, statistics and names.

#ifndef MLIRPLUG_READ_PASSES_H
#define MLIRPLUG_READ_PASSES_H

#include "read/reader.h"
#include "read/warning.h"

struct mlirplug_descriptor;

/// Reads and checks all passes of `raw`, the descriptor at `place`. False on
/// failure.
bool passes_read(struct reader *reader, const struct structure *place,
                 const struct mlirplug_descriptor *raw,
                 mlirplug_plugin_description *description,
                 struct warning_list *warnings);

#endif // MLIRPLUG_READ_PASSES_H
