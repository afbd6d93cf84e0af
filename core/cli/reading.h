// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs as text, and text as IR.

#ifndef MLIRPLUG_CLI_READING_H
#define MLIRPLUG_CLI_READING_H

#include "cli/command.h"
#include "cli/diagnostic.h"
#include "cli/input.h"
#include "cli/part.h"

/// Whether MLIR is given inputs as text, not their names.
bool reading_needs_text(const struct arguments *arguments);

/// Whether the provider can read as is asked for; false after saying why not.
bool reading_check(const struct arguments *arguments, struct console *console);

/// The text of a file, to be freed. False after saying why not.
bool reading_file(const char *path, char **content, size_t *length,
                  struct console *console);

/// What is to be handed from reading to printing, to be destroyed; null if
/// there is no such thing.
void *reading_resources_create(void);
void reading_resources_destroy(void *resources);

/// Reads `part` of an input, or the file itself if that has no text. A null
/// operation after saying why not. To be destroyed.
MlirOperation reading_parse(const struct arguments *arguments,
                            MlirContext context, const struct input *input,
                            const struct part *part, void *resources,
                            struct diagnostics *diagnostics);

#endif // MLIRPLUG_CLI_READING_H
