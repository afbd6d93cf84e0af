// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/doctor_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char damaged_remedy[] = "reinstall mlirplug, or give another one "
                                     "with --provider=PATH";

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// Leads standard output nowhere; a descriptor of what it was, or -1.
static int output_silence(void) {
  int before = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (before >= 0 && nowhere >= 0)
    dup2(nowhere, STDOUT_FILENO);
  if (nowhere >= 0)
    close(nowhere);
  return before;
}

static void output_restore(int before) {
  // The library may have used this process's stream.
  (void)fflush(stdout);
  if (before < 0)
    return;
  dup2(before, STDOUT_FILENO);
  close(before);
}

static mlirplug_status library_attach(struct doctor_provider *provider,
                                      mlirplug_error **error) {
  // Whatever is wrong with policies is no matter of this.
  const mlirplug_host_configuration configuration = {
      .size = sizeof configuration, .examine_only = true};
  if (mlirplug_host_create(&configuration, &provider->host, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (mlirplug_host_attach_library(provider->host, provider->name, error) ==
          MLIRPLUG_OK &&
      mlirplug_host_describe_provider(provider->host, &provider->description,
                                      error) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  mlirplug_host_destroy(provider->host);
  provider->host = NULL;
  return MLIRPLUG_FAILED;
}

mlirplug_status doctor_provider_attach(struct doctor_provider *provider,
                                       mlirplug_error **error) {
  int before = output_silence();
  mlirplug_status status = library_attach(provider, error);
  output_restore(before);
  return status;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// Says by a byte that it survived: any status can be one that the library
/// ended it with.
static _Noreturn void child_run(const struct doctor_provider *provider,
                                int told) {
  struct doctor_provider copy = *provider;
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)doctor_provider_attach(&copy, NULL);
  _exit(write(told, "", 1) == 1 ? 0 : 1);
}

static long long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/// Whether a byte comes within a moment; at the end of the stream, no other is
/// waited for.
static bool byte_wait(struct pollfd *told) {
  enum { moment = 10 };
  char byte;
  if (poll(told, 1, moment) <= 0 || !told->revents)
    return false;
  ssize_t count = read(told->fd, &byte, 1);
  if (count == 0)
    told->fd = -1;
  return count == 1;
}

/// Waits until the child has told that it survived, ended, or taken too long;
/// then it is no more. `*status` is as of waitpid.
static bool child_wait(pid_t child, int told, unsigned seconds, int *status,
                       bool *is_late) {
  struct pollfd waited = {.fd = told, .events = POLLIN};
  long long deadline = milliseconds_now() + seconds * 1000LL;
  bool survived, ended;
  do {
    // In this order: what ended has told before whatever it has to tell.
    ended = waitpid(child, status, WNOHANG) != 0;
    survived = byte_wait(&waited);
    *is_late = milliseconds_now() >= deadline;
  } while (!survived && !ended && !*is_late);
  *is_late = *is_late && !survived && !ended;
  if (ended)
    return survived;
  kill(child, SIGKILL);
  while (waitpid(child, status, 0) < 0 && errno == EINTR)
    continue;
  return survived;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static char *end_describe(int status, bool is_late, unsigned seconds) {
  char *found = NULL;
  int length;
  if (is_late)
    length = asprintf(&found, "opening it takes more than %u seconds", seconds);
  else if (WIFSIGNALED(status))
    length = asprintf(&found, "opening it ends the process: %s",
                      strsignal(WTERMSIG(status)));
  else
    length = asprintf(&found, "opening it ends the process with status %d",
                      WEXITSTATUS(status));
  return length < 0 ? NULL : found;
}

/// Of a process or descriptors, see errno.
static void want_note(struct doctor_probe_failure *failure) {
  if (asprintf(&failure->found,
               "no process can be made to try it in, which opening it may end: "
               "%m") < 0)
    failure->found = NULL;
  failure->remedy = "end other processes, or raise the limit (ulimit -u)";
}

static bool child_try(const struct doctor_provider *provider, unsigned seconds,
                      struct doctor_probe_failure *failure) {
  int ends[2];
  pid_t child = -1;
  if (pipe2(ends, O_CLOEXEC) == 0 && (child = fork()) < 0) {
    int reason = errno;
    close(ends[0]);
    close(ends[1]);
    errno = reason;
  }
  if (child < 0) {
    want_note(failure);
    return false;
  }
  if (child == 0)
    child_run(provider, ends[1]);
  close(ends[1]);
  int status = 0;
  bool is_late;
  bool survived = child_wait(child, ends[0], seconds, &status, &is_late);
  close(ends[0]);
  if (!survived)
    *failure = (struct doctor_probe_failure){
        end_describe(status, is_late, seconds), damaged_remedy};
  return survived;
}

bool doctor_provider_probe(const struct doctor_provider *provider,
                           unsigned seconds,
                           struct doctor_probe_failure *failure) {
  // Ignored, it would leave no status to wait for.
  struct sigaction before, usual = {.sa_handler = SIG_DFL};
  sigaction(SIGCHLD, &usual, &before);
  bool survived = child_try(provider, seconds, failure);
  sigaction(SIGCHLD, &before, NULL);
  return survived;
}
