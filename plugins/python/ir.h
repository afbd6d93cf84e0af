// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug.ir as the rest of the extension sees it: Python objects for the IR
// of any copy of MLIR, with the names of the upstream bindings.
//
// Objects are checked handles. Each knows the context it belongs to and, if it
// is part of the IR (operation, region, block, value), the tree and the scope
// it was met in; all are struct ir_object and its like in ir_object.h. A handle
// whose thing is gone raises an exception in whatever is done with it.
//
// Conventions are Python's: functions that return PyObject * return a new
// reference, or null with an exception set; those that return int return 0, or
// -1 with an exception set. All are called with the GIL held.

#ifndef MLIRPLUG_PYTHON_IR_H
#define MLIRPLUG_PYTHON_IR_H

#include "python.h"

#include <mlirplug/host.h>

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

/// The types of mlirplug.ir, and what else there is one of for each extension
/// module (ir_types.h).
struct ir_types;

/// Adds the classes to the extension module `module`. The result belongs to the
/// module, which lives as long as the process: module.c keeps it in its state
/// and hands it out in module_ir_types.
struct ir_types *ir_register(PyObject *module);

/// Implemented by module.c: what ir_register returned. Never null while any
/// object of mlirplug.ir lives.
struct ir_types *module_ir_types(void);

/// Implemented by module.c: the copy of MLIR that `Context()` makes contexts of
/// (by default the static provider, attached when first asked for). Borrowed;
/// null with an exception set if there is none.
struct ir_api *module_default_api(void);

//===----------------------------------------------------------------------===//
// Copies of MLIR
//===----------------------------------------------------------------------===//

/// The functions of one copy of MLIR. There is one for each host that Python
/// code works with; its contexts hold references to it.
struct ir_api;

/// Of what is attached to `host`, which need not outlive it. Fails if that
/// lacks functions no object can do without.
struct ir_api *ir_api_create(mlirplug_host *host, mlirplug_error **error);
struct ir_api *ir_api_retain(struct ir_api *api);
void ir_api_release(struct ir_api *api); ///< Takes null.

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// The Context object for a context that somebody else owns. There is one for
/// each; so this is the same object as long as it lives.
PyObject *ir_context_wrap(struct ir_api *api, MlirContext handle);

/// Says that a context which was wrapped will go, or may go: from now on all
/// objects of it raise. Does nothing for one that Python code made. Whoever
/// wraps contexts counts its users: this takes effect at once.
void ir_context_close(PyObject *object);

/// Looks into a Context object.
int ir_context_get(PyObject *object, struct ir_api **api, MlirContext *context);

//===----------------------------------------------------------------------===//
// Passes written in Python
//===----------------------------------------------------------------------===//

/// Begins the run of a pass on `root`, on this thread. Returns the Operation
/// to hand to the pass. Until ir_run_end, its context is what functions with a
/// `context` argument use by default on this thread, the location of `root`
/// stands for locations, and operations are made as part of this run. Handles
/// met in the run can be used on this thread only; what lies outside of `root`
/// can be looked at from inside (parent, name, attributes), not walked into or
/// changed.
PyObject *ir_run_begin(PyObject *object, MlirOperation root);

/// Whether the pass left the operation as others can work with it; raises if
/// not. For the end of a run that did not fail.
int ir_run_check(PyObject *operation);

/// Ends it: all operations, blocks, regions and values that were met in the run
/// raise from now on; attributes, types, maps and locations stay as long as the
/// context. Detached operations are destroyed. Takes any thread's exception
/// state as it is and keeps it. Does not take the reference.
void ir_run_end(PyObject *operation);

//===----------------------------------------------------------------------===//
// Passes run on Python's objects
//===----------------------------------------------------------------------===//

/// True for a Module, an Operation or an OpView of mlirplug.ir.
int ir_is_operation(PyObject *object);

/// Looks into one that is alive, or raises. The pointers stay valid as long as
/// the object. `context` is new, and may be null.
int ir_operation_get(PyObject *object, struct ir_api **api, PyObject **context,
                     MlirOperation *operation);

/// Before code other than mlirplug.ir works on the operation and what is in it
/// (mlirplug_manager_run), which may be without the GIL and on other threads.
/// Until ir_operation_unlock, all handles into its tree raise.
int ir_operation_lock(PyObject *object);

/// Afterwards: `object` itself is as good as before, all other handles to what
/// is inside of it are dead.
void ir_operation_unlock(PyObject *object);

/// An Operation for something that somebody else owns and keeps as long as the
/// Context `object` is not closed.
PyObject *ir_operation_wrap(PyObject *object, MlirOperation operation);

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Diagnostics of a context, kept instead of printed.
struct ir_capture;

/// Begins to keep what is emitted on this thread (on any, if `all_threads`).
struct ir_capture *ir_capture_begin(PyObject *object, bool all_threads);

/// Ends that. Returns a list of DiagnosticInfo.
PyObject *ir_capture_end(struct ir_capture *capture);

#endif // MLIRPLUG_PYTHON_IR_H
