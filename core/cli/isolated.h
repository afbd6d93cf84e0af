// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug as the child of a run with --isolate. Nobody types this.

#ifndef MLIRPLUG_CLI_ISOLATED_H
#define MLIRPLUG_CLI_ISOLATED_H

#include "cli/command.h"

/// Runs the one pass that the parent has asked for. `texts` are the arguments
/// behind MLIRPLUG_ISOLATED_COMMAND.
enum command_status isolated_serve(struct console *console, int count,
                                   char **texts);

#endif // MLIRPLUG_CLI_ISOLATED_H
