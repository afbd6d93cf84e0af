// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one exception to Python's limited API of 3.9: buffers. They became part
// of it in 3.11, with the layout they have had since 3.3, and every CPython
// from 3.9 on exports the functions; without them, numpy's arrays would have to
// be read by their __array_interface__, which takes ten times as long.

#ifndef MLIRPLUG_PYTHON_BUFFER_H
#define MLIRPLUG_PYTHON_BUFFER_H

#include "python.h"

/// Py_buffer
struct python_buffer {
  void *buf;
  PyObject *obj;
  Py_ssize_t len; ///< In bytes.
  Py_ssize_t itemsize;
  int readonly;
  int ndim;
  char *format; ///< As in the module struct; null for bytes.
  Py_ssize_t *shape;
  Py_ssize_t *strides;
  Py_ssize_t *suboffsets;
  void *internal;
};

enum {
  PYTHON_BUFFER_WRITABLE = 0x0001,
  PYTHON_BUFFER_FORMAT = 0x0004,
  PYTHON_BUFFER_ND = 0x0008,
  PYTHON_BUFFER_STRIDES = 0x0010 | PYTHON_BUFFER_ND,
  PYTHON_BUFFER_C_CONTIGUOUS = 0x0020 | PYTHON_BUFFER_STRIDES,
};

int python_buffer_get(PyObject *object, struct python_buffer *view,
                      int flags) __asm__("PyObject_GetBuffer");
void python_buffer_release(struct python_buffer *view) __asm__(
    "PyBuffer_Release");

#endif // MLIRPLUG_PYTHON_BUFFER_H
