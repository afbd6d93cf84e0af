// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --emit-object: machine code in the place of the IR, and its C header.

#ifndef MLIRPLUG_CLI_OBJECT_H
#define MLIRPLUG_CLI_OBJECT_H

#include "cli/command.h"
#include "cli/mlir.h"

#include <stdio.h>

bool object_is_wanted(const struct arguments *arguments);

/// Whether the flags fit together; false after saying why not. `inputs` is
/// their number.
bool object_check(const struct arguments *arguments, size_t inputs,
                  struct console *console);

/// Writes what is made of `root` to `stream`, and the header where it belongs.
/// False after saying why not.
bool object_write(const struct arguments *arguments, mlirplug_host *host,
                  MlirOperation root, FILE *stream, struct console *console);

#endif // MLIRPLUG_CLI_OBJECT_H
