// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the core calls, on whatever thread. Each callback takes the GIL for as
// long as it lasts.

#include "pass.h"

#include <stdlib.h>

/// Calls under way, on all threads. Under the GIL.
static struct pass_call *calls;

static void call_begin(struct pass_call *call, const mlirplug_run *run,
                       struct pass_state *state) {
  *call = (struct pass_call){.run = run,
                             .pass = run ? pass_of(run) : state->pass,
                             .state = state,
                             .outer = calls,
                             .thread = PyThread_get_thread_ident()};
  calls = call;
}

static void call_leave(struct pass_call *call) {
  struct pass_call **link = &calls;
  while (*link != call)
    link = &(*link)->outer;
  *link = call->outer;
  pass_run_end(call);
}

/// Reports the exception that is set, if any. The result is the callback's.
static mlirplug_status call_end(struct pass_call *call, bool succeeded) {
  if (!succeeded)
    pass_exception_report(call);
  call_leave(call);
  return succeeded ? MLIRPLUG_OK : MLIRPLUG_FAILED;
}

/// The same for a callback that has no run: the first exception is kept.
static void call_end_later(struct pass_call *call, bool succeeded) {
  PyObject **late = call->state->late;
  if (!succeeded && !late[0])
    PyErr_Fetch(&late[0], &late[1], &late[2]);
  PyErr_Clear();
  call_leave(call);
}

/// Raises the exception that was kept; true if there is one.
static bool late_raise(struct pass_state *state) {
  PyObject **late = state->late;
  if (!late[0])
    return false;
  PyErr_Restore(late[0], late[1], late[2]);
  late[0] = late[1] = late[2] = NULL;
  return true;
}

bool pass_is_running(void) {
  const struct pass_call *call = calls;
  unsigned long thread = PyThread_get_thread_ident();
  while (call && call->thread != thread)
    call = call->outer;
  return call;
}

void pass_interrupt(void) {
  for (const struct pass_call *call = calls; call; call = call->outer)
    if (call->run && call->pass->services->is_cancelled(call->run))
      PyThreadState_SetAsyncExc(call->thread, PyExc_KeyboardInterrupt);
}

/// Calls a method of what was declared; true if it returned.
static bool method_call(const struct pass_call *call, const char *method,
                        PyObject *first, PyObject *second) {
  PyObject *result =
      second ? PyObject_CallMethod(call->pass->declared, method, "OO", first,
                                   second)
             : PyObject_CallMethod(call->pass->declared, method, "O", first);
  Py_XDECREF(result);
  return result;
}

//===----------------------------------------------------------------------===//
// The state
//===----------------------------------------------------------------------===//

static void state_destroy(struct pass_state *state) {
  if (!state)
    return;
  Py_XDECREF(state->instance);
  Py_XDECREF(state->options);
  for (size_t i = 0; i < sizeof state->late / sizeof *state->late; ++i)
    Py_XDECREF(state->late[i]);
  pass_context_release(state->context);
  free(state);
}

static void *on_create(const mlirplug_run *run) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct python_pass *pass = pass_of(run);
  struct pass_state *made = calloc(1, sizeof *made);
  struct pass_call call;
  if (made) {
    made->pass = pass;
    call_begin(&call, run, made);
    made->options = pass_options_read(run->pass, run->options);
    if (made->options)
      made->instance =
          PyObject_CallMethod(pass->declared, "create", "O", made->options);
    if (call_end(&call, made->instance) != MLIRPLUG_OK) {
      state_destroy(made);
      made = NULL;
    }
  }
  PyGILState_Release(gil);
  return made;
}

static void *on_clone(const mlirplug_run *run) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct pass_state *from = run->state;
  struct pass_state *made = calloc(1, sizeof *made);
  struct pass_call call;
  if (made) {
    call_begin(&call, run, from);
    made->pass = from->pass;
    Py_INCREF(from->options);
    made->options = from->options;
    made->context = pass_context_retain(from->context);
    made->instance =
        PyObject_CallMethod(from->pass->declared, "clone", "O", from->instance);
    if (call_end(&call, made->instance) != MLIRPLUG_OK) {
      state_destroy(made);
      made = NULL;
    }
  }
  PyGILState_Release(gil);
  return made;
}

static void on_destroy(void *state) {
  // At the end of the process there may be no Python any more.
  if (!Py_IsInitialized())
    return;
  PyGILState_STATE gil = PyGILState_Ensure();
  state_destroy(state);
  PyGILState_Release(gil);
}

