// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text that is put together before any of it is written anywhere, so that a
// failure on the way leaves nothing behind. Zero bytes are a closed one.

#ifndef MLIRPLUG_CLI_MEMORY_H
#define MLIRPLUG_CLI_MEMORY_H

#include <stdbool.h>
#include <stdio.h>

struct memory {
  FILE *stream;  ///< Takes the text while open; null otherwise.
  char *bytes;   ///< The text, once closed; terminated by NUL.
  size_t length; ///< Without the NUL.
};

/// Begins an empty text. False if memory runs out.
bool memory_open(struct memory *memory);

/// Ends the text. False if part of it is missing because memory ran out.
bool memory_close(struct memory *memory);

/// Frees it, open or closed.
void memory_release(struct memory *memory);

#endif // MLIRPLUG_CLI_MEMORY_H
