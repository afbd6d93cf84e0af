// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's diagnostics on standard error, in the form that mlir-opt gives them:
//
//     input.mlir:4:10: error: operation is marked forbidden
//         %0 = arith.addi %a, %a {forbidden} : i32
//              ^

#ifndef MLIRPLUG_CLI_DIAGNOSTIC_H
#define MLIRPLUG_CLI_DIAGNOSTIC_H

#include "cli/console.h"
#include "cli/mlir.h"
#include "cli/source.h"

/// What the handler needs; outlives the context it is attached to.
struct diagnostics {
  struct console *console;
  struct source source;
  size_t errors; ///< Printed so far.
  /// What is being read, for places in text that MLIR has no name for.
  const char *input;
};

void diagnostics_attach(struct diagnostics *diagnostics, MlirContext context);

#endif // MLIRPLUG_CLI_DIAGNOSTIC_H
