// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that messages point to.

#ifndef MLIRPLUG_CLI_SOURCE_H
#define MLIRPLUG_CLI_SOURCE_H

#include <stdio.h>

/// Texts that have been read. Zero bytes know none.
struct source {
  const char *standard; ///< Of standard input; null if not read. Not owned.
  size_t standard_length;
  char *name;    ///< Of the file read last, owned; null for none.
  char *content; ///< Its text, owned; null if it cannot be had.
  size_t length;
};

/// Prints the line and, under it, a caret at `column`; both count from 1, the
/// column in bytes. Nothing if there is no such place, or nothing to show.
void source_print(struct source *source, const char *name, size_t line,
                  size_t column, FILE *stream);

void source_release(struct source *source);

#endif // MLIRPLUG_CLI_SOURCE_H
