// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MLIRPLUG_PIPELINE_KEEP_H
#define MLIRPLUG_PIPELINE_KEEP_H

#include "base/arena.h"
#include "base/text.h"

/// Moves `text`, which is empty afterwards, to `arena`; null if memory ran out.
const char *text_keep(struct text *text, struct arena *arena);

#endif // MLIRPLUG_PIPELINE_KEEP_H
