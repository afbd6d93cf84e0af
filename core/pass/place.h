// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A place: one plugin pass at one position of a built pipeline. Its instances
// (the original and MLIR's clones of it for threads) have the place in common:
// the code, the options, the sums of the statistics.

#ifndef MLIRPLUG_PASS_PLACE_H
#define MLIRPLUG_PASS_PLACE_H

#include "pass/session.h"

#include <mlirplug/plugin.h>

struct instance;

struct place {
  struct session *session;
  const struct pipeline_node *node; ///< With the pass and its options.
  const struct binding *binding;
  const struct provider_api *api;
  const char *label;    ///< "my-pass{top=3}", interned.
  size_t index;         ///< Among the places of the pipeline, from 0.
  const void *identity; ///< The pass in the plugin's memory: unique, for ever.
  mlirplug_pass code;
  /// What MLIR calls: instance_callbacks, unless place_create's caller changes
  /// it before any pass is made.
  const MlirExternalPassCallbacks *callbacks;
  /// What MLIR is given when there is no memory for a clone; fails when run.
  struct instance *spare;

  pthread_mutex_t lock;       ///< Of all that follows.
  struct instance *instances; ///< Those alive, and those to be merged yet.
  struct instance *original;  ///< Null once MLIR has destroyed it.
  uint64_t *totals;           ///< One for each statistic.
  void *ordinals; ///< Positions of operations in this run: record.h.
};

/// Loads the plugin of `node` and makes a place for it, without instances.
mlirplug_status place_create(struct session *session,
                             const struct pipeline_node *node, size_t index,
                             struct place **place, mlirplug_error **error);
void place_destroy(struct place *place);

/// Makes the MLIR pass of this place, with the original instance. `anchor` is
/// the name of the manager it will be added to.
mlirplug_status place_make_pass(struct place *place, const char *anchor,
                                MlirPass *pass, mlirplug_error **error);

/// The end of a run: merges the clones into the original, lets the pass report
/// if the run `succeeded`, and makes all instances ready for another run.
mlirplug_status place_finish_run(struct place *place, bool succeeded);

#endif // MLIRPLUG_PASS_PLACE_H
