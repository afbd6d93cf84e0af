// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of MLIR that the command calls. They are imports: none may be
// called before mlirplug_host_bind has filled them in.

#ifndef MLIRPLUG_CLI_MLIR_H
#define MLIRPLUG_CLI_MLIR_H

#include <mlirplug/ir/Diagnostics.h>
#include <mlirplug/ir/IR.h>
#include <mlirplug/ir/Pass.h>
#include <mlirplug/ir/RegisterEverything.h>

#endif // MLIRPLUG_CLI_MLIR_H
