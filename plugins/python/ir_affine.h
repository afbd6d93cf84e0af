// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What affine expressions and maps share.

#ifndef MLIRPLUG_PYTHON_IR_AFFINE_H
#define MLIRPLUG_PYTHON_IR_AFFINE_H

#include "ir_kind.h"

/// Raises `dims` and `symbols` to the numbers of those that `expr` needs.
void ir_affine_bounds(const struct ir_api *api, MlirAffineExpr expr,
                      int64_t *dims, int64_t *symbols);

int ir_affine_map_register(PyObject *module, struct ir_types *types);

#endif // MLIRPLUG_PYTHON_IR_AFFINE_H
