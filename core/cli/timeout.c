// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that looks now and then which passes run.

#include "cli/containment.h"
#include "cli/crash.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PASS_LIMIT = 64, BILLION = 1000000000 };

/// How long a pass that was asked to end may take to do so, in seconds.
static const double patience = 1;

/// A pass that was seen running.
struct sight {
  uint64_t number;
  double since;
};

struct timeout {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool is_over;
  mlirplug_manager *manager;
  const char *input;
  struct console *console;
  double seconds;
  double told_at; ///< When a pass was asked to end; 0 if none was.
  struct sight sights[PASS_LIMIT];
  size_t count;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / BILLION;
}

/// Since when the pass with this number is known to run.
static double since_when(const struct timeout *timeout, uint64_t number,
                         double otherwise) {
  for (size_t i = 0; i < timeout->count; ++i)
    if (timeout->sights[i].number == number)
      return timeout->sights[i].since;
  return otherwise;
}

static void pass_tell(struct timeout *timeout,
                      const mlirplug_running_pass *pass) {
  console_error(timeout->console,
                "pass '%s' of plugin '%s' %s (%s) takes longer than %g s "
                "(--pass-timeout) on '%s' and is asked to end",
                pass->pass, pass->plugin_id, pass->plugin_version,
                pass->plugin_path, timeout->seconds, timeout->input);
}

/// The plugin has the thread and does not give it back.
__attribute__((noreturn)) static void give_up(struct timeout *timeout) {
  console_error(timeout->console,
                "it does not end, so the command does; --isolate stops such a "
                "pass and goes on");
  crash_save_now();
  _exit(EXIT_FAILURE);
}

/// Notes what runs, and looks whether something does for too long.
static void runs_look(struct timeout *timeout) {
  struct sight sights[PASS_LIMIT];
  size_t count = 0, next = 0;
  mlirplug_running_pass pass;
  double time = now();
  bool is_late = false;
  while (count < PASS_LIMIT &&
         mlirplug_manager_running(timeout->manager, &next, &pass)) {
    double since = since_when(timeout, pass.number, time);
    sights[count++] = (struct sight){pass.number, since};
    if (time - since < timeout->seconds || is_late)
      continue;
    is_late = true;
    if (!timeout->told_at)
      pass_tell(timeout, &pass);
  }
  memcpy(timeout->sights, sights, count * sizeof *sights);
  timeout->count = count;
  if (!is_late)
    return;
  if (!timeout->told_at) {
    timeout->told_at = time;
    mlirplug_manager_cancel(timeout->manager);
  } else if (time - timeout->told_at > patience) {
    give_up(timeout);
  }
}

/// Waits for a part of the time-out, or for the end.
static void look_wait(struct timeout *timeout) {
  double seconds = timeout->seconds / 20;
  if (seconds > 0.1)
    seconds = 0.1;
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += (long)(seconds * BILLION);
  until.tv_sec += until.tv_nsec / BILLION;
  until.tv_nsec %= BILLION;
  (void)pthread_cond_timedwait(&timeout->changed, &timeout->lock, &until);
}

static void *timeout_run(void *user_data) {
  struct timeout *timeout = user_data;
  pthread_mutex_lock(&timeout->lock);
  while (!timeout->is_over) {
    runs_look(timeout);
    look_wait(timeout);
  }
  pthread_mutex_unlock(&timeout->lock);
  return NULL;
}

static void timeout_release(struct timeout *timeout) {
  pthread_cond_destroy(&timeout->changed);
  pthread_mutex_destroy(&timeout->lock);
  free(timeout);
}

struct timeout *timeout_begin(const struct containment *containment,
                              mlirplug_manager *manager, const char *input,
                              struct console *console) {
  if (containment->command || !containment->timeout_seconds)
    return NULL;
  struct timeout *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->manager = manager;
  made->input = input;
  made->console = console;
  made->seconds = containment->timeout_seconds;
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&made->changed, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&made->lock, NULL);
  if (pthread_create(&made->thread, NULL, timeout_run, made) == 0)
    return made;
  timeout_release(made);
  return NULL;
}

void timeout_end(struct timeout *timeout) {
  if (!timeout)
    return;
  pthread_mutex_lock(&timeout->lock);
  timeout->is_over = true;
  pthread_cond_signal(&timeout->changed);
  pthread_mutex_unlock(&timeout->lock);
  (void)pthread_join(timeout->thread, NULL);
  timeout_release(timeout);
}
