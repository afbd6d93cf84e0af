// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir_diagnostic.h"

#include <pthread.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static struct ir_diagnostic *copy_one(const struct ir_api *api,
                                      MlirDiagnostic diagnostic) {
  struct ir_diagnostic *copy = calloc(1, sizeof(*copy));
  if (!copy)
    return NULL;
  copy->severity = api->mlirDiagnosticGetSeverity(diagnostic);
  copy->location = api->mlirDiagnosticGetLocation(diagnostic);
  api->mlirDiagnosticPrint(diagnostic, ir_text_append, &copy->text);
  return copy;
}

struct ir_diagnostic *ir_diagnostic_copy(const struct ir_api *api,
                                         MlirDiagnostic diagnostic) {
  struct ir_diagnostic *copy = copy_one(api, diagnostic);
  if (!copy)
    return NULL;
  // Notes have no notes.
  struct ir_diagnostic **end = &copy->notes;
  intptr_t count = api->mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < count; ++i) {
    *end = copy_one(api, api->mlirDiagnosticGetNote(diagnostic, i));
    if (*end)
      end = &(*end)->next;
  }
  return copy;
}

void ir_diagnostic_destroy(struct ir_diagnostic *diagnostic) {
  while (diagnostic) {
    struct ir_diagnostic *next = diagnostic->next;
    struct ir_diagnostic *note = diagnostic->notes;
    while (note) {
      struct ir_diagnostic *following = note->next;
      free(note->text.data);
      free(note);
      note = following;
    }
    free(diagnostic->text.data);
    free(diagnostic);
    diagnostic = next;
  }
}

static PyObject *object_new(struct ir_context *context,
                            const struct ir_diagnostic *diagnostic,
                            PyObject *notes) {
  PyObject *location = ir_location_new(context, diagnostic->location);
  PyObject *message = ir_string_new(
      (MlirStringRef){diagnostic->text.data, diagnostic->text.length});
  PyObject *object = NULL;
  if (location && message)
    object = PyObject_CallMethod(context->types->support, "DiagnosticInfo",
                                 "iOOO", (int)diagnostic->severity, location,
                                 message, notes);
  Py_XDECREF(location);
  Py_XDECREF(message);
  return object;
}

PyObject *ir_diagnostic_object(struct ir_context *context,
                               const struct ir_diagnostic *diagnostic) {
  PyObject *notes = PyList_New(0);
  if (!notes)
    return NULL;
  for (struct ir_diagnostic *note = diagnostic->notes; note;
       note = note->next) {
    PyObject *none = PyList_New(0);
    PyObject *object = none ? object_new(context, note, none) : NULL;
    int status = object ? PyList_Append(notes, object) : -1;
    Py_XDECREF(none);
    Py_XDECREF(object);
    if (status < 0) {
      Py_DECREF(notes);
      return NULL;
    }
  }
  PyObject *object = object_new(context, diagnostic, notes);
  Py_DECREF(notes);
  return object;
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

struct ir_capture {
  struct ir_context *context;
  MlirDiagnosticHandlerID handler;
  pthread_t thread;
  bool all_threads;
  struct ir_diagnostic *first; ///< MLIR calls one handler at a time.
  struct ir_diagnostic **end;
};

static MlirLogicalResult keep(MlirDiagnostic diagnostic, void *user_data) {
  struct ir_capture *capture = user_data;
  if (!capture->all_threads && !pthread_equal(capture->thread, pthread_self()))
    return mlirLogicalResultFailure();
  struct ir_diagnostic *copy =
      ir_diagnostic_copy(capture->context->api, diagnostic);
  if (!copy)
    return mlirLogicalResultFailure();
  *capture->end = copy;
  capture->end = &copy->next;
  return mlirLogicalResultSuccess();
}

struct ir_capture *ir_capture_begin(PyObject *object, bool all_threads) {
  struct ir_context *context = (struct ir_context *)object;
  struct ir_capture *capture = calloc(1, sizeof(*capture));
  if (!capture) {
    PyErr_NoMemory();
    return NULL;
  }
  Py_INCREF(context);
  *capture = (struct ir_capture){.context = context,
                                 .thread = pthread_self(),
                                 .all_threads = all_threads,
                                 .end = &capture->first};
  capture->handler = context->api->mlirContextAttachDiagnosticHandler(
      context->context, keep, capture, NULL);
  return capture;
}

static void capture_destroy(struct ir_capture *capture) {
  ir_diagnostic_destroy(capture->first);
  Py_DECREF(capture->context);
  free(capture);
}

static void capture_detach(struct ir_capture *capture) {
  capture->context->api->mlirContextDetachDiagnosticHandler(
      capture->context->context, capture->handler);
}

PyObject *ir_capture_end(struct ir_capture *capture) {
  capture_detach(capture);
  PyObject *list = PyList_New(0);
  for (struct ir_diagnostic *each = capture->first; list && each;
       each = each->next) {
    PyObject *object = ir_diagnostic_object(capture->context, each);
    if (!object || PyList_Append(list, object) < 0)
      Py_CLEAR(list);
    Py_XDECREF(object);
  }
  capture_destroy(capture);
  return list;
}

void ir_capture_drop(struct ir_capture *capture) {
  capture_detach(capture);
  capture_destroy(capture);
}

/// Takes `diagnostics`, a list of DiagnosticInfo.
static void error_raise(const char *message, PyObject *diagnostics) {
  PyObject *class = module_ir_types()->error;
  PyObject *error = PyObject_CallFunction(class, "sO", message, diagnostics);
  Py_DECREF(diagnostics);
  if (error)
    PyErr_SetObject(class, error);
  Py_XDECREF(error);
}

void ir_capture_raise(struct ir_capture *capture, const char *message) {
  PyObject *list = ir_capture_end(capture);
  if (list)
    error_raise(message, list);
}

int ir_register_error(PyObject *module, struct ir_types *types) {
  (void)module;
  types->support = PyImport_ImportModule("mlirplug._ir");
  if (!types->support)
    return -1;
  types->error = PyObject_GetAttrString(types->support, "MLIRError");
  return types->error ? 0 : -1;
}
