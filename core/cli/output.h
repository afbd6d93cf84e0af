// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing results: whole or not at all.

#ifndef MLIRPLUG_CLI_OUTPUT_H
#define MLIRPLUG_CLI_OUTPUT_H

#include "cli/console.h"
#include "cli/memory.h"

/// Makes the process ready to write: a reader that went away and a file that
/// got too large are errors, not signals, and descriptors that were closed when
/// the process began cannot be taken by other files.
void output_begin(void);

/// Writes to standard output. False after saying why not.
bool output_standard(struct console *console, const char *bytes, size_t length);

/// Whether output_file could begin to write `path`: it is there and may be
/// written to, or its directory is. False after saying why not.
bool output_check(struct console *console, const char *path);

/// Makes `bytes` the content of the file at `path`, see file_output.h. False
/// after saying why not.
bool output_file(struct console *console, const char *path, const char *bytes,
                 size_t length);

/// Ends `memory` and writes it to standard output; frees it.
bool output_memory(struct console *console, struct memory *memory);

#endif // MLIRPLUG_CLI_OUTPUT_H
