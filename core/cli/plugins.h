// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which plugins a command is about, and their passes as lists.

#ifndef MLIRPLUG_CLI_PLUGINS_H
#define MLIRPLUG_CLI_PLUGINS_H

#include "cli/command.h"

#include <stdio.h>

/// Creates a host whose messages go to `console`; null after saying why not.
mlirplug_host *plugins_host_create(struct console *console);

/// Adds the plugins at `paths`; false after naming every one that fails.
bool plugins_add(mlirplug_host *host, struct console *console,
                 const struct argument_texts *paths);

/// Adds those that are installed with the command. One that fails is warned of.
/// False if there is no such directory, after saying so.
bool plugins_add_installed(mlirplug_host *host, struct console *console);

/// The passes of every plugin of `host`, under the plugin's name; `prefix`
/// stands before each pass.
void plugins_describe(const mlirplug_host *host, FILE *stream,
                      const char *prefix);

#endif // MLIRPLUG_CLI_PLUGINS_H
