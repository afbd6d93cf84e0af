// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin of three source files that use the same functions of MLIR.

#ifndef MLIRPLUG_TEST_SEVERAL_H
#define MLIRPLUG_TEST_SEVERAL_H

#include <mlirplug/ir.h>
#include <mlirplug/plugin.h>

/// How deep regions are nested below `op`.
int several_depth(MlirOperation op);

/// How many operations there are below `op`, itself included.
int several_count(MlirOperation op);

#endif // MLIRPLUG_TEST_SEVERAL_H
