// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frame: one call of a plugin's callback, and what it may use meanwhile. The
// plugin sees the first member; its services find the rest behind it.

#ifndef MLIRPLUG_PASS_FRAME_H
#define MLIRPLUG_PASS_FRAME_H

#include "base/arena.h"
#include "pass/place.h"

enum { FRAME_KNOWN = 8 };

struct frame {
  mlirplug_run run; // first, so that a pointer to it is one to the frame
  struct instance *instance;
  MlirOperation root;   ///< Null outside of `run`.
  struct arena scratch; ///< For mlirplug_allocate; gone with the frame.
  struct frame *outer;  ///< A plugin that runs a pipeline has frames in frames.
  const char *outer_absent; ///< absent_called, as the outer frame left it.
  const size_t *path;       ///< Of `root`, made when first asked for: record.h.
  size_t path_length;
  bool has_path;
  struct diagnosis *diagnosis; ///< Not sent yet: diagnosis.h.
  size_t slot;                 ///< In the session's `now`.
  bool failed; ///< An error was reported; the callback's status is void.
  /// An operation that was made and that the context does not know, or null.
  const char *unknown;
  /// Names of operations that it does know, each where its address leads.
  const void *known[FRAME_KNOWN];
};

/// Begins a frame on this thread for `instance`.
void frame_enter(struct frame *frame, struct instance *instance,
                 MlirOperation root);

/// Ends it. The result is MLIRPLUG_OK if `status` is, no error was reported and
/// no absent function was called; if not, an error has been reported at
/// `location`, where the plugin did not do so itself ("pass 'x' `what`").
mlirplug_status frame_leave(struct frame *frame, mlirplug_status status,
                            MlirLocation location, const char *what);

/// Reports, where the frame stands, that the pass did something it may not
/// ("pass 'x' …"), and lets it fail.
__attribute__((format(printf, 2, 3))) void frame_fail(struct frame *frame,
                                                      const char *format, ...);

/// Where the frame stands: its root operation, else the session's place.
MlirLocation frame_location(const struct frame *frame);

/// The innermost frame of this thread; null outside of plugin code.
struct frame *frame_current(void);

#endif // MLIRPLUG_PASS_FRAME_H
