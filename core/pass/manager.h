// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline built for one context. build.h makes MLIR's pass manager of it, or
// what direct.h has in its place.

#ifndef MLIRPLUG_PASS_MANAGER_H
#define MLIRPLUG_PASS_MANAGER_H

#include "pass/measures.h"
#include "pass/place.h"
#include "pass/reproducer.h"

struct mlirplug_manager {
  struct session session;
  mlirplug_manager_configuration configuration;
  MlirPassManager passes;      ///< Null in direct mode.
  struct direct *direct;       ///< Null but in direct mode.
  struct isolation *isolation; ///< Null but with isolation.
  struct dumps *dumps;         ///< Null but with dumps of the IR.
  struct measures measures;
  struct place **places; ///< In the order of the pipeline.
  size_t place_count;
  struct named *named;        ///< See named.h.
  pthread_mutex_t named_lock; ///< Of these, and of adding places for them.
  struct reproduction reproduction;
};

#endif // MLIRPLUG_PASS_MANAGER_H
