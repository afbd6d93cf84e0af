// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes do, measured from outside: for those that count nothing, which
// are all of MLIR's where it was built without statistics.

#ifndef MLIRPLUG_PASS_MEASURE_H
#define MLIRPLUG_PASS_MEASURE_H

#include "pass/manager.h"

/// Notes that the pass just added to `passes` is that of `node`. Nothing unless
/// the manager measures.
mlirplug_status measures_note(struct mlirplug_manager *manager,
                              const struct pipeline_node *node,
                              MlirOpPassManager passes, mlirplug_error **error);

/// Begins to measure the passes of the manager, which are built.
void measures_begin(struct mlirplug_manager *manager);

/// What was measured of the pass at a place of the pipeline, or null.
const struct measure *measures_find(const struct measures *measures,
                                    const struct pipeline_node *node);

/// The manager's passes are gone.
void measures_release(struct measures *measures);

#endif // MLIRPLUG_PASS_MEASURE_H
