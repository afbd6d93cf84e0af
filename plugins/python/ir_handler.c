// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class DiagnosticHandler: a function of Python's that is told of
// diagnostics.

#include "ir_diagnostic.h"

#include <stdlib.h>

struct handler {
  PyObject_HEAD;
  struct ir_context *context;
  PyObject *callback;
  MlirDiagnosticHandlerID id;
  bool attached;
  bool had_error;
  /// What came in while passes ran, on whatever thread: MLIR calls one handler
  /// at a time.
  struct ir_diagnostic *first;
  struct ir_diagnostic **end;
  struct handler *next; ///< In the context's.
};

/// Returns whether the callback wants the diagnostic for itself.
static bool handler_call(struct handler *handler,
                         const struct ir_diagnostic *diagnostic) {
  PyObject *object = ir_diagnostic_object(handler->context, diagnostic);
  PyObject *result =
      object ? PyObject_CallFunctionObjArgs(handler->callback, object, NULL)
             : NULL;
  int taken = result ? PyObject_IsTrue(result) : -1;
  if (taken < 0) {
    handler->had_error = true;
    PyErr_WriteUnraisable(handler->callback);
  }
  Py_XDECREF(object);
  Py_XDECREF(result);
  return taken > 0;
}

static MlirLogicalResult receive(MlirDiagnostic diagnostic, void *user_data) {
  struct handler *handler = user_data;
  struct ir_diagnostic *copy =
      ir_diagnostic_copy(handler->context->api, diagnostic);
  if (!copy)
    return mlirLogicalResultFailure();
  if (handler->context->runs) {
    *handler->end = copy;
    handler->end = &copy->next;
    return mlirLogicalResultSuccess();
  }
  // Only calls from Python emit now: this thread has the GIL.
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  bool taken = handler_call(handler, copy);
  PyErr_Restore(type, value, traceback);
  ir_diagnostic_destroy(copy);
  return taken ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

PyObject *ir_handler_attach(struct ir_context *context, PyObject *callback) {
  if (!PyCallable_Check(callback)) {
    PyErr_SetString(PyExc_TypeError, "a diagnostic handler is a callable");
    return NULL;
  }
  struct handler *handler = ir_object_new(context->types->diagnostic_handler);
  if (!handler)
    return NULL;
  Py_INCREF(context);
  Py_INCREF(callback);
  handler->context = context;
  handler->callback = callback;
  handler->end = &handler->first;
  handler->attached = true;
  handler->id = context->api->mlirContextAttachDiagnosticHandler(
      context->context, receive, handler, NULL);
  handler->next = context->handlers;
  context->handlers = handler;
  // Attached, it is kept alive by that.
  Py_INCREF(handler);
  return (PyObject *)handler;
}

static void handler_deliver(struct handler *handler) {
  struct ir_diagnostic *first = handler->first;
  handler->first = NULL;
  handler->end = &handler->first;
  for (struct ir_diagnostic *each = first; each; each = each->next)
    handler_call(handler, each);
  ir_diagnostic_destroy(first);
}

void ir_handlers_deliver(struct ir_context *context) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  // A callback may detach the handler, or others.
  for (struct handler *handler = context->handlers; handler;) {
    Py_INCREF(handler);
    handler_deliver(handler);
    struct handler *next = handler->next;
    Py_DECREF(handler);
    handler = next;
  }
  PyErr_Restore(type, value, traceback);
}

static void handler_detach(struct handler *handler) {
  if (!handler->attached)
    return;
  struct ir_context *context = handler->context;
  handler->attached = false;
  context->api->mlirContextDetachDiagnosticHandler(context->context,
                                                   handler->id);
  for (struct handler **link = &context->handlers; *link; link = &(*link)->next)
    if (*link == handler) {
      *link = handler->next;
      break;
    }
  Py_DECREF(handler);
}

static PyObject *detach(PyObject *self, PyObject *arguments) {
  (void)arguments;
  struct handler *handler = (struct handler *)self;
  if (handler->context->runs) {
    PyErr_SetString(PyExc_RuntimeError,
                    "cannot detach a handler while passes run");
    return NULL;
  }
  handler_detach(handler);
  Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *ignored) {
  (void)ignored;
  Py_INCREF(self);
  return self;
}

static PyObject *get_attached(PyObject *self, void *closure) {
  (void)closure;
  return PyBool_FromLong(((struct handler *)self)->attached);
}

static PyObject *get_had_error(PyObject *self, void *closure) {
  (void)closure;
  return PyBool_FromLong(((struct handler *)self)->had_error);
}

static void handler_dealloc(PyObject *self) {
  struct handler *handler = (struct handler *)self;
  PyObject *callback = handler->callback;
  struct ir_context *context = handler->context;
  ir_diagnostic_destroy(handler->first);
  ir_object_free(self);
  Py_XDECREF(callback);
  Py_XDECREF(context);
}

static PyObject *handler_make(PyTypeObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)arguments;
  (void)keywords;
  PyErr_Format(PyExc_TypeError, "%R is made by attach_diagnostic_handler",
               (PyObject *)class);
  return NULL;
}

static PyMethodDef methods[] = {
    {"detach", detach, METH_NOARGS, "Calls the function no more."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", detach, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"attached", get_attached, NULL, NULL, NULL},
    {"had_error", get_had_error, NULL, "Whether the function raised.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "A function that is told of diagnostics."},
    {Py_tp_new, handler_make},
    {Py_tp_dealloc, handler_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_handler_register(PyObject *module, struct ir_types *types) {
  types->diagnostic_handler = ir_class_make(
      module, "DiagnosticHandler", sizeof(struct handler), NULL, slots);
  return types->diagnostic_handler ? 0 : -1;
}
