// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR as text and bytecode, as the command line wants it.

#ifndef MLIRPLUG_CLI_PRINTING_H
#define MLIRPLUG_CLI_PRINTING_H

#include "cli/command.h"
#include "cli/mlir.h"

#include <stdio.h>

/// Writes `root` to `stream`. `resources` is what reading it left for this (may
/// be null). False after saying why not.
bool printing_write(const struct arguments *arguments, MlirOperation root,
                    void *resources, FILE *stream, struct console *console);

/// Whether the provider can write what is asked for; false after saying why
/// not.
bool printing_check(const struct arguments *arguments, struct console *console);

#endif // MLIRPLUG_CLI_PRINTING_H
