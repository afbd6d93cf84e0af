// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ir_object.h"

#include <stdlib.h>
#include <string.h>

void ir_text_append(MlirStringRef piece, void *user_data) {
  struct ir_text *text = user_data;
  if (text->capacity - text->length < piece.length) {
    size_t capacity = 2 * text->capacity + piece.length + 128;
    char *data = text->failed ? NULL : realloc(text->data, capacity);
    if (!data) {
      text->failed = true;
      return;
    }
    text->data = data;
    text->capacity = capacity;
  }
  if (piece.length)
    memcpy(text->data + text->length, piece.data, piece.length);
  text->length += piece.length;
}

PyObject *ir_text_take(struct ir_text *text) {
  PyObject *string =
      text->failed ? PyErr_NoMemory()
                   : ir_string_new((MlirStringRef){text->data, text->length});
  free(text->data);
  *text = (struct ir_text){0};
  return string;
}

PyObject *ir_text_take_as(struct ir_text *text, PyObject *object) {
  PyObject *inner = ir_text_take(text);
  PyObject *name =
      inner ? PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__")
            : NULL;
  PyObject *string = name ? PyUnicode_FromFormat("%U(%U)", name, inner) : NULL;
  Py_XDECREF(inner);
  Py_XDECREF(name);
  return string;
}

PyObject *ir_text_take_bytes(struct ir_text *text) {
  PyObject *bytes =
      text->failed
          ? PyErr_NoMemory()
          : PyBytes_FromStringAndSize(text->data, (Py_ssize_t)text->length);
  free(text->data);
  *text = (struct ir_text){0};
  return bytes;
}

/// Strings of MLIR need not be UTF-8: what is not comes back as it was when it
/// is passed to MLIR again.
PyObject *ir_string_new(MlirStringRef string) {
  return PyUnicode_DecodeUTF8(string.data ? string.data : "",
                              (Py_ssize_t)string.length, "surrogateescape");
}

bool ir_string_argument(PyObject *object, MlirStringRef *string,
                        PyObject **bytes) {
  if (!PyUnicode_Check(object) && !PyBytes_Check(object)) {
    PyErr_Format(PyExc_TypeError, "expected a str, not %R",
                 (PyObject *)Py_TYPE(object));
    return false;
  }
  Py_ssize_t length;
  char *text;
  Py_CLEAR(*bytes);
  if (PyUnicode_Check(object))
    *bytes = PyUnicode_AsEncodedString(object, "utf-8", "surrogateescape");
  else
    Py_INCREF(*bytes = object);
  if (!*bytes || PyBytes_AsStringAndSize(*bytes, &text, &length) < 0)
    return false;
  *string = (MlirStringRef){text, (size_t)length};
  return true;
}

void ir_release(PyObject **object) { Py_CLEAR(*object); }

void *ir_array_new(Py_ssize_t count, size_t size) {
  void *array = PyMem_Malloc((size_t)count * size + 1);
  if (!array)
    PyErr_NoMemory();
  return array;
}

PyObject *ir_sequence(PyObject *object, const char *expected) {
  if (!object || object == Py_None)
    return PyTuple_New(0);
  // A tuple: nobody can change it while it is looked at.
  PyObject *tuple = PyUnicode_Check(object) ? NULL : PySequence_Tuple(object);
  if (!tuple &&
      (PyUnicode_Check(object) || PyErr_ExceptionMatches(PyExc_TypeError))) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "expected %s, not %R", expected,
                 (PyObject *)Py_TYPE(object));
  }
  return tuple;
}

bool ir_integers(PyObject *object, const char *expected, int64_t **values,
                 Py_ssize_t *count) {
  PyObject *sequence = ir_sequence(object, expected);
  if (!sequence)
    return false;
  *count = PyTuple_Size(sequence);
  *values = ir_array_new(*count, sizeof(**values));
  for (Py_ssize_t i = 0; *values && i < *count; ++i) {
    PyObject *item = PyTuple_GetItem(sequence, i);
    PyObject *index = PyNumber_Index(item);
    (*values)[i] = index ? PyLong_AsLongLong(index) : -1;
    Py_XDECREF(index);
    if (PyErr_Occurred()) {
      PyMem_Free(*values);
      *values = NULL;
    }
  }
  Py_DECREF(sequence);
  return *values != NULL;
}
