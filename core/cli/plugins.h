// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which plugins a command is about, and their passes as lists.

#ifndef MLIRPLUG_CLI_PLUGINS_H
#define MLIRPLUG_CLI_PLUGINS_H

#include "cli/command.h"

#include <stdio.h>

/// Creates a host whose messages go to `console`; null after saying why not.
mlirplug_host *plugins_host_create(const struct arguments *arguments,
                                   struct console *console);

/// Adds the plugins at `paths`; false after naming every one that fails. With
/// `for_mlir` those in C++ are left to plugins_load_cxx.
bool plugins_add(mlirplug_host *host, struct console *console,
                 const struct argument_texts *paths, bool for_mlir);

/// Loads those of `paths` that are plugins of MLIR's own kind, when MLIR is
/// attached; false after saying why one cannot be.
bool plugins_load_cxx(const mlirplug_host *host, struct console *console,
                      const struct argument_texts *paths);

/// Says which of `paths` are such, where passes are listed.
void plugins_note_cxx(struct console *console,
                      const struct argument_texts *paths);

/// Whether an earlier one of `paths` is the same file or directory as the one
/// at `index`.
bool plugins_is_repeated(const struct argument_texts *paths, size_t index);

/// Says of each of `paths` that is no file, but the name of something that was
/// found, that it is there without being named.
void plugins_explain_names(const mlirplug_host *host, struct console *console,
                           const struct argument_texts *paths);

/// Adds those in the directories that are named and in the configuration, and
/// with `defaults` those that are found by themselves: in a configuration for
/// one of `inputs` (for the working directory without any), and installed. What
/// is found and fails is warned of; false after saying what else does.
bool plugins_search(mlirplug_host *host, struct console *console,
                    const struct arguments *arguments,
                    const struct argument_texts *inputs, bool defaults);

/// The passes of every plugin of `host`, under the plugin's name and where it
/// was found; `prefix` stands before each pass.
void plugins_describe(const mlirplug_host *host, FILE *stream,
                      const char *prefix);

#endif // MLIRPLUG_CLI_PLUGINS_H
