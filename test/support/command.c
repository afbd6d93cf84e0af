// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/command.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// Seconds for a line of shell, which may compile something.
#define SHELL_SECONDS 120

/// Before each test, and so for all that it runs.
__attribute__((constructor)) static void environment_clear(void) {
  unsetenv("MLIRPLUG_PATH");
  unsetenv("MLIRPLUG_PYTHON_PATH");
  unsetenv("VIRTUAL_ENV");
  unsetenv("MLIRPLUG_DEBUG");
  setenv("XDG_DATA_HOME", "/nowhere", 1); // goes before HOME
  setenv("XDG_CONFIG_HOME", "/nowhere", 1);
}

//===----------------------------------------------------------------------===//
// Streams of the child
//===----------------------------------------------------------------------===//

/// What was read from one stream so far, always with a NUL behind it.
struct buffer {
  char *text;
  size_t length;
  size_t capacity;
};

/// Makes room for `more` bytes and the NUL.
static void buffer_reserve(struct buffer *buffer, size_t more) {
  if (buffer->length + more + 1 <= buffer->capacity)
    return;
  buffer->capacity = 2 * (buffer->length + more) + 1;
  char *text = realloc(buffer->text, buffer->capacity);
  if (!text)
    cr_assert_fail("out of memory for %zu bytes", buffer->capacity);
  buffer->text = text;
}

/// Reads what is there. False at the end of the stream.
static bool buffer_fill(struct buffer *buffer, int descriptor) {
  buffer_reserve(buffer, 65536);
  ssize_t count = read(descriptor, buffer->text + buffer->length, 65536);
  if (count < 0 && (errno == EINTR || errno == EAGAIN))
    return true;
  if (count > 0)
    buffer->length += (size_t)count;
  buffer->text[buffer->length] = '\0';
  return count > 0;
}

static long long milliseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/// An open file without a name that holds `text`, at its beginning: unlike a
/// pipe, it never makes the writer wait.
static int input_open(const char *text) {
  char path[] = "/tmp/mlirplug-input-XXXXXX";
  int descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor < 0)
    cr_assert_fail("cannot make %s: %s", path, strerror(errno));
  unlink(path);
  size_t length = text ? strlen(text) : 0;
  for (size_t done = 0; done < length;) {
    ssize_t count = write(descriptor, text + done, length - done);
    if (count < 0)
      cr_assert_fail("cannot write the input: %s", strerror(errno));
    done += (size_t)count;
  }
  lseek(descriptor, 0, SEEK_SET);
  return descriptor;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// A running child and our ends of its streams.
struct child {
  pid_t process;
  int streams[2];
};

static struct child child_start(const char *const *arguments,
                                const char *input) {
  int input_end = input_open(input);
  int pipes[2][2];
  for (int i = 0; i < 2; ++i)
    if (pipe2(pipes[i], O_CLOEXEC) != 0)
      cr_assert_fail("cannot make a pipe: %s", strerror(errno));

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input_end, 0);
  posix_spawn_file_actions_adddup2(&actions, pipes[0][1], 1);
  posix_spawn_file_actions_adddup2(&actions, pipes[1][1], 2);
  // A group of its own, so that the grandchildren can be ended with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Whoever runs the tests in the background may have them ignored.
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGHUP);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);

  struct child child;
  int problem = posix_spawnp(&child.process, arguments[0], &actions,
                             &attributes, (char *const *)arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(input_end);
  for (int i = 0; i < 2; ++i) {
    close(pipes[i][1]);
    child.streams[i] = pipes[i][0];
  }
  if (problem)
    cr_assert_fail("cannot start %s: %s", arguments[0], strerror(problem));
  return child;
}

/// Reads both streams until they end. False if `deadline` comes first.
static bool child_read(const struct child *child, struct buffer buffers[2],
                       long long deadline) {
  struct pollfd polled[2] = {{child->streams[0], POLLIN, 0},
                             {child->streams[1], POLLIN, 0}};
  for (int i = 0; i < 2; ++i)
    buffer_reserve(&buffers[i], 0), buffers[i].text[0] = '\0';
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    long long left = deadline - milliseconds_now();
    if (left <= 0)
      return false;
    if (poll(polled, 2, (int)left) < 0 && errno != EINTR)
      cr_assert_fail("cannot wait for output: %s", strerror(errno));
    for (int i = 0; i < 2; ++i)
      if (polled[i].fd >= 0 && polled[i].revents &&
          !buffer_fill(&buffers[i], polled[i].fd))
        polled[i].fd = -1;
  }
  return true;
}

