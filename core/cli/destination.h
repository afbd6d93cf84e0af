// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the IR goes: to standard output in order, to one file, to a file for
// each input, or nowhere.

#ifndef MLIRPLUG_CLI_DESTINATION_H
#define MLIRPLUG_CLI_DESTINATION_H

#include "cli/input.h"
#include "cli/memory.h"

enum destination_kind {
  DESTINATION_NOWHERE,
  DESTINATION_STANDARD,
  DESTINATION_FILE,
  DESTINATION_DIRECTORY,
};

/// Zero bytes are nowhere.
struct destination {
  enum destination_kind kind;
  const char *path;
  const char *records; ///< Where the records go; may be null.
  bool bytecode;
  bool object;   ///< Machine code.
  bool assembly; ///< The same as text.
  struct console *console;
  struct memory file; ///< What goes into the one file.
  bool begun;         ///< Something was printed, so a separator comes next.
};

/// Decides by the command line; false after saying why it makes no sense.
bool destination_begin(struct destination *destination,
                       const struct arguments *arguments,
                       const struct inputs *inputs, struct console *console);

/// Whether the one file can be written, as far as can be told beforehand; false
/// after saying why not.
bool destination_check(const struct destination *destination);

/// Takes the IR of an input that worked. False after saying what went wrong.
bool destination_add(struct destination *destination, const struct input *input,
                     const char *bytes, size_t length);

/// Writes the one file, unless some input `failed`; frees everything.
bool destination_end(struct destination *destination, bool failed);

#endif // MLIRPLUG_CLI_DESTINATION_H
