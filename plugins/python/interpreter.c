// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "interpreter.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { seconds_to_answer = 20 };

void complaint_found(struct complaint *complaint, const char *format, ...) {
  va_list values;
  va_start(values, format);
  (void)vsnprintf(complaint->found, sizeof complaint->found, format, values);
  va_end(values);
}

void complaint_remedy(struct complaint *complaint, const char *format, ...) {
  va_list values;
  va_start(values, format);
  (void)vsnprintf(complaint->remedy, sizeof complaint->remedy, format, values);
  va_end(values);
}

//===----------------------------------------------------------------------===//
// Asking a program
//===----------------------------------------------------------------------===//

// What it is asked: what it is called, which version, whether it has a GIL, its
// implementation, and where its shared library is, if it has one.
static const char question[] =
    "import os, sys, sysconfig\n"
    "v = sysconfig.get_config_var\n"
    "print(sys.executable)\n"
    "print('%d.%d.%d' % sys.version_info[:3])\n"
    "print('free' if v('Py_GIL_DISABLED') else 'gil')\n"
    "print(sys.implementation.name)\n"
    "names = (v('INSTSONAME'), v('LDLIBRARY'))\n"
    "places = (v('LIBDIR'), os.path.join(sys.base_prefix, 'lib'),\n"
    "          os.path.join(v('LIBDIR') or '', v('MULTIARCH') or ''))\n"
    "paths = [os.path.join(p, n) for p in places if p for n in names\n"
    "         if n and '.so' in n]\n"
    "print(next((p for p in paths if os.path.exists(p)), ''))\n";

struct answer {
  char text[16384];
  char *executable, *version, *threading, *implementation, *library;
};

/// Reads until the other side closes; false if it takes too long.
static bool output_read(int from, char *text, size_t size) {
  size_t length = 0;
  struct timespec begun, now;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  for (;;) {
    clock_gettime(CLOCK_MONOTONIC, &now);
    long left = seconds_to_answer - (long)(now.tv_sec - begun.tv_sec);
    struct pollfd poll_for = {.fd = from, .events = POLLIN};
    int ready = left > 0 ? poll(&poll_for, 1, (int)left * 1000) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    char spare[512];
    bool is_full = length + 1 >= size;
    ssize_t more = is_full ? read(from, spare, sizeof spare)
                           : read(from, text + length, size - 1 - length);
    if (more < 0 && errno == EINTR)
      continue;
    if (more <= 0)
      break;
    length += is_full ? 0 : (size_t)more;
  }
  text[length] = '\0';
  return true;
}