static mlirplug_status on_initialize(const mlirplug_run *run,
                                     MlirContext context) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct pass_state *state = run->state;
  struct pass_call call;
  call_begin(&call, run, state);
  struct pass_context *used =
      late_raise(state) ? NULL : pass_context_get(run, context);
  bool succeeded = used;
  if (used) {
    pass_context_release(state->context);
    state->context = used;
  }
  if (used && state->pass->has_initialize) {
    PyObject *object = pass_run_make(&call);
    succeeded =
        object && method_call(&call, "initialize", state->instance, object);
  }
  mlirplug_status status = call_end(&call, succeeded);
  PyGILState_Release(gil);
  return status;
}

static void on_merge(void *into, const void *from) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct pass_state *state = into;
  const struct pass_state *other = from;
  struct pass_call call;
  call_begin(&call, NULL, state);
  call_end_later(&call,
                 method_call(&call, "merge", state->instance, other->instance));
  PyGILState_Release(gil);
}

static mlirplug_status on_finish(const mlirplug_run *run) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct pass_state *state = run->state;
  struct pass_call call;
  call_begin(&call, run, state);
  bool succeeded = !late_raise(state);
  if (succeeded && state->pass->has_finish) {
    PyObject *object = pass_run_make(&call);
    succeeded = object && method_call(&call, "finish", state->instance, object);
  }
  mlirplug_status status = call_end(&call, succeeded);
  PyGILState_Release(gil);
  return status;
}

static void on_reset(void *of) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct pass_state *state = of;
  struct pass_call call;
  call_begin(&call, NULL, state);
  PyObject *instance = PyObject_CallMethod(state->pass->declared, "reset", "OO",
                                           state->instance, state->options);
  if (instance) {
    Py_DECREF(state->instance);
    state->instance = instance;
  }
  call_end_later(&call, instance);
  PyGILState_Release(gil);
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// With objects of mlirplug.ir.
static bool run_call(struct pass_call *call, MlirOperation root) {
  struct pass_state *state = call->state;
  PyObject *object = pass_run_make(call);
  PyObject *operation =
      object ? ir_run_begin(pass_context_object(state->context), root) : NULL;
  if (!operation)
    return false;
  PyObject *result = PyObject_CallMethod(state->pass->declared, "run", "OOO",
                                         state->instance, operation, object);
  if (result && ir_run_check(operation) != 0)
    Py_CLEAR(result);
  // The exception's place is an operation of this run.
  if (!result)
    pass_exception_report(call);
  Py_XDECREF(result);
  ir_run_end(operation);
  Py_DECREF(operation);
  return result;
}

/// With objects of the package that the module is from.
static bool run_call_package(struct pass_call *call, MlirOperation root) {
  struct pass_state *state = call->state;
  PyObject *object = pass_run_make(call);
  PyObject *operation = object ? pass_package_operation(call->run, root) : NULL;
  PyObject *result = NULL;
  if (operation)
    result = PyObject_CallMethod(state->pass->declared, "run", "OOO",
                                 state->instance, operation, object);
  if (!result)
    pass_exception_report(call);
  Py_XDECREF(result);
  Py_XDECREF(operation);
  return result;
}

static mlirplug_status on_run(const mlirplug_run *run, MlirOperation root) {
  PyGILState_STATE gil = PyGILState_Ensure();
  struct pass_call call;
  call_begin(&call, run, run->state);
  bool succeeded = pass_of(run)->wants_package ? run_call_package(&call, root)
                                               : run_call(&call, root);
  // What went wrong before the pass was called.
  bool is_reported = !succeeded && !PyErr_Occurred();
  mlirplug_status status = call_end(&call, succeeded || is_reported);
  PyGILState_Release(gil);
  return is_reported ? MLIRPLUG_FAILED : status;
}

static int flag_read(PyObject *declared, const char *name, bool *flag) {
  PyObject *value = PyObject_GetAttrString(declared, name);
  int truth = value ? PyObject_IsTrue(value) : -1;
  Py_XDECREF(value);
  *flag = truth > 0;
  return truth < 0 ? -1 : 0;
}

int pass_callbacks_fill(struct python_pass *pass) {
  bool has_merge, has_reset;
  if (flag_read(pass->declared, "has_initialize", &pass->has_initialize) != 0 ||
      flag_read(pass->declared, "wants_package", &pass->wants_package) != 0 ||
      flag_read(pass->declared, "has_merge", &has_merge) != 0 ||
      flag_read(pass->declared, "has_finish", &pass->has_finish) != 0 ||
      flag_read(pass->declared, "has_reset", &has_reset) != 0)
    return -1;
  mlirplug_pass *callbacks = &pass->pass;
  callbacks->create = on_create;
  callbacks->clone = on_clone;
  callbacks->destroy = on_destroy;
  callbacks->initialize = on_initialize;
  callbacks->run = on_run;
  callbacks->merge = has_merge ? on_merge : NULL;
  // Also for what went wrong in merge.
  callbacks->finish = pass->has_finish || has_merge ? on_finish : NULL;
  callbacks->reset = has_reset ? on_reset : NULL;
  return 0;
}
