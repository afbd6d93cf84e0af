// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics that MLIR emits in a context: kept for an exception (ir_capture,
// in ir.h), or given to a function of Python's (DiagnosticHandler).
//
// MLIR calls handlers on any thread, with a lock of its own held, so that
// taking the GIL in one would be a deadlock. What comes in is copied to plain
// memory and becomes Python objects later.

#ifndef MLIRPLUG_PYTHON_IR_DIAGNOSTIC_H
#define MLIRPLUG_PYTHON_IR_DIAGNOSTIC_H

#include "ir_object.h"

/// One diagnostic with its notes.
struct ir_diagnostic {
  MlirDiagnosticSeverity severity;
  MlirLocation location;
  struct ir_text text;
  struct ir_diagnostic *notes;
  struct ir_diagnostic *next;
};

/// Without the GIL. Null if memory runs out.
struct ir_diagnostic *ir_diagnostic_copy(const struct ir_api *api,
                                         MlirDiagnostic diagnostic);
void ir_diagnostic_destroy(struct ir_diagnostic *diagnostic);
/// A DiagnosticInfo.
PyObject *ir_diagnostic_object(struct ir_context *context,
                               const struct ir_diagnostic *diagnostic);

/// A DiagnosticHandler that calls `callback`.
PyObject *ir_handler_attach(struct ir_context *context, PyObject *callback);
/// Hands out what came in while code without the GIL worked in `context`. Keeps
/// the exception state.
void ir_handlers_deliver(struct ir_context *context);
int ir_handler_register(PyObject *module, struct ir_types *types);

#endif // MLIRPLUG_PYTHON_IR_DIAGNOSTIC_H
