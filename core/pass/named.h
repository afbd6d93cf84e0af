// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that MLIR itself asks for by their names, while a manager is built
// (pipelines in options of other passes) or runs (apply_registered_pass of the
// transform dialect). MLIR makes them, clones them and destroys them when it
// likes, so each different pass has one place, which lives as long as the
// manager, and its instances come and go.

#ifndef MLIRPLUG_PASS_NAMED_H
#define MLIRPLUG_PASS_NAMED_H

#include "pass/manager.h"

/// What was asked for: a pass, its options as text, and the anchor of what it
/// is added to.
struct named_request {
  const char *name;
  const char *options;
  const char *anchor;
};

/// Adds the pass to `passes`. Any thread, while the manager is built or runs.
mlirplug_status named_add(struct mlirplug_manager *manager,
                          const struct named_request *request,
                          MlirOpPassManager passes, mlirplug_error **error);

/// Whether the place is that of such a pass.
bool named_has(const struct mlirplug_manager *manager,
               const struct place *place);

/// Before and after the run is ended in every place.
void named_begin_finish(struct mlirplug_manager *manager);
void named_end_finish(struct mlirplug_manager *manager);

/// After the manager's places were destroyed.
void named_release(struct mlirplug_manager *manager);

#endif // MLIRPLUG_PASS_NAMED_H
