// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline built for one context. build.h makes MLIR's pass manager of it, or
// what direct.h has in its place.

#ifndef MLIRPLUG_PASS_MANAGER_H
#define MLIRPLUG_PASS_MANAGER_H

#include "pass/place.h"

struct mlirplug_manager {
  struct session session;
  mlirplug_manager_configuration configuration;
  MlirPassManager passes; ///< Null in direct mode.
  struct direct *direct;  ///< Null but in direct mode.
  struct place **places;  ///< In the order of the pipeline.
  size_t place_count;
};

#endif // MLIRPLUG_PASS_MANAGER_H
