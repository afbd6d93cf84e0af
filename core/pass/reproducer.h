// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reproducer of a run: its text is made before the run, so that it is there
// whatever the run does, and written if that fails. A local one is made before
// each pass, of that pass alone.

#ifndef MLIRPLUG_PASS_REPRODUCER_H
#define MLIRPLUG_PASS_REPRODUCER_H

#include "pass/session.h"

#include <stdatomic.h>

struct reproduction_text;
struct reproduction_pass;

/// Of a manager; zero bytes are none.
struct reproduction {
  struct session *session;
  const mlirplug_manager_configuration *configuration;
  bool verify;
  /// What would be written now: the text of the run, or that of the pass that
  /// runs. It is looked at in handlers of signals.
  _Atomic(struct reproduction_text *) text;
  /// The passes that run, the one that began first in front. MLIR tells of one
  /// after the other.
  struct reproduction_pass *passes;
  bool reported; ///< In the run under way.
};

/// Begins to watch the passes of `manager`, which may be null (no `ptr`), if
/// the configuration asks for a reproducer. Both arguments stay where they are.
mlirplug_status
reproduction_prepare(struct reproduction *reproduction, struct session *session,
                     const mlirplug_manager_configuration *configuration,
                     MlirPassManager manager, mlirplug_error **error);

/// Makes the text for a run on `root`; nothing without a configuration.
mlirplug_status reproduction_begin(struct reproduction *reproduction,
                                   MlirOperation root, mlirplug_error **error);

/// The end of the run. If it `failed`, writes the text and reports it, unless
/// that was done when the pass failed.
void reproduction_end(struct reproduction *reproduction, MlirOperation root,
                      bool failed);

/// The text of a reproducer: `root`, and `pipeline` with the plugins of the
/// passes below `node`, which is in the session's pipeline.
mlirplug_status reproduction_print(const struct session *session, bool verify,
                                   MlirOperation root, const char *pipeline,
                                   const struct pipeline_node *node,
                                   struct text *text, mlirplug_error **error);

/// Whether the session's MLIR can print the IR.
mlirplug_status reproduction_check(const struct session *session,
                                   mlirplug_error **error);

/// Whether passes may run on several threads, as far as MLIR tells.
bool reproduction_has_threads(const struct session *session);

/// Writes a file, or standard output ("-"). 0 or an errno. May be called in a
/// handler of a signal.
int reproduction_write(const char *path, const char *bytes, size_t length);

#endif // MLIRPLUG_PASS_REPRODUCER_H
