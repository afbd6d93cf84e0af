// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guest: a plugin pass in a pass manager of the tool. The tool owns it, and
// nobody tells when a run ends. What is to be done then is done when MLIR has
// destroyed all instances of all guests: the tool has destroyed its manager.

#ifndef MLIRPLUG_STOCK_GUEST_H
#define MLIRPLUG_STOCK_GUEST_H

#include "pipeline/pipeline.h"

/// Adds the one plugin pass that `pipeline` has, with the nests around it, to
/// `passes`, whose anchor is that of the pipeline. Takes the pipeline, also on
/// failure. Any thread.
mlirplug_status guest_add(mlirplug_pipeline *pipeline, MlirOpPassManager passes,
                          mlirplug_error **error);

/// The process ends: hands over what the guests have brought that are still
/// there, because the tool has not destroyed its manager. No code of a plugin
/// is run any more.
void guests_leave(void);

#endif // MLIRPLUG_STOCK_GUEST_H
