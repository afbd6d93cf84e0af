// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  LOOK_MILLISECONDS = 10,       ///< How often to look at what has no event.
  LAST_WORD_MILLISECONDS = 300, ///< For a child whose time is over.
  BILLION = 1000000000,
};

//===----------------------------------------------------------------------===//
// Starting
//===----------------------------------------------------------------------===//

static int actions_add(posix_spawn_file_actions_t *actions, int request,
                       int messages, int result) {
  // The three may lie where the child wants another one.
  int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO,
                                               "/dev/null", O_RDONLY, 0);
  if (!error)
    error = posix_spawn_file_actions_adddup2(actions, request, ISOLATE_REQUEST);
  if (!error)
    error =
        posix_spawn_file_actions_adddup2(actions, messages, ISOLATE_MESSAGES);
  if (!error)
    error = posix_spawn_file_actions_adddup2(actions, result, ISOLATE_RESULT);
  if (!error)
    error =
        posix_spawn_file_actions_addclosefrom_np(actions, ISOLATE_RESULT + 1);
  return error;
}

/// Signals are as in a fresh process, whatever is ignored or blocked here.
static int attributes_set(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  int error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP |
                                                       POSIX_SPAWN_SETSIGDEF |
                                                       POSIX_SPAWN_SETSIGMASK);
  if (!error)
    error = posix_spawnattr_setpgroup(attributes, 0);
  if (!error)
    error = posix_spawnattr_setsigdefault(attributes, &all);
  if (!error)
    error = posix_spawnattr_setsigmask(attributes, &none);
  return error;
}

static int process_start(struct child *child, const char *const *command,
                         int request, int messages, int result) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error)
    return error;
  error = posix_spawnattr_init(&attributes);
  if (!error) {
    error = actions_add(&actions, request, messages, result);
    if (!error)
      error = attributes_set(&attributes);
    if (!error)
      error = posix_spawn(&child->process, command[0], &actions, &attributes,
                          (char *const *)command, environ);
    (void)posix_spawnattr_destroy(&attributes);
  }
  (void)posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// A duplicate behind those that the child has, so that none of them is put in
/// another's place.
static int descriptor_lift(int descriptor) {
  return fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
}

int child_start(struct child *child, const char *const *command, int request,
                int result) {
  *child = (struct child){.messages = -1};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return errno;
  int lifted[] = {descriptor_lift(request), descriptor_lift(ends[1]),
                  descriptor_lift(result)};
  int error = lifted[0] < 0 || lifted[1] < 0 || lifted[2] < 0 ? errno : 0;
  if (!error)
    error = process_start(child, command, lifted[0], lifted[1], lifted[2]);
  for (size_t i = 0; i < 3; ++i)
    if (lifted[i] >= 0)
      close(lifted[i]);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return error;
  }
  (void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
  child->messages = ends[0];
  return 0;
}

//===----------------------------------------------------------------------===//
// Listening
//===----------------------------------------------------------------------===//

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / BILLION;
}

/// Whether the process is there no more, or only as a name.
static bool has_ended(const struct child *child) {
  siginfo_t information = {0};
  int result = waitid(P_PID, (id_t)child->process, &information,
                      WEXITED | WNOHANG | WNOWAIT);
  return result != 0 || information.si_pid == child->process;
}

/// Takes what has arrived. False at the end of the pipe, or if it is no
/// message.
static bool arrived_take(struct child *child, struct message_stream *stream,
                         void (*take)(const struct message *, void *),
                         void *user_data) {
  int result = 1;
  while (result > 0) {
    struct message message;
    bool broken = false;
    result = message_receive(stream, child->messages);
    while (message_next(stream, &message, &broken))
      take(&message, user_data);
    if (broken) {
      // A signal at the end of its time may have come between.
      if (child->end == CHILD_ENDED)
        child->end = CHILD_BROKEN;
      return false;
    }
  }
  return result < 0 && errno == EAGAIN;
}

/// What it takes to keep an eye on a child.
struct watch {
  double deadline; ///< 0 for none.
  bool is_told;    ///< That its time is over.
  const atomic_bool *cancelled;
};

/// Whether to go on; if not, why is in `child->end`.
static bool watch_look(struct watch *watch, struct child *child) {
  if (atomic_load(watch->cancelled)) {
    child->end = CHILD_CANCELLED;
    return false;
  }
  if (!watch->deadline || now() < watch->deadline)
    return true;
  child->end = CHILD_TIMED_OUT;
  if (watch->is_told)
    return false;
  watch->is_told = true;
  watch->deadline = now() + LAST_WORD_MILLISECONDS / 1000.0;
  (void)kill(child->process, CHILD_ALARM);
  return true;
}

/// Ends whatever of the group is left. The leader is still to be waited for, so
/// nobody else has its number.
static void group_end(struct child *child) {
  (void)kill(-child->process, SIGKILL);
  pid_t ended;
  do
    ended = waitpid(child->process, &child->status, 0);
  while (ended < 0 && errno == EINTR);
  child->has_status = ended == child->process;
}

void child_listen(struct child *child, double seconds,
                  const atomic_bool *cancelled,
                  void (*take)(const struct message *message, void *user_data),
                  void *user_data) {
  struct message_stream stream = {0};
  struct watch watch = {.deadline = seconds > 0 ? now() + seconds : 0,
                        .cancelled = cancelled};
  bool is_open = true, has_gone = false;
  while (!has_gone && child->end != CHILD_BROKEN && watch_look(&watch, child)) {
    struct pollfd waited = {.fd = is_open ? child->messages : -1,
                            .events = POLLIN};
    (void)poll(&waited, 1, is_open ? LOOK_MILLISECONDS : 1);
    has_gone = has_ended(child);
    if (is_open)
      is_open = arrived_take(child, &stream, take, user_data);
  }
  group_end(child);
  close(child->messages);
  message_stream_release(&stream);
}
