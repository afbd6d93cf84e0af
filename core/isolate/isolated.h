// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin pass that a child runs, as a pass of MLIR on what the whole pipeline
// runs on.
//
// request.h     what the child is to do
// message.h     what it says
// child.h       its life
// transfer_ir.h the IR, there and back
// diagnostic.h  diagnostics, likewise
// failure.h     what is said when it ends otherwise than it should
// serve.c       the child's side

#ifndef MLIRPLUG_ISOLATE_ISOLATED_H
#define MLIRPLUG_ISOLATE_ISOLATED_H

#include "isolate/functions.h"
#include "pass/manager.h"

/// Zero bytes are no isolation. Belongs to a manager.
struct isolation {
  struct isolate_functions functions;
  struct isolated *passes; ///< The newest first.
};

/// Builds the manager's pipeline in its pass manager: each plugin pass stands
/// in the outermost nest, by itself, and what was nested on its sides is two
/// nests. Refuses where MLIR cannot do what it takes.
mlirplug_status isolation_build(struct mlirplug_manager *manager,
                                mlirplug_error **error);

/// Its pass manager is gone.
void isolation_destroy(struct mlirplug_manager *manager);

#endif // MLIRPLUG_ISOLATE_ISOLATED_H
