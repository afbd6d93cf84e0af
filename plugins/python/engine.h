// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling a module to memory and calling its functions, for
// execution_engine.py.
//
// engine.c           MLIR's execution engine
// engine_function.c  a function of it, called with numbers and arrays
// engine_number.c    numbers between Python and machine code
// engine_array.c     arrays, checked against what the function takes
//
// Functions are called by the one way that MLIR makes for each: through a list
// of pointers to the arguments, an array being one argument for each field of
// its descriptor, and to where the result goes.
//
// Conventions are those of ir.h.

#ifndef MLIRPLUG_PYTHON_ENGINE_H
#define MLIRPLUG_PYTHON_ENGINE_H

#include "buffer.h"

#include <stdint.h>

/// mlirplug._mlirplug.Engine and EngineFunction.
int engine_register(PyObject *module);
int engine_function_register(PyObject *module);

enum engine_kind {
  ENGINE_INTEGER, ///< Signless: takes what fits in as either.
  ENGINE_SIGNED,
  ENGINE_UNSIGNED,
  ENGINE_BOOLEAN,
  ENGINE_FLOAT,
  ENGINE_COMPLEX,
  ENGINE_BITS, ///< As `convert` makes it of a number; in arrays, by `name`.
};

struct engine_element {
  enum engine_kind kind;
  size_t size; ///< In bytes.
  char *name;  ///< numpy's name for it.
};

/// What a function takes.
struct engine_parameter {
  struct engine_element element;
  char *type;        ///< As MLIR writes it.
  PyObject *convert; ///< For ENGINE_BITS; may be null.
  bool is_array;
  bool is_unranked; ///< Its rank is that of the argument.
  bool is_written;  ///< Arrays that cannot be written to are refused.
  bool is_identity; ///< It has no strides of its own.
  int rank;
  int64_t *shape; ///< Of rank each; ENGINE_ANY for what may be any.
  int64_t *strides;
  int64_t offset;
};

#define ENGINE_ANY INT64_MIN

enum { ENGINE_RANK = 32 }; ///< The highest.

/// Where the arguments of a call are.
struct engine_frame {
  uint64_t *slot; ///< The next free one.
  void **pointer; ///< Likewise.
  struct python_buffer *view;
};

/// Puts `object` there, as `parameter`, the one with that number. Raises if it
/// cannot be that.
int engine_array_put(const struct engine_parameter *parameter, PyObject *object,
                     struct engine_frame *frame);
int engine_number_put(const struct engine_parameter *parameter,
                      PyObject *object, struct engine_frame *frame);

/// A number that was returned.
PyObject *engine_number_make(const struct engine_element *element,
                             const void *bytes);

#endif // MLIRPLUG_PYTHON_ENGINE_H
