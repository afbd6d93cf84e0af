// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_begin(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // Opened the wrong way round, so that using it is an error all the same.
  const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 &&
        open("/dev/null", modes[descriptor]) != descriptor)
      return;
}

/// 0 or an errno.
static int bytes_write(int descriptor, const char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && errno != EINTR)
      return errno;
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    }
  }
  return 0;
}

bool output_standard(struct console *console, const char *bytes,
                     size_t length) {
  console_progress_end(console);
  int error = bytes_write(STDOUT_FILENO, bytes, length);
  if (!error)
    return true;
  console_error(console, "cannot write to standard output: %s",
                strerror(error));
  return false;
}

bool output_memory(struct console *console, struct memory *memory) {
  bool complete = memory_close(memory);
  if (!complete)
    console_error(console, "out of memory");
  complete =
      complete && output_standard(console, memory->bytes, memory->length);
  memory_release(memory);
  return complete;
}

/// Devices and pipes cannot be replaced, only written to.
static int device_write(const char *path, const char *bytes, size_t length) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return errno;
  int error = bytes_write(descriptor, bytes, length);
  if (close(descriptor) != 0 && !error)
    error = errno;
  return error;
}

static mode_t new_file_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Writes a file beside `path` and puts it in its place.
static int file_replace(const char *path, mode_t mode, const char *bytes,
                        size_t length) {
  char *temporary = NULL;
  if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
    return ENOMEM;
  int descriptor = mkostemp(temporary, O_CLOEXEC);
  if (descriptor < 0) {
    int error = errno;
    free(temporary);
    return error;
  }
  int error = bytes_write(descriptor, bytes, length);
  if (!error && fchmod(descriptor, mode) != 0)
    error = errno;
  if (close(descriptor) != 0 && !error)
    error = errno;
  if (!error && rename(temporary, path) != 0)
    error = errno;
  if (error)
    unlink(temporary);
  free(temporary);
  return error;
}

static int file_write(const char *path, const char *bytes, size_t length) {
  struct stat status;
  if (stat(path, &status) != 0) {
    if (errno != ENOENT)
      return errno;
    return file_replace(path, new_file_mode(), bytes, length);
  }
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  if (!S_ISREG(status.st_mode))
    return device_write(path, bytes, length);
  // A file that may not be written to is not to be replaced either.
  if (access(path, W_OK) != 0)
    return errno;
  // The link stays and what it points to is replaced.
  char *target = realpath(path, NULL);
  if (!target)
    return errno;
  int error = file_replace(target, status.st_mode & 07777, bytes, length);
  free(target);
  return error;
}

/// Whether files can be put beside `path`; 0 or an errno.
static int directory_check(const char *path) {
  const char *slash = strrchr(path, '/');
  char *directory =
      slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  if (!directory)
    return ENOMEM;
  int error = access(directory, W_OK | X_OK) == 0 ? 0 : errno;
  free(directory);
  return error;
}

static int file_check(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return errno == ENOENT ? directory_check(path) : errno;
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  if (access(path, W_OK) != 0)
    return errno;
  if (!S_ISREG(status.st_mode))
    return 0;
  char *target = realpath(path, NULL);
  int error = target ? directory_check(target) : errno;
  free(target);
  return error;
}

bool output_check(struct console *console, const char *path) {
  int error = file_check(path);
  if (!error)
    return true;
  console_error(console, "cannot write '%s': %s", path, strerror(error));
  return false;
}

bool output_file(struct console *console, const char *path, const char *bytes,
                 size_t length) {
  int error = file_write(path, bytes, length);
  if (!error)
    return true;
  console_error(console, "cannot write '%s': %s", path, strerror(error));
  return false;
}
