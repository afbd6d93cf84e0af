// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run of a pipeline, without the GIL. Only the main thread hears of signals,
// so that one waits while another runs the pipeline: ^C then stops C passes
// between their runs, and Python passes in them.

#ifndef MLIRPLUG_PYTHON_HOST_JOB_H
#define MLIRPLUG_PYTHON_HOST_JOB_H

#include "python.h"

#include <mlirplug/host.h>
#include <pthread.h>

/// One line, record or statistic, of what a run has brought.
struct line {
  struct line *next;
  char *text; ///< Of a record, or the pass of a statistic.
  size_t length;
  char *name;
  size_t place;
  unsigned long long value;
};

struct job {
  // What to do.
  mlirplug_host *host;
  const char *pipeline;
  MlirOperation operation;
  MlirContext context;
  bool verify;
  // What has become of it.
  mlirplug_status status;
  mlirplug_error *error;
  struct line *records, **records_end;
  struct line *statistics, **statistics_end;
  bool is_out_of_memory;
  // Between the threads.
  pthread_mutex_t lock;
  pthread_cond_t ended;
  mlirplug_manager *manager; ///< While it runs.
  bool is_cancelled;
  bool has_ended;
};

/// Sets up a job whose first fields are filled in. Released by the caller.
void job_begin(struct job *job);
void job_release(struct job *job);

/// Does it on this thread, which has the GIL and lets go of it meanwhile.
void job_do_here(struct job *job);

/// Does it on another thread; for the main thread. 0, or -1 with the exception
/// of a signal's handler, after which it has ended, too.
int job_do_elsewhere(struct job *job);

#endif // MLIRPLUG_PYTHON_HOST_JOB_H
