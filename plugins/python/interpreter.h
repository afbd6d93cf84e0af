// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which Python: the one whose virtual environment is active, else one on PATH.

#ifndef MLIRPLUG_PYTHON_INTERPRETER_H
#define MLIRPLUG_PYTHON_INTERPRETER_H

#include <stdbool.h>

/// Why something cannot be had, in the parts of an error (host.h).
struct complaint {
  char found[1024];
  char expected[256];
  char remedy[512];
};

__attribute__((format(printf, 2, 3))) void
complaint_found(struct complaint *complaint, const char *format, ...);
__attribute__((format(printf, 2, 3))) void
complaint_remedy(struct complaint *complaint, const char *format, ...);

/// An interpreter that can be loaded into this process.
struct interpreter {
  char program[4096]; ///< What it would have been started as.
  char library[4096]; ///< Its libpython, a path.
  char version[64];   ///< "3.11.2"
};

/// Finds one, by running the candidates. False with a complaint of the first
/// if none will do.
bool interpreter_find(struct interpreter *interpreter,
                      struct complaint *complaint);

#endif // MLIRPLUG_PYTHON_INTERPRETER_H
