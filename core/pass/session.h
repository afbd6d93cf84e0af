// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the places of a manager have in common: the copy of MLIR, the context,
// and the run under way.

#ifndef MLIRPLUG_PASS_SESSION_H
#define MLIRPLUG_PASS_SESSION_H

#include "pass/record.h"
#include "pass/running.h"
#include "pipeline/pipeline.h"
#include "provider/binding.h"

#include <pthread.h>
#include <stdatomic.h>

struct session {
  const mlirplug_pipeline *pipeline;
  const struct binding *binding;
  const struct provider_api *api;
  MlirContext context; ///< Null if it is known only when MLIR initializes.
  bool is_isolated;    ///< Plugins are loaded by other processes (isolate/).

  // Of the run under way.
  const char *input; ///< Null outside of a run, or if it has no name.
  atomic_bool running;
  atomic_bool cancelled;
  bool has_fault_handler;      ///< Which needs a stack (signal_stack.h).
  pthread_mutex_t record_lock; ///< Of the records.
  struct record_list records;
  struct running now; ///< Which passes run.
};

/// The pipeline's host has a provider. Ended by session_end.
void session_begin(struct session *session, const mlirplug_pipeline *pipeline,
                   MlirContext context);
void session_end(struct session *session);

/// Where to report what has no place in the IR: at the input of the run under
/// way, line 0; unknown if there is none.
MlirLocation session_location(const struct session *session);

#endif // MLIRPLUG_PASS_SESSION_H
