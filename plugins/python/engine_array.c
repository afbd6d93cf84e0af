// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static const char foreign_order =
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '>' : '<';

/// What a format of the module struct stands for; false if it is no number of
/// this machine.
static bool format_read(const char *format, enum engine_kind *kind) {
  static const char integers[] = "bhilqn", naturals[] = "BHILQN";
  if (*format == foreign_order || *format == '!')
    return false;
  if (*format == '@' || *format == '=' || *format == '<' || *format == '>')
    ++format;
  if (format[0] == 'Z' && strchr("fd", format[1]) && format[1] && !format[2]) {
    *kind = ENGINE_COMPLEX;
    return true;
  }
  if (!format[0] || format[1])
    return false;
  if (strchr(integers, *format))
    *kind = ENGINE_SIGNED;
  else if (strchr(naturals, *format))
    *kind = ENGINE_UNSIGNED;
  else if (*format == '?')
    *kind = ENGINE_BOOLEAN;
  else if (strchr("efd", *format))
    *kind = ENGINE_FLOAT;
  else
    return false;
  return true;
}

static bool element_matches(const struct engine_element *element,
                            const struct python_buffer *view) {
  enum engine_kind kind;
  if (view->itemsize != (Py_ssize_t)element->size ||
      !format_read(view->format ? view->format : "B", &kind))
    return false;
  bool is_integer = kind == ENGINE_SIGNED || kind == ENGINE_UNSIGNED;
  if (element->kind == ENGINE_BITS)
    return kind == ENGINE_FLOAT && !strcmp(element->name, "float16");
  return kind == element->kind ||
         (is_integer && element->kind == ENGINE_INTEGER);
}

/// numpy's name for what `object` has; never raises.
static PyObject *dtype_of(PyObject *object) {
  PyObject *dtype = PyObject_GetAttrString(object, "dtype");
  PyObject *name = dtype ? PyObject_Str(dtype) : NULL;
  Py_XDECREF(dtype);
  PyErr_Clear();
  return name;
}

/// numpy lends no buffer of elements that are of others, like bfloat16; but it
/// does of their bits.
static int bits_get(const struct engine_element *element, PyObject *object,
                    struct python_buffer *view) {
  PyObject *name = dtype_of(object);
  bool is_that =
      name && PyUnicode_CompareWithASCIIString(name, element->name) == 0;
  Py_XDECREF(name);
  PyErr_Clear();
  if (!is_that)
    return -1;
  PyObject *bits = PyObject_CallMethod(object, "view", "s", "uint16");
  if (!bits)
    return -1;
  int result = python_buffer_get(bits, view,
                                 PYTHON_BUFFER_STRIDES | PYTHON_BUFFER_FORMAT);
  Py_DECREF(bits);
  return result;
}

static int element_refuse(const struct engine_parameter *parameter,
                          PyObject *object, const struct python_buffer *view) {
  const char *wanted = parameter->element.name;
  PyObject *name = dtype_of(object);
  if (name)
    PyErr_Format(PyExc_TypeError,
                 "%s takes elements of %s, not of %U: pass "
                 "array.astype('%s')",
                 parameter->type, wanted, name, wanted);
  else
    PyErr_Format(PyExc_TypeError, "%s takes elements of %s, not of format '%s'",
                 parameter->type, wanted, view->format ? view->format : "B");
  Py_XDECREF(name);
  return -1;
}

/// `is_bits` is then whether it has the elements' bits, which are right.
static int view_get(const struct engine_parameter *parameter, PyObject *object,
                    struct python_buffer *view, bool *is_bits) {
  if (python_buffer_get(object, view,
                        PYTHON_BUFFER_STRIDES | PYTHON_BUFFER_FORMAT) == 0)
    return 0;
  PyErr_Clear();
  const struct engine_element *element = &parameter->element;
  if (element->kind == ENGINE_BITS && element->size == 2 &&
      bits_get(element, object, view) == 0) {
    *is_bits = true;
    return 0;
  }
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError,
               "%s takes a numpy array of %s or another object with a buffer, "
               "not %R",
               parameter->type, element->name, (PyObject *)Py_TYPE(object));
  return -1;
}

//===----------------------------------------------------------------------===//
// Shapes and strides
//===----------------------------------------------------------------------===//

