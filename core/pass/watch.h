// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a manager's configuration asks to be seen of its passes: the IR around
// them, what they do, and how long it takes.

#ifndef MLIRPLUG_PASS_WATCH_H
#define MLIRPLUG_PASS_WATCH_H

#include "pass/manager.h"

/// Begins it. The manager's passes are built. Refuses where the provider cannot
/// show or time passes.
mlirplug_status watch_begin(struct mlirplug_manager *manager,
                            mlirplug_error **error);

/// The manager's passes are gone.
void watch_end(struct mlirplug_manager *manager);

#endif // MLIRPLUG_PASS_WATCH_H