/// Runs `program` with the question. What it says on standard error is dropped.
static bool program_run(const char *program, char *text, size_t size) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  char *words[] = {(char *)program, (char *)"-c", (char *)question, NULL};
  pid_t child;
  int problem = posix_spawn(&child, program, &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  bool answered = problem == 0 && output_read(ends[0], text, size);
  close(ends[0]);
  if (problem)
    return false;
  if (!answered)
    kill(child, SIGKILL);
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return answered; // somebody else reaps children here
  return answered && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool program_ask(const char *program, struct answer *answer) {
  if (!program_run(program, answer->text, sizeof answer->text))
    return false;
  char **lines[] = {&answer->executable, &answer->version, &answer->threading,
                    &answer->implementation, &answer->library};
  char *rest = answer->text;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
    char *end = strchr(rest, '\n');
    if (!end)
      return false;
    *end = '\0';
    *lines[i] = rest;
    rest = end + 1;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Judging the answer
//===----------------------------------------------------------------------===//

/// "3.12.4" as its first two numbers; 0 for what is none.
static void version_read(const char *version, long *major, long *minor) {
  char *rest;
  *major = strtol(version, &rest, 10);
  *minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
}

static void library_complain(const char *program, const struct answer *answer,
                             struct complaint *complaint) {
  long major, minor;
  version_read(answer->version, &major, &minor);
  complaint_found(complaint,
                  "the Python %s of '%s' was built without a shared libpython",
                  answer->version, program);
  snprintf(complaint->expected, sizeof complaint->expected,
           "libpython%ld.%ld.so", major, minor);
  complaint_remedy(
      complaint,
      "install it (Debian, Ubuntu: apt install libpython%ld.%ld; pyenv: "
      "PYTHON_CONFIGURE_OPTS=--enable-shared pyenv install %s), or activate a "
      "virtual environment of a Python that has it",
      major, minor, answer->version);
}

/// True if `program` can be loaded.
static bool program_judge(const char *program, const struct answer *answer,
                          struct complaint *complaint) {
  long major, minor;
  version_read(answer->version, &major, &minor);
  if (strcmp(answer->implementation, "cpython") != 0) {
    complaint_found(complaint, "'%s' is %s", program, answer->implementation);
    snprintf(complaint->expected, sizeof complaint->expected, "CPython");
    complaint_remedy(complaint, "activate a virtual environment of CPython");
  } else if (major != 3 || minor < 9) {
    complaint_found(complaint, "'%s' is Python %s", program, answer->version);
    snprintf(complaint->expected, sizeof complaint->expected,
             "Python 3.9 or newer");
    complaint_remedy(complaint,
                     "activate a virtual environment of a newer Python");
  } else if (strcmp(answer->threading, "gil") != 0) {
    complaint_found(complaint,
                    "'%s' is a free-threaded build of Python %s, for which the "
                    "limited API that mlirplug is built with does not exist",
                    program, answer->version);
    snprintf(complaint->expected, sizeof complaint->expected,
             "a build with the GIL");
    complaint_remedy(complaint, "use python%ld.%ld instead of python%ld.%ldt",
                     major, minor, major, minor);
  } else if (!*answer->library) {
    library_complain(program, answer, complaint);
  } else {
    return true;
  }
  return false;
}

/// True if the program answers and can be loaded.
static bool program_try(const char *program, struct interpreter *interpreter,
                        struct complaint *complaint) {
  struct answer *answer = calloc(1, sizeof *answer);
  bool is_good = false;
  if (!answer || !program_ask(program, answer)) {
    complaint_found(complaint, "'%s' does not work as a Python", program);
    complaint_remedy(complaint, "run '%s -c pass' to see why", program);
  } else if (program_judge(program, answer, complaint)) {
    is_good = true;
    const char *called = *answer->executable ? answer->executable : program;
    snprintf(interpreter->program, sizeof interpreter->program, "%s", called);
    snprintf(interpreter->library, sizeof interpreter->library, "%s",
             answer->library);
    snprintf(interpreter->version, sizeof interpreter->version, "%s",
             answer->version);
  }
  free(answer);
  return is_good;
}

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
         access(path, X_OK) == 0;
}

/// Each python3 on `list`, until one will do. Complains of the first.
static bool path_try(const char *list, struct interpreter *interpreter,
                     struct complaint *complaint) {
  struct complaint first = {0}, next;
  char *directories = strdup(list), *rest = NULL;
  bool is_found = false;
  for (char *directory = directories ? strtok_r(directories, ":", &rest) : NULL;
       directory && !is_found; directory = strtok_r(NULL, ":", &rest)) {
    char program[4096];
    int written = snprintf(program, sizeof program, "%s/python3", directory);
    // What is relative would be another program in each directory.
    if (directory[0] != '/' || written >= (int)sizeof program ||
        !is_program(program))
      continue;
    next = (struct complaint){0};
    is_found = program_try(program, interpreter, &next);
    if (!*first.found)
      first = next;
  }
  free(directories);
  if (is_found)
    return true;
  if (!*first.found) {
    complaint_found(&first, "no python3 is on PATH");
    complaint_remedy(&first, "install Python (Debian, Ubuntu: apt install "
                             "python3 libpython3-dev), or activate a virtual "
                             "environment");
  }
  *complaint = first;
  return false;
}

bool interpreter_find(struct interpreter *interpreter,
                      struct complaint *complaint) {
  // With more rights than its user's, a process runs no program of the user's.
  if (getauxval(AT_SECURE))
    return path_try("/usr/local/bin:/usr/bin", interpreter, complaint);
  const char *environment = getenv("VIRTUAL_ENV");
  if (environment && *environment) {
    char program[4096];
    int written =
        snprintf(program, sizeof program, "%s/bin/python", environment);
    if (environment[0] == '/' && written < (int)sizeof program &&
        is_program(program))
      return program_try(program, interpreter, complaint);
    complaint_found(complaint,
                    "the active virtual environment (VIRTUAL_ENV=%s) has no "
                    "bin/python",
                    environment);
    complaint_remedy(complaint, "activate another one, or unset VIRTUAL_ENV");
    return false;
  }
  const char *list = getenv("PATH");
  return path_try(list ? list : "/usr/local/bin:/usr/bin", interpreter,
                  complaint);
}
