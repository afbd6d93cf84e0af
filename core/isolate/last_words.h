// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child tells its parent when something ends it.

#ifndef MLIRPLUG_ISOLATE_LAST_WORDS_H
#define MLIRPLUG_ISOLATE_LAST_WORDS_H

#include "isolate/functions.h"
#include "pass/manager.h"

/// From now on signals, exit and LLVM's fatal errors are told of, with the
/// place in the IR of the pass that `made` runs. For a process that is a
/// child and nothing else.
void last_words_prepare(const struct isolate_functions *found,
                        const struct mlirplug_manager *made);

#endif // MLIRPLUG_ISOLATE_LAST_WORDS_H
