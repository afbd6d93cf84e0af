// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `mlirplug help` shows.

#ifndef MLIRPLUG_CLI_HELP_H
#define MLIRPLUG_CLI_HELP_H

#include "cli/command.h"

#include <stdio.h>

/// All subcommands, and how the process ends.
void help_general(FILE *stream);

/// One subcommand and its options.
void help_command(enum argument_command command, FILE *stream);

#endif // MLIRPLUG_CLI_HELP_H
