// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's actions: what it does, step by step. They are logged, profiled, shown
// to a debugger, or left out by counters, as the flags of mlir-opt say.

#ifndef MLIRPLUG_CLI_ACTIONS_H
#define MLIRPLUG_CLI_ACTIONS_H

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/mlir.h"

/// Zero bytes are none. Belongs to a context.
struct actions {
  void *state; ///< The provider's; null if nothing was asked for.
  struct console *console;
  bool print_counters;
};

/// Begins what the arguments ask for. Anything but COMMAND_OK after saying what
/// is wrong.
enum command_status actions_begin(struct actions *actions,
                                  const struct arguments *arguments,
                                  MlirContext context, struct console *console);

/// Writes out what was logged to standard output so far: other output comes
/// behind it.
void actions_flush(const struct actions *actions);

/// Ends it; prints the counters if that was asked for.
void actions_end(struct actions *actions);

#endif // MLIRPLUG_CLI_ACTIONS_H
