// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef MLIRPLUG_SANITIZED
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

enum { LINE_SIZE = 2048, STACK_SIZE = 65536 };

/// A signal that ends the process, and all that its handler has to write: one
/// that had to put a line together could be a second crash.
struct crash {
  int number;
  const char *name;
  char line[LINE_SIZE];
  size_t length;
};

static struct crash crashes[] = {
    {.number = SIGSEGV, .name = "SIGSEGV"},
    {.number = SIGBUS, .name = "SIGBUS"},
    {.number = SIGILL, .name = "SIGILL"},
    {.number = SIGFPE, .name = "SIGFPE"},
    {.number = SIGTRAP, .name = "SIGTRAP"},
    {.number = SIGABRT, .name = "SIGABRT"},
};

enum { CRASH_COUNT = sizeof crashes / sizeof crashes[0] };

/// Where a stack overflow is told.
static char stack[STACK_SIZE];

/// The signal has its usual effect again (SA_RESETHAND): what faulted does so
/// once more, and what was sent is sent again.
static void crash_tell(int number, siginfo_t *information, void *context) {
  (void)context;
  for (size_t i = 0; i < CRASH_COUNT; ++i)
    if (crashes[i].number == number &&
        write(STDERR_FILENO, crashes[i].line, crashes[i].length) < 0)
      break;
  if (information->si_code <= 0)
    (void)raise(number);
}

/// Ends a line that may be cut short.
static void line_make(struct crash *crash, const char *start,
                      const char *work) {
  static const char cut[] = "...\n";
  int length = snprintf(crash->line, LINE_SIZE, "%smlirplug: crashed (%s)%s\n",
                        start, crash->name, work);
  if (length < 0)
    length = 0;
  if (length >= LINE_SIZE) {
    length = LINE_SIZE - 1;
    memcpy(crash->line + LINE_SIZE - sizeof cut, cut, sizeof cut);
  }
  crash->length = (size_t)length;
}

void crash_expect(const char *input, const char *pipeline,
                  bool progress_shown) {
  char work[LINE_SIZE] = "";
  if (input && pipeline)
    (void)snprintf(work, sizeof work, " while working on '%s' with '%s'", input,
                   pipeline);
  else if (input)
    (void)snprintf(work, sizeof work, " while working on '%s'", input);
  for (size_t i = 0; i < CRASH_COUNT; ++i)
    line_make(&crashes[i], progress_shown ? "\r\033[K" : "", work);
}

void crash_watch(void) {
  crash_expect(NULL, NULL, false);
  if (is_sanitized)
    return;
  const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_sigaction = crash_tell,
                             .sa_flags =
                                 (int)(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND)};
  sigemptyset(&action.sa_mask);
  (void)sigaltstack(&other, NULL);
  for (size_t i = 0; i < CRASH_COUNT; ++i)
    (void)sigaction(crashes[i].number, &action, NULL);
}
