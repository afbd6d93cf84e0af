// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plugin pass that is isolated.

#ifndef MLIRPLUG_ISOLATE_PASS_H
#define MLIRPLUG_ISOLATE_PASS_H

#include "isolate/isolated.h"

struct isolated {
  struct isolated *next;
  struct mlirplug_manager *manager;
  struct place *place;
  const struct plugin *plugin;
  char *pipeline; ///< The pass alone, in its nests: the child's. Owned.
};

/// Makes the MLIR pass that has a child run `place`; it goes into the outermost
/// nest. Owned by the manager's isolation.
mlirplug_status isolated_make_pass(struct mlirplug_manager *manager,
                                   struct place *place,
                                   const struct pipeline_node *const *nests,
                                   size_t nest_count, MlirPass *pass,
                                   mlirplug_error **error);

#endif // MLIRPLUG_ISOLATE_PASS_H
