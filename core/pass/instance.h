// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instance of a plugin pass: the user data of one MlirExternalPass. MLIR
// owns it, clones it for its threads and destroys it.

#ifndef MLIRPLUG_PASS_INSTANCE_H
#define MLIRPLUG_PASS_INSTANCE_H

#include "pass/place.h"

#include <stdatomic.h>

struct instance {
  struct place *place;
  struct instance *next;    ///< In the place's list.
  void *state;              ///< The plugin's.
  const void **identifiers; ///< Of the pass's names, in the context.
  const void **anchors;     ///< Of its anchors; null for a property.
  uint64_t *counters;       ///< Since the last merge, one for each statistic.
  bool usable;              ///< False if it could not be cloned.
  bool retired;             ///< Destroyed by MLIR during a run.
  /// MLIR hands an instance from thread to thread, with atomics of its own, and
  /// promises never to use it on two at once. This holds it to that, and tells
  /// tools that do not see into MLIR of the order.
  atomic_bool busy;
};

/// What MLIR calls.
extern const MlirExternalPassCallbacks instance_callbacks;

/// What MLIR has an instance do, for whom it has it do it. Failures have been
/// reported.
mlirplug_status instance_initialize(struct instance *instance,
                                    MlirContext context);
mlirplug_status instance_run(struct instance *instance, MlirOperation root);

/// An instance without a state, in no list; null if memory runs out.
struct instance *instance_allocate(struct place *place);

/// The original instance of `place`; entered into the place's list. Null, with
/// an error, if the pass's `create` fails. That is left to instance_initialize
/// while the session has no context, and so no place for diagnostics.
struct instance *instance_create(struct place *place, mlirplug_error **error);

/// Frees it and its state. It is in no list.
void instance_destroy(struct instance *instance);

#endif // MLIRPLUG_PASS_INSTANCE_H
