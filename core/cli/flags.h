// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that are asked for like options: --my-pass --cse --other=top=3.

#ifndef MLIRPLUG_CLI_FLAGS_H
#define MLIRPLUG_CLI_FLAGS_H

#include "cli/arguments.h"
#include "cli/mlir.h"

/// True if every flag can be put into a pipeline; else says which cannot.
bool flags_check(const struct argument_passes *passes, struct console *console);

/// The text "my-pass,cse,other{top=3}" of flags that were checked, to be freed.
/// Null after saying that memory ran out.
char *flags_text(const struct argument_passes *passes, struct console *console);

/// Names every flag that is a pass of neither a plugin nor MLIR; false if there
/// is none. `context` is for looking at MLIR's, whose passes are registered.
bool flags_refuse_unknown(const struct argument_passes *passes,
                          const mlirplug_host *host, MlirContext context,
                          struct console *console);

/// Warns of passes that no flag can name, because an option is called so.
void flags_warn_hidden(const mlirplug_host *host, struct console *console);

#endif // MLIRPLUG_CLI_FLAGS_H
