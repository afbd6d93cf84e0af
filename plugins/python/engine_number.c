// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <math.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Numbers that are given
//===----------------------------------------------------------------------===//

/// numpy's booleans are no integers for Python.
static PyObject *boolean_index(PyObject *object) {
  PyObject *type =
      PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__module__");
  bool is_numpy = type && PyUnicode_Check(type) &&
                  PyUnicode_CompareWithASCIIString(type, "numpy") == 0;
  Py_XDECREF(type);
  PyErr_Clear();
  if (!is_numpy)
    return PyNumber_Index(object);
  int value = PyObject_IsTrue(object);
  return value < 0 ? NULL : PyLong_FromLong(value);
}

static int out_of_range(const struct engine_element *element,
                        PyObject *number) {
  PyErr_Format(PyExc_OverflowError, "%R does not fit into %s", number,
               element->name);
  return -1;
}

static int integer_convert(const struct engine_element *element,
                           PyObject *number, uint64_t *slot) {
  unsigned bits =
      element->kind == ENGINE_BOOLEAN ? 1 : (unsigned)element->size * 8;
  uint64_t highest = UINT64_MAX >> (64 - bits);
  if (element->kind == ENGINE_SIGNED)
    highest >>= 1;
  int overflow;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (value == -1 && PyErr_Occurred())
    return -1;
  bool is_negative = overflow < 0 || (!overflow && value < 0);
  *slot = (uint64_t)value;
  if (overflow > 0) {
    *slot = PyLong_AsUnsignedLongLong(number);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      return out_of_range(element, number);
    }
  }
  bool has_sign =
      element->kind == ENGINE_SIGNED || element->kind == ENGINE_INTEGER;
  bool fits = is_negative
                  ? !overflow && has_sign && value >= INT64_MIN >> (64 - bits)
                  : *slot <= highest;
  return fits ? 0 : out_of_range(element, number);
}

static int integer_put(const struct engine_element *element, PyObject *object,
                       uint64_t *slot) {
  PyObject *number = element->kind == ENGINE_BOOLEAN ? boolean_index(object)
                                                     : PyNumber_Index(object);
  int result = number ? integer_convert(element, number, slot) : -1;
  Py_XDECREF(number);
  return result;
}

static int float_put(const struct engine_element *element, PyObject *object,
                     uint64_t *slot) {
  double value = PyFloat_AsDouble(object);
  if (value == -1.0 && PyErr_Occurred())
    return -1;
  if (element->size == sizeof(double)) {
    memcpy(slot, &value, sizeof value);
    return 0;
  }
  float narrow = (float)value;
  if (isfinite(value) && !isfinite(narrow))
    return out_of_range(element, object);
  memcpy(slot, &narrow, sizeof narrow);
  return 0;
}

static int complex_put(const struct engine_element *element, PyObject *object,
                       uint64_t *slot) {
  PyObject *number =
      PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, object, NULL);
  if (!number)
    return -1;
  double parts[] = {PyComplex_RealAsDouble(number),
                    PyComplex_ImagAsDouble(number)};
  Py_DECREF(number);
  if (element->size == sizeof parts) {
    memcpy(slot, parts, sizeof parts);
  } else {
    float narrow[] = {(float)parts[0], (float)parts[1]};
    memcpy(slot, narrow, sizeof narrow);
  }
  return 0;
}

/// What `convert` makes of it: the bits.
static int bits_put(const struct engine_parameter *parameter, PyObject *object,
                    uint64_t *slot) {
  PyObject *bits =
      PyObject_CallFunctionObjArgs(parameter->convert, object, NULL);
  if (!bits)
    return -1;
  *slot = PyLong_AsUnsignedLongLong(bits);
  Py_DECREF(bits);
  return PyErr_Occurred() ? -1 : 0;
}

static int number_convert(const struct engine_parameter *parameter,
                          PyObject *object, uint64_t *slot) {
  const struct engine_element *element = &parameter->element;
  switch (element->kind) {
  case ENGINE_FLOAT:
    return float_put(element, object, slot);
  case ENGINE_COMPLEX:
    return complex_put(element, object, slot);
  case ENGINE_BITS:
    return bits_put(parameter, object, slot);
  case ENGINE_INTEGER:
  case ENGINE_SIGNED:
  case ENGINE_UNSIGNED:
  case ENGINE_BOOLEAN:
    break;
  }
  return integer_put(element, object, slot);
}

int engine_number_put(const struct engine_parameter *parameter,
                      PyObject *object, struct engine_frame *frame) {
  *frame->pointer++ = frame->slot;
  uint64_t *slot = frame->slot;
  frame->slot += 2;
  return number_convert(parameter, object, slot);
}

//===----------------------------------------------------------------------===//
// Numbers that come back
//===----------------------------------------------------------------------===//

static PyObject *unsigned_make(uint64_t value, size_t size) {
  return PyLong_FromUnsignedLongLong(value & (UINT64_MAX >> (64 - size * 8)));
}

static PyObject *signed_make(uint64_t value, size_t size) {
  unsigned unused = 64 - (unsigned)size * 8;
  return PyLong_FromLongLong((int64_t)(value << unused) >> unused);
}

PyObject *engine_number_make(const struct engine_element *element,
                             const void *bytes) {
  float narrow[2];
  double wide[2];
  uint64_t value = 0;
  switch (element->kind) {
  case ENGINE_FLOAT:
    if (element->size == sizeof *wide) {
      memcpy(wide, bytes, sizeof *wide);
      return PyFloat_FromDouble(*wide);
    }
    memcpy(narrow, bytes, sizeof *narrow);
    return PyFloat_FromDouble((double)*narrow);
  case ENGINE_COMPLEX:
    if (element->size == sizeof wide) {
      memcpy(wide, bytes, sizeof wide);
      return PyComplex_FromDoubles(wide[0], wide[1]);
    }
    memcpy(narrow, bytes, sizeof narrow);
    return PyComplex_FromDoubles((double)narrow[0], (double)narrow[1]);
  case ENGINE_INTEGER:
  case ENGINE_SIGNED:
  case ENGINE_UNSIGNED:
  case ENGINE_BOOLEAN:
  case ENGINE_BITS:
    break;
  }
  memcpy(&value, bytes, element->size);
  if (element->kind == ENGINE_BOOLEAN)
    return PyBool_FromLong((long)(value & 1));
  if (element->kind == ENGINE_INTEGER || element->kind == ENGINE_SIGNED)
    return signed_make(value, element->size);
  return unsigned_make(value, element->size);
}
