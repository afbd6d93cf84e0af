// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension module mlirplug._mlirplug, and what there is one of for it.
// The limited API of 3.9 has one interpreter in mind, and so has this: the
// state is static, made when the module is imported and never freed.

#ifndef MLIRPLUG_PYTHON_MODULE_H
#define MLIRPLUG_PYTHON_MODULE_H

#include "ir.h"

struct module_state {
  PyObject *passes;    ///< The module mlirplug._passes; null until needed.
  PyObject *error;     ///< mlirplug.Error
  PyObject *run_type;  ///< mlirplug.Run
  PyObject *namespace; ///< types.SimpleNamespace
  struct ir_types *types;
};

/// Never null once the module is being imported. With the GIL.
struct module_state *module_state(void);

/// The module mlirplug._passes, borrowed; null with an exception.
PyObject *module_passes(void);

/// Raises mlirplug.Error for `error`, which is destroyed. Returns null.
PyObject *module_raise(mlirplug_error *error);

#endif // MLIRPLUG_PYTHON_MODULE_H
