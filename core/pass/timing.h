// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times of passes, taken by the provider.

#ifndef MLIRPLUG_PASS_TIMING_H
#define MLIRPLUG_PASS_TIMING_H

#include "pass/manager.h"

/// Has the times of the manager's passes taken by the timing of its
/// configuration. After all else that watches passes, so as not to be timed.
mlirplug_status timing_attach(struct mlirplug_manager *manager,
                              mlirplug_error **error);

#endif // MLIRPLUG_PASS_TIMING_H
