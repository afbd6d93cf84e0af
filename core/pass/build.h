// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a pipeline tree to MLIR's pass managers, nest by nest.

#ifndef MLIRPLUG_PASS_BUILD_H
#define MLIRPLUG_PASS_BUILD_H

#include "pass/manager.h"

/// Makes the places of the pipeline's plugin passes and the pass manager with
/// everything in it; where MLIR runs no passes of others, direct.h's. Checks
/// what needs a context: that the operations passes are nested on exist and
/// that passes can run on them, that dialects are to be had, that MLIR knows
/// the passes that no plugin has.
mlirplug_status manager_build(struct mlirplug_manager *manager,
                              mlirplug_error **error);

/// Makes the place of a plugin pass, the next one of the manager, without
/// instances, and checks what it needs. The manager owns it, also on failure.
mlirplug_status manager_add_place(struct mlirplug_manager *manager,
                                  const struct pipeline_node *node,
                                  struct place **place, mlirplug_error **error);

/// Adds a pass that MLIR has.
mlirplug_status build_add_builtin(const struct session *session,
                                  MlirOpPassManager passes,
                                  const struct pipeline_node *node,
                                  mlirplug_error **error);

/// A plugin's pass must not take the place of one that MLIR has in a nest on
/// `anchor`. Not looked at where each pass that MLIR has not would be told on
/// standard error.
mlirplug_status build_check_clash(const struct session *session,
                                  const struct pipeline_node *node,
                                  const char *anchor, mlirplug_error **error);

#endif // MLIRPLUG_PASS_BUILD_H
