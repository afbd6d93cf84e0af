// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --isolate, --isolate-memory and --pass-timeout: what keeps a plugin's fault
// from being the command's.

#ifndef MLIRPLUG_CLI_CONTAINMENT_H
#define MLIRPLUG_CLI_CONTAINMENT_H

#include "cli/arguments.h"

/// What the arguments ask for. Zero bytes are nothing.
struct containment {
  char **command;         ///< The child; null without --isolate. Owned.
  double timeout_seconds; ///< 0 for none.
  uint64_t memory_bytes;  ///< 0 for no limit.
};

/// False after saying what is wrong.
bool containment_read(const struct arguments *arguments,
                      struct containment *containment, struct console *console);
void containment_release(struct containment *containment);

/// Sets what a manager has to know; `containment` outlives it.
void containment_configure(const struct containment *containment,
                           mlirplug_manager_configuration *configuration);

/// Looks after a run without isolation, until timeout_end: a plugin pass that
/// takes longer than --pass-timeout is named and asked to end, and if it does
/// not, so does the command, with exit status 1. `input` lives until then. Null
/// if there is nothing to look after, or no thread for it.
struct timeout;
struct timeout *timeout_begin(const struct containment *containment,
                              mlirplug_manager *manager, const char *input,
                              struct console *console);
void timeout_end(struct timeout *timeout);

#endif // MLIRPLUG_CLI_CONTAINMENT_H
