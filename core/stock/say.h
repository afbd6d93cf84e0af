// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told to the user of a stock tool. The tool offers plugins no channel,
// and drops the reason for what fails, so it goes to standard error.

#ifndef MLIRPLUG_STOCK_SAY_H
#define MLIRPLUG_STOCK_SAY_H

#include "base/error.h"

/// "mlirplug: …" as one line, in one piece. Any thread.
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);

/// The message of an error, which is destroyed.
void say_error(mlirplug_error *error);

/// The one for want of memory.
void say_memory(void);

#endif // MLIRPLUG_STOCK_SAY_H