/// A tuple of numbers for messages.
static PyObject *tuple_of(const Py_ssize_t *numbers, int count) {
  PyObject *tuple = PyTuple_New(count);
  for (int i = 0; tuple && i < count; ++i) {
    PyObject *number = PyLong_FromSsize_t(numbers[i]);
    if (!number || PyTuple_SetItem(tuple, i, number) != 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static int shape_refuse(const struct engine_parameter *parameter,
                        const struct python_buffer *view) {
  PyObject *shape = tuple_of(view->shape, view->ndim);
  if (shape)
    PyErr_Format(PyExc_ValueError,
                 "%s does not take an array of %d dimensions with the shape %R",
                 parameter->type, view->ndim, shape);
  Py_XDECREF(shape);
  return -1;
}

static int strides_refuse(const struct engine_parameter *parameter,
                          const struct python_buffer *view, const char *why,
                          const char *remedy) {
  PyObject *strides = tuple_of(view->strides, view->ndim);
  if (strides)
    PyErr_Format(PyExc_ValueError,
                 "%s does not take an array with the strides %R in bytes: "
                 "%s; %s",
                 parameter->type, strides, why, remedy);
  Py_XDECREF(strides);
  return -1;
}

static bool shape_matches(const struct engine_parameter *parameter,
                          const struct python_buffer *view) {
  if (parameter->is_unranked)
    return view->ndim <= ENGINE_RANK;
  if (view->ndim != parameter->rank)
    return false;
  for (int i = 0; i < view->ndim; ++i)
    if (parameter->shape[i] != ENGINE_ANY &&
        parameter->shape[i] != view->shape[i])
      return false;
  return true;
}

/// The stride of one dimension, in elements, for the descriptor. `dense` is
/// what it would be without gaps.
static int stride_find(const struct engine_parameter *parameter,
                       const struct python_buffer *view, int dimension,
                       int64_t dense, bool is_empty, int64_t *found) {
  static const char copy[] = "pass numpy.ascontiguousarray(array), a copy";
  int64_t wanted =
      parameter->is_identity ? dense : parameter->strides[dimension];
  // No step is ever made along it.
  if (is_empty || view->shape[dimension] == 1) {
    *found = wanted == ENGINE_ANY ? dense : wanted;
    return 0;
  }
  int64_t bytes = view->strides[dimension];
  if (bytes < 0)
    return strides_refuse(parameter, view,
                          "the code that MLIR makes takes them for unsigned",
                          copy);
  if (bytes % view->itemsize)
    return strides_refuse(parameter, view,
                          "they are no multiples of an element's size", copy);
  *found = bytes / view->itemsize;
  if (wanted == ENGINE_ANY || wanted == *found)
    return 0;
  return strides_refuse(
      parameter, view,
      parameter->is_identity ? "its rows would have to follow each other "
                               "without gaps"
                             : "the function has been made for others",
      parameter->is_identity ? copy : "pass an array that is laid out so");
}

/// Sizes and strides of a descriptor.
static int layout_fill(const struct engine_parameter *parameter,
                       const struct python_buffer *view, int64_t *sizes,
                       int64_t *strides) {
  bool is_empty = false;
  for (int i = 0; i < view->ndim; ++i)
    is_empty |= view->shape[i] == 0;
  int64_t dense = 1;
  for (int i = view->ndim - 1; i >= 0; --i) {
    sizes[i] = view->shape[i];
    if (stride_find(parameter, view, i, dense, is_empty, &strides[i]) != 0)
      return -1;
    dense *= sizes[i] > 1 ? sizes[i] : 1;
  }
  size_t alignment = parameter->element.size;
  if (parameter->element.kind == ENGINE_COMPLEX)
    alignment /= 2;
  if (is_empty || (uintptr_t)view->buf % alignment == 0)
    return 0;
  PyErr_Format(PyExc_ValueError,
               "%s takes arrays whose elements are aligned to %zu bytes: pass "
               "array.copy()",
               parameter->type, alignment);
  return -1;
}

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

static int view_check(const struct engine_parameter *parameter,
                      PyObject *object, const struct python_buffer *view,
                      bool is_bits) {
  if (!is_bits && !element_matches(&parameter->element, view))
    return element_refuse(parameter, object, view);
  if (!shape_matches(parameter, view))
    return shape_refuse(parameter, view);
  if (parameter->is_written && view->readonly) {
    PyErr_Format(PyExc_ValueError,
                 "%s may be written to, but the array is read-only: pass "
                 "array.copy()",
                 parameter->type);
    return -1;
  }
  return 0;
}

/// Pointer, pointer, offset, sizes, strides: one slot each.
static int descriptor_fill(const struct engine_parameter *parameter,
                           const struct python_buffer *view, uint64_t *slot) {
  int64_t offset = parameter->offset == ENGINE_ANY ? 0 : parameter->offset;
  uintptr_t first =
      (uintptr_t)view->buf - (uintptr_t)offset * (uintptr_t)view->itemsize;
  slot[0] = slot[1] = first;
  slot[2] = (uint64_t)offset;
  return layout_fill(parameter, view, (int64_t *)slot + 3,
                     (int64_t *)slot + 3 + view->ndim);
}

int engine_array_put(const struct engine_parameter *parameter, PyObject *object,
                     struct engine_frame *frame) {
  struct python_buffer *view = frame->view;
  bool is_bits = false;
  if (view_get(parameter, object, view, &is_bits) != 0)
    return -1;
  ++frame->view; // Whoever calls releases it.
  if (view_check(parameter, object, view, is_bits) != 0)
    return -1;
  size_t count = 3 + 2 * (size_t)view->ndim;
  uint64_t *slot = frame->slot;
  if (parameter->is_unranked) {
    slot[0] = (uint64_t)view->ndim;
    slot[1] = (uintptr_t)(slot + 2);
    *frame->pointer++ = slot;
    *frame->pointer++ = slot + 1;
    frame->slot += 2 + count;
    return descriptor_fill(parameter, view, slot + 2);
  }
  for (size_t i = 0; i < count; ++i)
    *frame->pointer++ = slot + i;
  frame->slot += count;
  return descriptor_fill(parameter, view, slot);
}