/// Waits for the end of the child, which has closed its streams.
static bool child_wait(const struct child *child, int *status,
                       long long deadline) {
  for (;;) {
    pid_t ended = waitpid(child->process, status, WNOHANG);
    if (ended == child->process)
      return true;
    if (ended < 0 && errno != EINTR)
      cr_assert_fail("cannot wait for the process: %s", strerror(errno));
    if (milliseconds_now() >= deadline)
      return false;
    usleep(1000);
  }
}

struct command_result command_run(const char *const *arguments,
                                  const char *input, unsigned seconds) {
  long long deadline = milliseconds_now() + seconds * 1000LL;
  struct child child = child_start(arguments, input);
  struct buffer buffers[2] = {0};
  int status = 0;
  bool done = child_read(&child, buffers, deadline) &&
              child_wait(&child, &status, deadline);
  close(child.streams[0]);
  close(child.streams[1]);
  if (!done) {
    kill(-child.process, SIGKILL);
    waitpid(child.process, &status, 0);
    cr_assert_fail(
        "%s is not done after %u s; its output:\n%s\nits errors:\n%s",
        arguments[0], seconds, buffers[0].text, buffers[1].text);
  }
  return (struct command_result){
      .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
      .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0,
      .output = buffers[0].text,
      .errors = buffers[1].text};
}

struct command_result command_shell(const char *format, ...) {
  char *line = NULL;
  va_list values;
  va_start(values, format);
  int length = vasprintf(&line, format, values);
  va_end(values);
  if (length < 0)
    cr_assert_fail("out of memory for a command");
  struct command_result result = command_run(
      (const char *const[]){"/bin/sh", "-c", line, NULL}, NULL, SHELL_SECONDS);
  free(line);
  return result;
}

void command_release(struct command_result *result) {
  free(result->output);
  free(result->errors);
  *result = (struct command_result){0};
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void command_forgive_leaks(void) {
  const char *options = getenv("ASAN_OPTIONS");
  char *more = NULL;
  cr_assert(asprintf(&more, "%s%sdetect_leaks=0", options ? options : "",
                     options ? ":" : "") >= 0);
  cr_assert(setenv("ASAN_OPTIONS", more, 1) == 0);
  free(more);
}

char *file_content(const char *path) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    cr_assert_fail("cannot read %s: %s", path, strerror(errno));
  struct buffer buffer = {0};
  while (buffer_fill(&buffer, descriptor))
    continue;
  close(descriptor);
  return buffer.text;
}

void file_write(const char *path, const void *bytes, size_t length) {
  FILE *file = fopen(path, "we");
  if (!file)
    cr_assert_fail("cannot write %s: %s", path, strerror(errno));
  bool written = fwrite(bytes, 1, length, file) == length;
  if (fclose(file) != 0 || !written)
    cr_assert_fail("cannot write %s: %s", path, strerror(errno));
}

/// The directories to remove. Each test is a process, so this is a test's own.
static char *directories[64];
static size_t directory_count;

static void directories_remove(void) {
  for (size_t i = 0; i < directory_count; ++i) {
    const char *const arguments[] = {"rm", "-rf", directories[i], NULL};
    pid_t process;
    if (posix_spawnp(&process, "rm", NULL, NULL, (char *const *)arguments,
                     environ) == 0)
      waitpid(process, NULL, 0);
    free(directories[i]);
  }
  directory_count = 0;
}

char *directory_create(void) {
  char *path = strdup("/tmp/mlirplug-test-XXXXXX");
  if (!path || !mkdtemp(path))
    cr_assert_fail("cannot make a directory in /tmp: %s", strerror(errno));
  if (directory_count == sizeof directories / sizeof *directories)
    cr_assert_fail("a test makes more than %zu directories", directory_count);
  if (directory_count == 0)
    atexit(directories_remove);
  directories[directory_count++] = strdup(path);
  return path;
}
