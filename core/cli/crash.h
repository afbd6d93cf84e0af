// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A last word when MLIR or a pass ends the command by a signal. The library has
// no such thing: handlers of signals belong to the program.

#ifndef MLIRPLUG_CLI_CRASH_H
#define MLIRPLUG_CLI_CRASH_H

#include <mlirplug/host.h>

/// From now on, a crash is told on standard error; the process ends by the
/// signal nonetheless. So is an exit, which is a failure whatever its status.
/// Does nothing under sanitizers, which tell more.
void crash_watch(void);

/// The command is done, and may exit.
void crash_watch_end(void);

/// What a crash comes from: the input that is worked on and the pipeline, both
/// of which may be null. If `progress_shown`, a line of progress is there to be
/// erased.
void crash_expect(const char *input, const char *pipeline, bool progress_shown);

/// Whose plugin passes a crash or an interruption may be in, from now on; null
/// for nobody's.
void crash_run(const mlirplug_manager *manager);

/// What a crash is to have done: `function` is called with its data in the
/// handler of the signal, and writes the file at `path`, which must outlive
/// this. 0 or an errno; ENODATA if there is nothing to write. Nothing if `path`
/// is null.
void crash_save(int (*function)(const void *user_data), const void *user_data,
                const char *path);

/// Calls that function, and says so on standard error, for other ways to end
/// the process. May be called in a handler of a signal.
void crash_save_now(void);

#endif // MLIRPLUG_CLI_CRASH_H
