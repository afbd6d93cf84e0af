// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stack for handlers of signals on the threads of MLIR. Those that tell of
// crashes need one where the thread's own is used up, and MLIR gives its
// threads none.

#ifndef MLIRPLUG_PASS_SIGNAL_STACK_H
#define MLIRPLUG_PASS_SIGNAL_STACK_H

#include <mlirplug/plugin.h>

#include <stdbool.h>

/// True if the process has a handler for faults that asks for such a stack.
bool signal_stack_is_wanted(void);

/// Calls `run`, with such a stack if the calling thread has none.
mlirplug_status signal_stack_call(
    mlirplug_status (*run)(const mlirplug_run *run, MlirOperation root),
    const mlirplug_run *argument, MlirOperation root);

#endif // MLIRPLUG_PASS_SIGNAL_STACK_H
