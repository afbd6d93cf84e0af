// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a child, and what is said when it ended otherwise than it should.

#ifndef MLIRPLUG_ISOLATE_FAILURE_H
#define MLIRPLUG_ISOLATE_FAILURE_H

#include "isolate/child.h"
#include "isolate/pass.h"

/// Zero bytes, but for the first two, are one that has not begun. Strings are
/// owned, and null if the child has not said such a thing.
struct run {
  const struct isolated *isolated;
  MlirOperation root;
  struct child child;
  enum message_outcome outcome;
  struct message_signal signal; ///< 0 for none.
  char *refused;
  char *fatal;
  char *place;
  bool has_begun; ///< The plugin may have run.
  bool has_error; ///< The child has sent an error as a diagnostic.
  bool has_no_memory;
  bool is_unreadable; ///< What it has made of the IR.
};

/// Whether it was done and the pass succeeded. If not, there has been an error
/// as a diagnostic; one that is the plugin's fault comes with a reproducer.
bool failure_report(struct run *run);

/// The child could not be started.
void failure_report_start(const struct run *run, int error);

#endif // MLIRPLUG_ISOLATE_FAILURE_H
