// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts that know all the dialects asked for.

#ifndef MLIRPLUG_CLI_CONTEXT_H
#define MLIRPLUG_CLI_CONTEXT_H

#include "cli/command.h"
#include "cli/diagnostic.h"

/// Settings of MLIR itself, which hold for contexts and printing from now on.
/// False after saying which cannot be had.
bool context_settings_apply(const struct arguments *arguments,
                            struct console *console);

/// A new context whose diagnostics go to `diagnostics`. Null after saying why
/// it cannot be had. To be destroyed.
MlirContext context_create(const struct arguments *arguments,
                           mlirplug_host *host,
                           struct diagnostics *diagnostics);

/// --show-dialects: prints their names. False after saying why not.
bool context_show_dialects(const struct arguments *arguments,
                           mlirplug_host *host, struct console *console);

#endif // MLIRPLUG_CLI_CONTEXT_H
