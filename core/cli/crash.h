// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A last word when MLIR or a pass ends the command by a signal. The library has
// no such thing: handlers of signals belong to the program.

#ifndef MLIRPLUG_CLI_CRASH_H
#define MLIRPLUG_CLI_CRASH_H

#include <stdbool.h>

/// From now on, a crash is told on standard error; the process ends by the
/// signal nonetheless. Does nothing under sanitizers, which tell more.
void crash_watch(void);

/// What a crash comes from: the input that is worked on and the pipeline, both
/// of which may be null. If `progress_shown`, a line of progress is there to be
/// erased.
void crash_expect(const char *input, const char *pipeline, bool progress_shown);

#endif // MLIRPLUG_CLI_CRASH_H
