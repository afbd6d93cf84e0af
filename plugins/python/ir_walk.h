// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks over IR that may change under them: Operation.walk.

#ifndef MLIRPLUG_PYTHON_IR_WALK_H
#define MLIRPLUG_PYTHON_IR_WALK_H

#include "ir_object.h"

/// One that is under way. It visits the operations that were there when it
/// began and still are.
struct ir_walk {
  struct ir_walk *outer;
  struct ir_table dead; ///< What was destroyed since.
  bool is_over;         ///< All of it may be.
};

void ir_walk_note_dead(struct ir_walk *walk, const void *pointer);

/// Operation.walk
PyObject *ir_operation_walk(PyObject *self, PyObject *arguments,
                            PyObject *keywords);

#endif // MLIRPLUG_PYTHON_IR_WALK_H
