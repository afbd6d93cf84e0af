// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/last_words.h"

#include "isolate/child.h"
#include "isolate/transfer_ir.h"
#include "pass/diagnosis.h"
#include "pass/instance.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STACK_SIZE = 65536 };

// Of the whole process, as signals are.
static const struct isolate_functions *functions;
static const struct mlirplug_manager *manager;

/// The operation that the pass is on: what this thread does, or else any other.
static MlirOperation root_find(void) {
  const struct frame *frame = frame_current();
  if (frame && frame->root.ptr)
    return frame->root;
  for (size_t i = 0; i < RUNNING_LIMIT; ++i) {
    void *root = atomic_load(&manager->session.now.slots[i].root);
    if (root)
      return (MlirOperation){root};
  }
  return (MlirOperation){NULL};
}

static void place_tell(void) {
  MlirOperation root = root_find();
  if (!root.ptr)
    return;
  struct text text = {0};
  location_write(functions,
                 manager->session.api->mlirOperationGetLocation(root), &text);
  if (text.length)
    message_send(ISOLATE_MESSAGES, MESSAGE_PLACE, text.bytes, text.length);
  text_release(&text);
}

/// Where the pass is, and what it has said and was not sent yet.
static void all_tell(void) {
  struct frame *frame = frame_current();
  place_tell();
  if (frame)
    diagnosis_flush(frame);
}

/// First what can always be told. To tell the place is to call MLIR, which may
/// wait for ever or fault again: then the process ends without it.
static void signal_tell(int number, siginfo_t *information, void *context) {
  (void)context;
  struct message_signal told = {number, errno};
  if (number != CHILD_ALARM)
    message_send(ISOLATE_MESSAGES, MESSAGE_SIGNAL, &told, sizeof told);
  alarm(1);
  all_tell();
  if (number == CHILD_ALARM)
    _exit(EXIT_FAILURE);
  if (information->si_code <= 0)
    (void)raise(number);
}

static void fatal_tell(const char *reason, void *user_data) {
  (void)user_data;
  message_send(ISOLATE_MESSAGES, MESSAGE_FATAL, reason, strlen(reason));
  alarm(1);
  all_tell();
  _exit(EXIT_FAILURE);
}

static void exit_tell(void) { all_tell(); }

void last_words_prepare(const struct isolate_functions *found,
                        const struct mlirplug_manager *made) {
  static const int numbers[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                                SIGTRAP, SIGABRT, SIGSYS, CHILD_ALARM};
  static char stack[STACK_SIZE];
  functions = found;
  manager = made;
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  (void)sigaltstack(&other, NULL);
  struct sigaction action = {.sa_sigaction = signal_tell,
                             .sa_flags =
                                 (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    (void)sigaction(numbers[i], &action, NULL);
  (void)atexit(exit_tell);
  if (functions->catch_fatal)
    functions->catch_fatal(fatal_tell, NULL);
}
