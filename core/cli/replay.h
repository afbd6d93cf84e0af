// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --run-reproducer: an input that says what is to be run on it.

#ifndef MLIRPLUG_CLI_REPLAY_H
#define MLIRPLUG_CLI_REPLAY_H

#include "cli/command.h"
#include "cli/input.h"

/// Zero bytes are one that has not begun.
struct replay {
  /// What was asked for, with what the reproducer asks for. Its lists are those
  /// of the command line, so it is not to be released.
  struct arguments arguments;
  mlirplug_reproducer *reproducer;
  char *pipeline; ///< That of the reproducer, with the passes asked for behind.
};

/// Reads the only one of `inputs` and adds its plugins to `host`. Anything but
/// COMMAND_OK after saying why not.
enum command_status replay_begin(struct replay *replay,
                                 const struct arguments *arguments,
                                 const struct inputs *inputs,
                                 mlirplug_host *host, struct console *console);
void replay_end(struct replay *replay);

#endif // MLIRPLUG_CLI_REPLAY_H
