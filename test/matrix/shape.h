// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR as text that is the same on every release of MLIR, which the assembly
// format is not: one line for each operation, with its name and where its
// operands come from.
//
//     builtin.module
//       func.func
//         %2 = arith.addi arg0 arg1
//         %3 = func.return %2.0

#ifndef MLIRPLUG_TEST_MATRIX_SHAPE_H
#define MLIRPLUG_TEST_MATRIX_SHAPE_H

#include <mlirplug/ir/Types.h>

/// Writes the shape of `root` to standard output, each line with "shape" and a
/// tab before it.
void shape_print(MlirOperation root);

#endif // MLIRPLUG_TEST_MATRIX_SHAPE_H
