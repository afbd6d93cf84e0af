// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "did you mean": the name that was likely meant.

#ifndef MLIRPLUG_PIPELINE_CLOSEST_H
#define MLIRPLUG_PIPELINE_CLOSEST_H

#include "pipeline/scan.h"

/// The best candidate so far; zero bytes are none.
struct closest {
  struct span name; ///< begin is null as long as nothing is close.
  size_t distance;
};

/// Takes `candidate` if it is closer to `written` than what was found before,
/// and close enough to be worth a question. Long names are never close.
void closest_consider(struct closest *closest, struct span written,
                      struct span candidate);

#endif // MLIRPLUG_PIPELINE_CLOSEST_H
