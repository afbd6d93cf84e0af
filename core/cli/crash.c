// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/crash.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MLIRPLUG_SANITIZED
static const bool is_sanitized = true;
#else
static const bool is_sanitized = false;
#endif

enum { LINE_SIZE = 2048, STACK_SIZE = 65536 };

/// A signal that ends the process.
struct crash {
  int number;
  const char *name;
};

static const struct crash crashes[] = {
    {.number = SIGSEGV, .name = "SIGSEGV"},
    {.number = SIGBUS, .name = "SIGBUS"},
    {.number = SIGILL, .name = "SIGILL"},
    {.number = SIGFPE, .name = "SIGFPE"},
    {.number = SIGTRAP, .name = "SIGTRAP"},
    {.number = SIGABRT, .name = "SIGABRT"},
};

enum { CRASH_COUNT = sizeof crashes / sizeof crashes[0] };

/// What a handler writes behind what has crashed: one that had to put text
/// together could be a second crash.
static struct {
  const char *start; ///< Erases a line of progress.
  char work[LINE_SIZE];
  size_t length;
  const mlirplug_manager *manager; ///< That runs, or null.
} line = {.start = ""};

/// The process that is to end by the command itself; 0 for none. One that a
/// plugin has forked may end as it likes.
static pid_t watched;

/// Where a stack overflow is told.
static char stack[STACK_SIZE];

/// What crash_save was told last.
static struct {
  int (*function)(const void *user_data);
  const void *user_data;
  const char *path;
} save;

static void strings_write(const char *const *strings) {
  for (; *strings; ++strings)
    if (write(STDERR_FILENO, *strings, strlen(*strings)) < 0)
      return;
}

void crash_save_now(void) {
  int problem = save.function ? save.function(save.user_data) : ENODATA;
  const char *reason = strerrordesc_np(problem);
  if (!problem)
    strings_write((const char *const[]){"mlirplug: reproducer generated at '",
                                        save.path, "'\n", NULL});
  else if (problem != ENODATA) // which is that there is nothing to save
    strings_write((const char *const[]){
        "mlirplug: cannot write the reproducer '", save.path,
        "': ", reason ? reason : "", "\n", NULL});
}

/// The end of the line, with the pass that is in it, if there is one.
static void work_write(const mlirplug_running_pass *pass) {
  if (pass)
    strings_write((const char *const[]){
        " in pass '", pass->pass, "' of plugin '", pass->plugin_id, "' ",
        pass->plugin_version, " (", pass->plugin_path, ")", NULL});
  if (write(STDERR_FILENO, line.work, line.length) < 0)
    return;
}

static const char *name_of(int number) {
  for (size_t i = 0; i < CRASH_COUNT; ++i)
    if (crashes[i].number == number)
      return crashes[i].name;
  return number == SIGINT ? "SIGINT" : "SIGTERM";
}

/// The signal has its usual effect again (SA_RESETHAND): what faulted does so
/// once more, and what was sent is sent again.
static void crash_tell(int number, siginfo_t *information, void *context) {
  (void)context;
  mlirplug_running_pass pass;
  bool is_in_pass = mlirplug_running_here(&pass);
  strings_write((const char *const[]){line.start, "mlirplug: crashed (",
                                      name_of(number), ")", NULL});
  work_write(is_in_pass ? &pass : NULL);
  crash_save_now();
  if (information->si_code <= 0)
    (void)raise(number);
}

/// Somebody wants the command to end: perhaps because a plugin pass hangs.
static void interruption_tell(int number) {
  mlirplug_running_pass pass;
  size_t next = 0;
  if (line.manager && mlirplug_manager_running(line.manager, &next, &pass)) {
    strings_write((const char *const[]){line.start, "mlirplug: interrupted (",
                                        name_of(number), ")", NULL});
    work_write(&pass);
    crash_save_now();
  }
  (void)raise(number);
}

/// A plugin, or what it has loaded, has called exit, in whatever thread, and
/// with it ended the command.
static void exit_tell(int status, void *user_data) {
  (void)user_data;
  if (getpid() != watched)
    return;
  mlirplug_running_pass pass;
  bool is_in_pass = mlirplug_running_here(&pass);
  strings_write((const char *const[]){line.start, "mlirplug: exited", NULL});
  work_write(is_in_pass ? &pass : NULL);
  crash_save_now();
  _exit(status ? status : EXIT_FAILURE);
}

/// Its status is not told.
static void quick_exit_tell(void) { exit_tell(EXIT_FAILURE, NULL); }

void crash_run(const mlirplug_manager *manager) { line.manager = manager; }

void crash_expect(const char *input, const char *pipeline,
                  bool progress_shown) {
  char work[LINE_SIZE] = "";
  if (input && pipeline)
    (void)snprintf(work, sizeof work, " while working on '%s' with '%s'", input,
                   pipeline);
  else if (input)
    (void)snprintf(work, sizeof work, " while working on '%s'", input);
  static const char cut[] = "...\n";
  int length = snprintf(line.work, LINE_SIZE, "%s\n", work);
  if (length < 0)
    length = 0;
  if (length >= LINE_SIZE) {
    length = LINE_SIZE - 1;
    memcpy(line.work + LINE_SIZE - sizeof cut, cut, sizeof cut);
  }
  line.length = (size_t)length;
  line.start = progress_shown ? "\r\033[K" : "";
}

void crash_save(int (*function)(const void *user_data), const void *user_data,
                const char *path) {
  save.function = NULL; // while the rest is changed
  if (!path)
    return;
  save.path = path;
  save.user_data = user_data;
  save.function = function;
}

static void interruption_watch(int number) {
  struct sigaction before,
      action = {.sa_handler = interruption_tell,
                .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
  sigemptyset(&action.sa_mask);
  if (sigaction(number, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
    (void)sigaction(number, &action, NULL);
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
  interruption_watch(SIGINT);
  interruption_watch(SIGTERM);
  watched = getpid();
  (void)on_exit(exit_tell, NULL);
  (void)at_quick_exit(quick_exit_tell);
}

void crash_watch_end(void) { watched = 0; }
