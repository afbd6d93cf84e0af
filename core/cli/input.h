// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of `mlirplug opt`: which files they are, and the text of standard
// input.

#ifndef MLIRPLUG_CLI_INPUT_H
#define MLIRPLUG_CLI_INPUT_H

#include "cli/arguments.h"
#include "cli/console.h"

#include <sys/types.h>

struct input {
  char *path;       ///< As MLIR is given it: "-" for standard input. Owned.
  const char *name; ///< As users see it: the path, or "<stdin>".
  dev_t device;     ///< Which file it is; not set for standard input.
  ino_t inode;
};

/// Zero bytes are no inputs.
struct inputs {
  struct input *items;
  size_t count;
  size_t capacity;
  size_t failed; ///< Inputs that were asked for and cannot be had.
};

extern const char input_standard_name[]; ///< "<stdin>"

bool input_is_standard(const struct input *input);

/// Finds the files that `names` stand for. Those that cannot be had are said
/// and counted. False, with the reason said, if that makes no sense at all.
bool inputs_collect(const struct argument_texts *names, struct inputs *inputs,
                    struct console *console);
void inputs_release(struct inputs *inputs);

/// The input that is the file at `path`, or null.
const struct input *inputs_find(const struct inputs *inputs, const char *path);

/// Reads all of standard input and lets the process read it once more, so that
/// messages can show its lines. `*content` is to be freed. False after saying
/// why not.
bool input_standard_read(char **content, size_t *length,
                         struct console *console);

#endif // MLIRPLUG_CLI_INPUT_H
