// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written against the headers of MLIR, without a thought of mlirplug.

#ifndef UPSTREAM_H
#define UPSTREAM_H

#include "mlir-c/IR.h"

/// Erases the operations in `op` that have results and no uses, from the end to
/// the beginning of each block. Returns how many.
int erase_unused(MlirOperation op);

/// Sets an integer attribute of 64 bits.
void set_number(MlirOperation op, const char *name, int64_t number);

#endif
