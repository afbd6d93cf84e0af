// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DenseI32ArrayAttr and its like: arrays of numbers.

#include "ir_kind.h"

static Py_ssize_t dense_length(PyObject *self) {
  struct ir_unique *unique = ir_unique_check(self);
  return unique ? unique->context->api->mlirDenseArrayGetNumElements(
                      (MlirAttribute){unique->pointer})
                : -1;
}

static PyObject *dense_add(PyObject *self, PyObject *other) {
  PyObject *first = PySequence_List(self);
  PyObject *second = first ? PySequence_List(other) : NULL;
  PyObject *both = second ? PySequence_Concat(first, second) : NULL;
  PyObject *array =
      both
          ? PyObject_CallMethod((PyObject *)Py_TYPE(self), "get", "OO", both,
                                (PyObject *)((struct ir_unique *)self)->context)
          : NULL;
  Py_XDECREF(first);
  Py_XDECREF(second);
  Py_XDECREF(both);
  return array;
}

/// A whole number from `low` to `high`; sets an exception if it is not one.
static long long whole(PyObject *object, long long low, long long high) {
  PyObject *index = PyNumber_Index(object);
  long long value = index ? PyLong_AsLongLong(index) : -1;
  Py_XDECREF(index);
  if ((value < low || value > high) && !PyErr_Occurred())
    PyErr_Format(PyExc_OverflowError, "%R does not fit", object);
  return value;
}

/// The numbers of `object`, each by `convert`, and the context for them.
static struct ir_context *numbers_get(PyObject *arguments, PyObject *keywords,
                                      PyObject **items) {
  static char *names[] = {"values", "context", NULL};
  PyObject *values, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get", names,
                                   &values, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  *items = context ? ir_sequence(values, "a sequence of numbers") : NULL;
  return *items ? context : NULL;
}

/// One class: `element` is how MLIR takes a number.
#define DENSE(name, element, make, at, read, write)                            \
  static PyObject *name##_get(PyObject *class, PyObject *arguments,            \
                              PyObject *keywords) {                            \
    (void)class;                                                               \
    PyObject *items;                                                           \
    struct ir_context *context = numbers_get(arguments, keywords, &items);     \
    if (!context)                                                              \
      return NULL;                                                             \
    Py_ssize_t count = PyTuple_Size(items);                                    \
    element *numbers = IR_NEED(context->api, make)                             \
                           ? ir_array_new(count, sizeof(*numbers))             \
                           : NULL;                                             \
    for (Py_ssize_t i = 0; numbers && i < count && !PyErr_Occurred(); ++i) {   \
      PyObject *item = PyTuple_GetItem(items, i);                              \
      numbers[i] = (element)read;                                              \
    }                                                                          \
    PyObject *attribute = NULL;                                                \
    if (numbers && !PyErr_Occurred())                                          \
      attribute = ir_attribute_new(                                            \
          context, context->api->make(context->context, count, numbers));      \
    PyMem_Free(numbers);                                                       \
    Py_DECREF(items);                                                          \
    return attribute;                                                          \
  }                                                                            \
  static PyObject *name##_item(PyObject *self, Py_ssize_t index) {             \
    IR_ATTRIBUTE(self);                                                        \
    (void)context;                                                             \
    if (index < 0 || index >= api->mlirDenseArrayGetNumElements(attribute)) {  \
      PyErr_SetString(PyExc_IndexError, "DenseArray index out of range");      \
      return NULL;                                                             \
    }                                                                          \
    return write(api->at(attribute, index));                                   \
  }                                                                            \
  static PyMethodDef name##_methods[] = {                                      \
      {"get", IR_FUNCTION(name##_get), IR_STATIC, NULL},                       \
      {NULL, NULL, 0, NULL},                                                   \
  };                                                                           \
  const PyType_Slot ir_dense_##name##_array_slots[] = {                        \
      {Py_tp_methods, name##_methods},                                         \
      {Py_sq_length, dense_length},                                            \
      {Py_sq_item, name##_item},                                               \
      {Py_sq_concat, dense_add},                                               \
      {0, NULL},                                                               \
  };

DENSE(i8, int8_t, mlirDenseI8ArrayGet, mlirDenseI8ArrayGetElement,
      whole(item, INT8_MIN, INT8_MAX), PyLong_FromLong)
DENSE(i16, int16_t, mlirDenseI16ArrayGet, mlirDenseI16ArrayGetElement,
      whole(item, INT16_MIN, INT16_MAX), PyLong_FromLong)
DENSE(i32, int32_t, mlirDenseI32ArrayGet, mlirDenseI32ArrayGetElement,
      whole(item, INT32_MIN, INT32_MAX), PyLong_FromLong)
DENSE(i64, int64_t, mlirDenseI64ArrayGet, mlirDenseI64ArrayGetElement,
      whole(item, INT64_MIN, INT64_MAX), PyLong_FromLongLong)
DENSE(f32, float, mlirDenseF32ArrayGet, mlirDenseF32ArrayGetElement,
      PyFloat_AsDouble(item), PyFloat_FromDouble)
DENSE(f64, double, mlirDenseF64ArrayGet, mlirDenseF64ArrayGetElement,
      PyFloat_AsDouble(item), PyFloat_FromDouble)
DENSE(bool, int, mlirDenseBoolArrayGet, mlirDenseBoolArrayGetElement,
      PyObject_IsTrue(item), PyBool_FromLong)
