// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a manager has measured of its passes: see measure.h.

#ifndef MLIRPLUG_PASS_MEASURES_H
#define MLIRPLUG_PASS_MEASURES_H

#include "pipeline/tree.h"

struct measure {
  struct measure *next;
  const struct pipeline_node *node; ///< Null if it is not in the pipeline.
  const void *pass;                 ///< As MLIR knows it.
  const char *name;                 ///< Without options, interned.
  const char *title;                ///< As MLIR shows it, interned.
  uint64_t runs;                    ///< Operations that it ran on.
  uint64_t changes;                 ///< Those that it changed.
  uint64_t added;                   ///< Operations more than before.
  uint64_t removed;                 ///< Operations less than before.
};

/// Zero bytes are none.
struct measures {
  struct measure *first;
  struct measure *last;
  uint64_t lost; ///< Runs that there was no memory for.
};

#endif // MLIRPLUG_PASS_MEASURES_H
