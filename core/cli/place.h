// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a file a message points to, by the text that MLIR prints for it: up
// to MLIR 19 locations do not tell what is in them.

#ifndef MLIRPLUG_CLI_PLACE_H
#define MLIRPLUG_CLI_PLACE_H

#include "cli/mlir.h"

struct place {
  MlirStringRef file;
  int line, column; ///< From 1; 0 for none.
  char *text;       ///< Holds `file` if it is not null; freed by the caller.
};

/// Reads a location that prints as loc("file":1:2), and no other. False if it
/// does not, or memory runs out.
bool place_read(MlirLocation location, struct place *place);

#endif // MLIRPLUG_CLI_PLACE_H
