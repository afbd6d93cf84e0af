// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter in this process, by the few functions that are called before
// the extension is there. All of them are in the stable ABI of Python 3.

#ifndef MLIRPLUG_PYTHON_PYTHON_LIBRARY_H
#define MLIRPLUG_PYTHON_PYTHON_LIBRARY_H

#include "bridge.h"
#include "interpreter.h"

/// Finds the extension in the interpreter that is running, or that is started
/// now. `place` is the directory of libmlirplug, by which the Python code is
/// found that belongs to it. Null with a complaint. Any thread; the GIL is not
/// held afterwards if it was not before.
const struct python_extension *
python_extension_get(const char *place, struct complaint *complaint);

#endif // MLIRPLUG_PYTHON_PYTHON_LIBRARY_H
