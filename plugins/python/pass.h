// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes written in Python.
//
// pass_open.c     a .py file: the passes that it declares, as a descriptor
// pass_call.c     what the core calls
// pass_options.c  option values as Python's
// pass_context.c  the copies of MLIR and contexts that passes run in
// pass_run.c      the object that a pass is given beside the operation
// pass_error.c    exceptions as diagnostics

#ifndef MLIRPLUG_PYTHON_PASS_H
#define MLIRPLUG_PYTHON_PASS_H

#include "module.h"

#include "bridge.h"

/// A pass. It lives for ever.
struct python_pass {
  mlirplug_pass pass; ///< First, so that a run's `pass` is one.
  PyObject *declared; ///< The _Pass of mlirplug._passes.
  const struct python_services *services;
  bool wants_package;
  bool has_initialize;
  bool has_finish;
};

/// A context that passes run in: see pass_context.c.
struct pass_context;

/// An instance's state.
struct pass_state {
  struct python_pass *pass;
  PyObject *instance;           ///< Of the class; None for a function.
  PyObject *options;            ///< A namespace.
  struct pass_context *context; ///< Null before initialize.
  /// The exception of a callback that has no run to report it by; reported by
  /// the next one that has. Null for none.
  PyObject *late[3];
};

/// A callback of a pass, under way on this thread.
struct pass_call {
  const mlirplug_run *run; ///< Null in callbacks that have none.
  struct python_pass *pass;
  struct pass_state *state;
  PyObject *object; ///< The Run, once it was made.
  /// Its `run`'s counterpart for whoever interrupts it (host_run.c).
  struct pass_call *outer;
  unsigned long thread;
};

static inline struct python_pass *pass_of(const mlirplug_run *run) {
  return (struct python_pass *)run->pass;
}

// pass_open.c

/// What the capsule for python.so holds.
const struct python_extension *pass_extension(void);

// pass_call.c

/// Fills in the callbacks of a pass; those that the class has no methods for
/// stay null.
int pass_callbacks_fill(struct python_pass *pass);

/// Whether this thread is in a callback of a pass.
bool pass_is_running(void);

/// Has the calls of passes that are under way in a run which was cancelled
/// raise KeyboardInterrupt.
void pass_interrupt(void);

// pass_options.c

/// The table for `list`, what Option.fields() gave; and where each lies in a
/// structure of the pass's own.
int pass_options_make(PyObject *list, mlirplug_pass *pass);

/// The values of a run's options, as a namespace.
PyObject *pass_options_read(const mlirplug_pass *pass, const void *options);

/// A copy of `object`, a str or None, for ever. Null for None; an exception is
/// set if it is something else.
const char *pass_text_keep(PyObject *object);

/// What is in a bytes object, as long as that lives; null with an exception.
const char *pass_text_of(PyObject *bytes, Py_ssize_t *length);

// pass_context.c

/// The context of a run, which counts as a user of it until it is released.
/// Null with an exception.
struct pass_context *pass_context_get(const mlirplug_run *run,
                                      MlirContext context);
/// The same for who runs a pipeline of `host`.
struct pass_context *pass_context_get_for(mlirplug_host *host,
                                          MlirContext context);
struct pass_context *pass_context_retain(struct pass_context *context);
/// Takes null. With the last user its objects go.
void pass_context_release(struct pass_context *context);

MlirContext pass_context_mlir(const struct pass_context *context);

/// Its Context object, borrowed.
PyObject *pass_context_object(const struct pass_context *context);

/// Says that runs on `host` are runs on modules of `package`, which has the
/// prefix of its capsules ("jaxlib.mlir"). Lives for ever.
int pass_package_enter(const mlirplug_host *host, const char *package);

/// An Operation of that package; an exception is set if the run is not on one.
PyObject *pass_package_operation(const mlirplug_run *run, MlirOperation root);

// pass_run.c

int pass_run_register(PyObject *module);
/// The Run for a call; and what makes it useless afterwards.
PyObject *pass_run_make(struct pass_call *call);
void pass_run_end(struct pass_call *call);

/// The location that `object`, an operation or a location of whatever bindings,
/// is or has; null for None. -1 with an exception.
int pass_location_get(const struct pass_call *call, PyObject *object,
                      MlirLocation *location);

/// Sends a diagnostic. Without the GIL meanwhile: handlers may want it.
void pass_diagnose(const struct pass_call *call, int32_t severity,
                   MlirLocation location, const char *text, size_t length);

// pass_error.c

/// Makes the exception that is set an error of the run, at `location` or else
/// where the run is, with the traceback as notes, and clears it.
void pass_exception_report(const struct pass_call *call);

#endif // MLIRPLUG_PYTHON_PASS_H
