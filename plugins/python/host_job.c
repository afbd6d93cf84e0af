// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host_job.h"

#include "pass.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  milliseconds_between_looks = 50,
  /// As much as a main thread has: MLIR recurses along the IR.
  stack_bytes = 64 << 20,
};

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

void job_begin(struct job *job) {
  job->records_end = &job->records;
  job->statistics_end = &job->statistics;
  pthread_mutex_init(&job->lock, NULL);
  pthread_cond_init(&job->ended, NULL);
}

static void lines_release(struct line *line) {
  for (struct line *next; line; line = next) {
    next = line->next;
    free(line->text);
    free(line->name);
    free(line);
  }
}

void job_release(struct job *job) {
  mlirplug_error_destroy(job->error);
  lines_release(job->records);
  lines_release(job->statistics);
  pthread_cond_destroy(&job->ended);
  pthread_mutex_destroy(&job->lock);
}

//===----------------------------------------------------------------------===//
// On the thread that runs
//===----------------------------------------------------------------------===//

static struct line *line_add(struct job *job, struct line ***end,
                             const char *text, size_t length) {
  struct line *made = calloc(1, sizeof *made);
  char *copy = made ? strndup(text, length) : NULL;
  if (!copy) {
    free(made);
    job->is_out_of_memory = true;
    return NULL;
  }
  made->text = copy;
  made->length = length;
  **end = made;
  *end = &made->next;
  return made;
}

static void on_record(const char *line, size_t length, void *user_data) {
  struct job *job = user_data;
  (void)line_add(job, &job->records_end, line, length);
}

static void statistics_take(struct job *job, const mlirplug_manager *manager) {
  size_t count = mlirplug_manager_statistic_count(manager);
  for (size_t i = 0; i < count; ++i) {
    mlirplug_statistic_value value = mlirplug_manager_statistic(manager, i);
    struct line *line =
        line_add(job, &job->statistics_end, value.pass, strlen(value.pass));
    if (!line)
      return;
    line->name = strdup(value.name);
    line->place = value.place;
    line->value = value.value;
  }
}

/// Lets others cancel the run, or no longer.
static void manager_publish(struct job *job, mlirplug_manager *manager) {
  pthread_mutex_lock(&job->lock);
  job->manager = manager;
  pthread_mutex_unlock(&job->lock);
}

static mlirplug_status manager_run(struct job *job,
                                   const mlirplug_pipeline *pipeline) {
  const mlirplug_manager_configuration configuration = {
      .size = sizeof configuration,
      .record = on_record,
      .user_data = job,
      .verify = job->verify};
  mlirplug_manager *manager;
  if (mlirplug_manager_create(pipeline, job->context, &configuration, &manager,
                              &job->error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  manager_publish(job, manager);
  mlirplug_status status =
      mlirplug_manager_run(manager, job->operation, NULL, &job->error);
  manager_publish(job, NULL);
  statistics_take(job, manager);
  mlirplug_manager_destroy(manager);
  return status;
}

static void job_do(struct job *job) {
  mlirplug_pipeline *pipeline;
  job->status =
      mlirplug_pipeline_parse(job->host, job->pipeline, &pipeline, &job->error);
  if (job->status != MLIRPLUG_OK)
    return;
  job->status = manager_run(job, pipeline);
  mlirplug_pipeline_destroy(pipeline);
}

static void *on_thread(void *user_data) {
  struct job *job = user_data;
  job_do(job);
  pthread_mutex_lock(&job->lock);
  job->has_ended = true;
  pthread_cond_signal(&job->ended);
  pthread_mutex_unlock(&job->lock);
  return NULL;
}

//===----------------------------------------------------------------------===//
// On the thread that waits
//===----------------------------------------------------------------------===//

static bool job_wait(struct job *job) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += milliseconds_between_looks * 1000000L;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    ++until.tv_sec;
  }
  pthread_mutex_lock(&job->lock);
  int problem = 0;
  while (!job->has_ended && problem == 0)
    problem = pthread_cond_timedwait(&job->ended, &job->lock, &until);
  bool has_ended = job->has_ended;
  pthread_mutex_unlock(&job->lock);
  return has_ended;
}

/// True if it was running.
static bool job_cancel(struct job *job) {
  pthread_mutex_lock(&job->lock);
  bool is_running = job->manager;
  if (is_running)
    mlirplug_manager_cancel(job->manager);
  pthread_mutex_unlock(&job->lock);
  return is_running;
}

/// Waits for the end, and for signals. 0, or -1 with the exception of a
/// signal's handler, after which it has ended, too.
static int job_attend(struct job *job) {
  PyObject *type = NULL, *value = NULL, *traceback = NULL;
  bool is_interrupted = false;
  for (bool has_ended = false; !has_ended;) {
    Py_BEGIN_ALLOW_THREADS;
    has_ended = job_wait(job);
    Py_END_ALLOW_THREADS;
    if (!is_interrupted && PyErr_CheckSignals() != 0) {
      PyErr_Fetch(&type, &value, &traceback);
      is_interrupted = true;
    }
    // Again and again: it may be on its way to a pass.
    if (is_interrupted && !has_ended && job_cancel(job))
      pass_interrupt();
  }
  if (!is_interrupted)
    return 0;
  PyErr_Restore(type, value, traceback);
  return -1;
}

void job_do_here(struct job *job) {
  Py_BEGIN_ALLOW_THREADS;
  job_do(job);
  Py_END_ALLOW_THREADS;
}

int job_do_elsewhere(struct job *job) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  int problem = pthread_create(&thread, &attributes, on_thread, job);
  pthread_attr_destroy(&attributes);
  if (problem) {
    job_do_here(job);
    return 0;
  }
  int result = job_attend(job);
  Py_BEGIN_ALLOW_THREADS;
  pthread_join(thread, NULL);
  Py_END_ALLOW_THREADS;
  return result;
}
