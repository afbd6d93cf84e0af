// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A child process: how it is started, listened to and ended. It is the leader
// of a process group of its own, which ends with it.

#ifndef MLIRPLUG_ISOLATE_CHILD_H
#define MLIRPLUG_ISOLATE_CHILD_H

#include "isolate/message.h"

#include <stdatomic.h>
#include <sys/types.h>

/// How one ended, if not as it should.
enum child_end {
  CHILD_ENDED,     ///< By itself; `status` says how, if it is known.
  CHILD_TIMED_OUT, ///< Killed at its deadline.
  CHILD_CANCELLED, ///< Killed because that was asked for.
  CHILD_BROKEN,    ///< Killed because it sent what is no message.
};

struct child {
  pid_t process;
  int messages; ///< The pipe's end for reading.
  enum child_end end;
  int status; ///< As wait gives it.
  bool has_status;
};

/// Starts `command`, a list that ends with null whose first is the path of the
/// program, with the request and a file for the result. 0 or an errno.
int child_start(struct child *child, const char *const *command, int request,
                int result);

/// Hands each of its messages to `take`, until it has ended, then ends its
/// process group and forgets it. `seconds` is its deadline from now on, 0 for
/// none; when that comes, it has a moment for a last message.
void child_listen(struct child *child, double seconds,
                  const atomic_bool *cancelled,
                  void (*take)(const struct message *message, void *user_data),
                  void *user_data);

/// Tells a child that its time is over (serve.c).
#define CHILD_ALARM SIGXCPU

#endif // MLIRPLUG_ISOLATE_CHILD_H
