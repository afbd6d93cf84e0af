// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass.h"

#include <mlirplug/ir/Location.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// What an exception says.
struct explanation {
  PyObject *whole; ///< What mlirplug._passes.explain returned; owned.
  const char *text;
  size_t length;
  PyObject *at;     ///< Borrowed.
  PyObject *frames; ///< Borrowed; a list of (file, line, text).
};

/// Text for the case that even explaining fails.
static void explanation_give_up(struct explanation *explanation) {
  static const char text[] = "an exception that cannot be shown";
  PyErr_Clear();
  explanation->text = text;
  explanation->length = sizeof text - 1;
  explanation->at = explanation->frames = NULL;
}

/// Takes the exception that is set.
static void explanation_make(struct explanation *explanation) {
  PyObject *type, *value, *traceback;
  *explanation = (struct explanation){0};
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *passes = module_passes();
  if (passes)
    explanation->whole = PyObject_CallMethod(passes, "explain", "OOO", type,
                                             value ? value : Py_None,
                                             traceback ? traceback : Py_None);
  Py_ssize_t length = 0;
  PyObject *text =
      explanation->whole ? PyTuple_GetItem(explanation->whole, 0) : NULL;
  const char *bytes = text ? pass_text_of(text, &length) : NULL;
  if (bytes) {
    explanation->text = bytes;
    explanation->length = (size_t)length;
    explanation->at = PyTuple_GetItem(explanation->whole, 1);
    explanation->frames = PyTuple_GetItem(explanation->whole, 2);
  } else {
    explanation_give_up(explanation);
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

static Py_ssize_t frame_count(const struct explanation *explanation) {
  return explanation->frames ? PyList_Size(explanation->frames) : 0;
}

/// A call in the traceback. The strings live as long as the explanation.
static bool frame_read(const struct explanation *explanation, Py_ssize_t index,
                       const char **file, long *line, const char **text) {
  Py_ssize_t length;
  PyObject *frame = PyList_GetItem(explanation->frames, index);
  PyObject *file_item = frame ? PyTuple_GetItem(frame, 0) : NULL;
  PyObject *line_item = frame ? PyTuple_GetItem(frame, 1) : NULL;
  PyObject *text_item = frame ? PyTuple_GetItem(frame, 2) : NULL;
  if (!file_item || !line_item || !text_item)
    return false;
  *file = pass_text_of(file_item, &length);
  *text = pass_text_of(text_item, &length);
  *line = PyLong_AsLong(line_item);
  return *file && *text && !PyErr_Occurred();
}

/// Where a line of Python is, as a location of MLIR.
static MlirLocation line_location(const struct pass_call *call,
                                  const char *file, long line) {
  const struct python_services *services = call->pass->services;
  __typeof__(&mlirLocationFileLineColGet) make =
      (__typeof__(&mlirLocationFileLineColGet))services->lookup(
          call->run, "mlirLocationFileLineColGet");
  if (!make || !call->state || !call->state->context)
    return (MlirLocation){NULL};
  MlirContext context = pass_context_mlir(call->state->context);
  return make(context, (MlirStringRef){file, strlen(file)}, (unsigned)line, 0);
}

static void notes_send(const struct pass_call *call,
                       const struct explanation *explanation) {
  for (Py_ssize_t i = 0; i < frame_count(explanation); ++i) {
    const char *file, *text;
    long line;
    if (!frame_read(explanation, i, &file, &line, &text)) {
      PyErr_Clear();
      continue;
    }
    pass_diagnose(call, MlirDiagnosticNote, line_location(call, file, line),
                  text, strlen(text));
  }
}

/// The text with the traceback behind it, for a copy of MLIR that knows errors
/// only: there a note would be one more error.
static char *whole_text(const struct explanation *explanation, size_t *length) {
  char *made = NULL;
  FILE *stream = open_memstream(&made, length);
  if (!stream)
    return NULL;
  fwrite(explanation->text, 1, explanation->length, stream);
  for (Py_ssize_t i = 0; i < frame_count(explanation); ++i) {
    const char *file, *text;
    long line;
    if (frame_read(explanation, i, &file, &line, &text))
      fprintf(stream, "\n  %s:%ld: %s", file, line, text);
    else
      PyErr_Clear();
  }
  fclose(stream);
  return made;
}

void pass_exception_report(const struct pass_call *call) {
  struct explanation explanation;
  MlirLocation location;
  explanation_make(&explanation);
  // A handle to what is gone says no place.
  if (pass_location_get(call, explanation.at, &location) != 0)
    PyErr_Clear();
  bool has_notes =
      call->pass->services->lookup(call->run, "mlirplugExtEmit") != NULL;
  size_t length = 0;
  char *whole = has_notes ? NULL : whole_text(&explanation, &length);
  pass_diagnose(call, MlirDiagnosticError, location,
                whole ? whole : explanation.text,
                whole ? length : explanation.length);
  free(whole);
  if (has_notes)
    notes_send(call, &explanation);
  Py_XDECREF(explanation.whole);
}
