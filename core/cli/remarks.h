// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --remarks-filter and its like: MLIR's remarks about optimizations.

#ifndef MLIRPLUG_CLI_REMARKS_H
#define MLIRPLUG_CLI_REMARKS_H

#include "cli/command.h"
#include "cli/mlir.h"

/// Switches them on, if they were asked for. False after saying why not.
bool remarks_enable(const struct arguments *arguments, MlirContext context,
                    struct console *console);

#endif // MLIRPLUG_CLI_REMARKS_H
