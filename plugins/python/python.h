// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Python's limited API of 3.9: what every file of the extension includes first.

#ifndef MLIRPLUG_PYTHON_PYTHON_H
#define MLIRPLUG_PYTHON_PYTHON_H

#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03090000
#endif
#include <Python.h>

#include <stdbool.h>

#endif // MLIRPLUG_PYTHON_PYTHON_H
