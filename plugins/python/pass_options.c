// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass.h"

#include <stdlib.h>
#include <string.h>

const char *pass_text_keep(PyObject *object) {
  if (object == Py_None)
    return NULL;
  Py_ssize_t length;
  PyObject *bytes = PyUnicode_AsEncodedString(object, "utf-8", "strict");
  char *text, *copy = NULL;
  if (bytes && PyBytes_AsStringAndSize(bytes, &text, &length) == 0) {
    if (memchr(text, 0, (size_t)length))
      PyErr_SetString(PyExc_ValueError, "a text has a NUL in it");
    else if (!(copy = strdup(text)))
      PyErr_NoMemory();
  }
  Py_XDECREF(bytes);
  return copy;
}

const char *pass_text_of(PyObject *bytes, Py_ssize_t *length) {
  char *text;
  return PyBytes_AsStringAndSize(bytes, &text, length) == 0 ? text : NULL;
}

/// The size of a field of this kind, which is its alignment, too.
static size_t field_size(uint32_t kind) {
  if (kind & MLIRPLUG_KIND_LIST)
    return sizeof(mlirplug_int_list);
  return kind == MLIRPLUG_KIND_BOOL ? sizeof(bool) : sizeof(int64_t);
}

/// An integer of either sign, as the 64 bits that it is.
static int integer_read(PyObject *object, uint32_t kind, int64_t *value) {
  if ((kind & ~MLIRPLUG_KIND_LIST) == MLIRPLUG_KIND_UINT)
    *value = (int64_t)PyLong_AsUnsignedLongLong(object);
  else
    *value = PyLong_AsLongLong(object);
  return PyErr_Occurred() ? -1 : 0;
}

static int range_read(PyObject *fields, mlirplug_option *option) {
  PyObject *low = PyTuple_GetItem(fields, 8),
           *high = PyTuple_GetItem(fields, 9);
  if (!low || !high)
    return -1;
  option->flags = MLIRPLUG_OPTION_RANGE;
  if ((option->kind & ~MLIRPLUG_KIND_LIST) == MLIRPLUG_KIND_DOUBLE) {
    option->minimum_double = PyFloat_AsDouble(low);
    option->maximum_double = PyFloat_AsDouble(high);
    return PyErr_Occurred() ? -1 : 0;
  }
  if (integer_read(low, option->kind, &option->minimum) != 0)
    return -1;
  return integer_read(high, option->kind, &option->maximum);
}

/// One option of what _options.py's `fields` gives.
static int option_make(PyObject *fields, mlirplug_option *option) {
  PyObject *item[8];
  for (Py_ssize_t i = 0; i < 8; ++i)
    if (!(item[i] = PyTuple_GetItem(fields, i)))
      return -1;
  option->kind = (uint32_t)PyLong_AsUnsignedLong(item[2]);
  option->name = pass_text_keep(item[0]);
  option->help = pass_text_keep(item[1]);
  option->default_text = pass_text_keep(item[5]);
  option->choices = pass_text_keep(item[6]);
  option->default_double = PyFloat_AsDouble(item[4]);
  if (PyErr_Occurred() ||
      integer_read(item[3], option->kind, &option->default_integer) != 0)
    return -1;
  int has_range = PyObject_IsTrue(item[7]);
  return has_range > 0 ? range_read(fields, option) : has_range;
}

int pass_options_make(PyObject *list, mlirplug_pass *pass) {
  Py_ssize_t count = PyList_Size(list);
  if (count < 0)
    return -1;
  mlirplug_option *options = calloc((size_t)count + 1, sizeof *options);
  if (!options) {
    PyErr_NoMemory();
    return -1;
  }
  size_t offset = 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    // The texts of those before are kept: files that cannot be opened are few.
    if (option_make(PyList_GetItem(list, i), &options[i]) != 0) {
      free(options);
      return -1;
    }
    size_t size = field_size(options[i].kind);
    size_t align = size > sizeof(int64_t) ? sizeof(int64_t) : size;
    offset = (offset + align - 1) & ~(align - 1);
    options[i].offset = offset;
    offset += size;
  }
  pass->option_size = sizeof *options;
  pass->options = options;
  pass->option_count = (uint64_t)count;
  pass->options_size = (offset + 7) & ~(size_t)7;
  return 0;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static PyObject *choice_make(const char *choices, int64_t position) {
  const char *choice = choices;
  for (; position > 0 && strchr(choice, ','); --position)
    choice = strchr(choice, ',') + 1;
  return PyUnicode_FromStringAndSize(choice, (Py_ssize_t)strcspn(choice, ","));
}

/// The value of a kind that is no list, at `at`.
static PyObject *value_make(const mlirplug_option *option, const void *at) {
  switch (option->kind & ~MLIRPLUG_KIND_LIST) {
  case MLIRPLUG_KIND_BOOL:
    return PyBool_FromLong(*(const bool *)at);
  case MLIRPLUG_KIND_INT:
    return PyLong_FromLongLong(*(const int64_t *)at);
  case MLIRPLUG_KIND_UINT:
    return PyLong_FromUnsignedLongLong(*(const uint64_t *)at);
  case MLIRPLUG_KIND_DOUBLE:
    return PyFloat_FromDouble(*(const double *)at);
  case MLIRPLUG_KIND_ENUM:
    return choice_make(option->choices, *(const int64_t *)at);
  default: {
    const char *text = *(const char *const *)at;
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text),
                                "surrogateescape");
  }
  }
}

static PyObject *list_make(const mlirplug_option *option,
                           const mlirplug_int_list *list) {
  uint32_t kind = option->kind & ~MLIRPLUG_KIND_LIST;
  size_t size = kind == MLIRPLUG_KIND_BOOL ? sizeof(bool) : sizeof(int64_t);
  PyObject *tuple = PyTuple_New((Py_ssize_t)list->count);
  for (uint64_t i = 0; tuple && i < list->count; ++i) {
    PyObject *value = value_make(option, (const char *)list->values + i * size);
    if (!value || PyTuple_SetItem(tuple, (Py_ssize_t)i, value) != 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

/// The name by which Python code finds the option.
static PyObject *name_make(const char *name) {
  char *copy = strdup(name);
  if (!copy)
    return PyErr_NoMemory();
  for (char *c = copy; *c; ++c)
    if (*c == '-' || *c == '.')
      *c = '_';
  PyObject *made = PyUnicode_FromString(copy);
  free(copy);
  return made;
}

static int value_set(PyObject *values, const mlirplug_option *option,
                     const void *options) {
  const void *at = (const char *)options + option->offset;
  PyObject *name = name_make(option->name);
  PyObject *value = option->kind & MLIRPLUG_KIND_LIST ? list_make(option, at)
                                                      : value_make(option, at);
  int result = name && value ? PyDict_SetItem(values, name, value) : -1;
  Py_XDECREF(name);
  Py_XDECREF(value);
  return result;
}

PyObject *pass_options_read(const mlirplug_pass *pass, const void *options) {
  PyObject *values = PyDict_New(), *none = PyTuple_New(0), *made = NULL;
  bool complete = values && none;
  for (uint64_t i = 0; complete && options && i < pass->option_count; ++i)
    complete = value_set(values, &pass->options[i], options) == 0;
  if (complete)
    made = PyObject_Call(module_state()->namespace, none, values);
  Py_XDECREF(values);
  Py_XDECREF(none);
  return made;
}
