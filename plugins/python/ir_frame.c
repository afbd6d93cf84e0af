// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `with` has set up: for each thread a stack of (context, insertion point,
// location, object), a list in the thread's dictionary.

#include "ir_object.h"

enum { FRAME_CONTEXT, FRAME_INSERTION_POINT, FRAME_LOCATION, FRAME_OBJECT };

/// The stack of this thread, borrowed; null if it has none or, with an
/// exception set, if `make` and none can be made.
static PyObject *stack_get(struct ir_types *types, bool make) {
  PyObject *dictionary = PyThreadState_GetDict();
  if (!dictionary) {
    if (make)
      PyErr_SetString(PyExc_RuntimeError, "this thread has no Python state");
    return NULL;
  }
  PyObject *stack = PyDict_GetItemWithError(dictionary, types->key);
  if (stack || !make || PyErr_Occurred())
    return stack;
  stack = PyList_New(0);
  if (stack && PyDict_SetItem(dictionary, types->key, stack) < 0)
    Py_CLEAR(stack);
  Py_XDECREF(stack); // The dictionary keeps it.
  return stack;
}

/// Part of the innermost frame, borrowed; null if there is none.
static PyObject *frame_get(struct ir_types *types, Py_ssize_t part) {
  PyObject *stack = stack_get(types, false);
  Py_ssize_t depth = stack ? PyList_Size(stack) : 0;
  if (depth <= 0)
    return NULL;
  PyObject *object = PyTuple_GetItem(PyList_GetItem(stack, depth - 1), part);
  return object == Py_None ? NULL : object;
}

struct ir_context *ir_frame_context(struct ir_types *types) {
  return (struct ir_context *)frame_get(types, FRAME_CONTEXT);
}

PyObject *ir_frame_location(struct ir_types *types) {
  return frame_get(types, FRAME_LOCATION);
}

PyObject *ir_frame_insertion_point(struct ir_types *types) {
  return frame_get(types, FRAME_INSERTION_POINT);
}

/// What is not set is taken from the frame below, if that is of this context.
int ir_frame_push(struct ir_types *types, PyObject *context,
                  PyObject *insertion_point, PyObject *location) {
  PyObject *stack = stack_get(types, true);
  if (!stack)
    return -1;
  PyObject *object = insertion_point ? insertion_point
                     : location      ? location
                                     : context;
  if ((PyObject *)ir_frame_context(types) == context) {
    if (!insertion_point)
      insertion_point = ir_frame_insertion_point(types);
    if (!location)
      location = ir_frame_location(types);
  }
  PyObject *frame =
      PyTuple_Pack(4, context, insertion_point ? insertion_point : Py_None,
                   location ? location : Py_None, object);
  int status = frame ? PyList_Append(stack, frame) : -1;
  Py_XDECREF(frame);
  return status;
}

int ir_frame_pop(struct ir_types *types, PyObject *object) {
  PyObject *stack = stack_get(types, false);
  Py_ssize_t depth = stack ? PyList_Size(stack) : 0;
  if (depth <= 0 || frame_get(types, FRAME_OBJECT) != object) {
    PyErr_Format(PyExc_RuntimeError,
                 "cannot leave %R: it is not what this thread entered last",
                 (PyObject *)Py_TYPE(object));
    return -1;
  }
  return PyList_SetSlice(stack, depth - 1, depth, NULL);
}

Py_ssize_t ir_frame_depth(struct ir_types *types) {
  PyObject *stack = stack_get(types, false);
  return stack ? PyList_Size(stack) : 0;
}

void ir_frame_cut(struct ir_types *types, Py_ssize_t depth) {
  PyObject *stack = stack_get(types, false);
  if (stack && PyList_Size(stack) > depth &&
      PyList_SetSlice(stack, depth, PyList_Size(stack), NULL) < 0)
    PyErr_Clear();
}

struct ir_context *ir_context_default(PyObject *object) {
  struct ir_types *types = module_ir_types();
  struct ir_context *context;
  if (object && object != Py_None) {
    if (!PyObject_TypeCheck(object, types->context)) {
      PyErr_Format(PyExc_TypeError, "expected a Context, not %R",
                   (PyObject *)Py_TYPE(object));
      return NULL;
    }
    context = (struct ir_context *)object;
  } else {
    context = ir_frame_context(types);
  }
  if (!context) {
    PyErr_SetString(PyExc_RuntimeError,
                    "no context: pass one (context=…), or enter one first "
                    "(with Context():)");
    return NULL;
  }
  return ir_context_check(context) ? context : NULL;
}

struct ir_unique *ir_location_default(PyObject *object) {
  struct ir_types *types = module_ir_types();
  if (object && object != Py_None)
    return ir_unique_argument(object, types->location, NULL, "a Location");
  PyObject *location = ir_frame_location(types);
  if (!location) {
    PyErr_SetString(PyExc_RuntimeError,
                    "no location: pass one (loc=…), or enter one first "
                    "(with Location.unknown():)");
    return NULL;
  }
  return ir_unique_check(location);
}
