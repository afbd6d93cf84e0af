// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command `mlirplug`: what its parts share. It is a host like any other:
// all it knows of plugins comes through mlirplug/host.h, all it knows of MLIR
// through imports that the host fills in. It runs on one thread; only the
// callbacks of a host may come from others, one at a time.

#ifndef MLIRPLUG_CLI_COMMAND_H
#define MLIRPLUG_CLI_COMMAND_H

#include "cli/arguments.h"
#include "cli/console.h"

/// How the process ends; documented in `mlirplug --help`.
enum command_status {
  COMMAND_OK = 0,
  COMMAND_FAILED = 1,      ///< An input, plugin, pass or pipeline failed.
  COMMAND_WRONG_USAGE = 2, ///< The command line makes no sense.
};

/// The subcommands. Each prints what it has to say, and every reason.
enum command_status command_opt(const struct arguments *arguments,
                                struct console *console);
enum command_status command_list(const struct arguments *arguments,
                                 struct console *console);
enum command_status command_info(const struct arguments *arguments,
                                 struct console *console);
enum command_status command_doctor(const struct arguments *arguments,
                                   struct console *console);
enum command_status command_trust(const struct arguments *arguments,
                                  struct console *console);
enum command_status command_sign(const struct arguments *arguments,
                                 struct console *console);

#endif // MLIRPLUG_CLI_COMMAND_H
