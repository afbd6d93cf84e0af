// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static int bytes_write(int descriptor, const char *bytes, size_t length) {
  while (length) {
    ssize_t count = write(descriptor, bytes, length);
    if (count < 0 && errno != EINTR)
      return errno;
    if (count > 0) {
      bytes += count;
      length -= (size_t)count;
    }
  }
  return fsync(descriptor) == 0 ? 0 : errno;
}

int store_new(const char *path, mode_t mode, const void *bytes, size_t length) {
  int descriptor =
      open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, mode);
  if (descriptor < 0)
    return errno;
  int problem = bytes_write(descriptor, bytes, length);
  if (close(descriptor) != 0 && !problem)
    problem = errno;
  if (problem)
    unlink(path);
  return problem;
}

int store_replace(const char *path, mode_t mode, const void *bytes,
                  size_t length) {
  // Not mkstemp: it would ignore the mode, and with that the user's umask.
  int problem = EEXIST;
  for (int tries = 0; problem == EEXIST && tries < 100; ++tries) {
    unsigned number = 0;
    (void)!getrandom(&number, sizeof number, 0);
    // In the same directory, by a name that is short whatever the file's is.
    const char *slash = strrchr(path, '/');
    int stem = slash ? (int)(slash + 1 - path) : 0;
    char *temporary = NULL;
    if (asprintf(&temporary, "%.*s.mlirplug-%08x", stem, path, number) < 0)
      return ENOMEM;
    problem = store_new(temporary, mode, bytes, length);
    if (!problem && rename(temporary, path) != 0) {
      problem = errno;
      unlink(temporary);
    }
    free(temporary);
  }
  return problem;
}

/// Makes the directory that `path` ends in, and so many of those above it.
static int directories_make(char *path, int above) {
  if (mkdir(path, 0700) == 0 || errno == EEXIST)
    return 0;
  char *slash = strrchr(path, '/');
  if (errno != ENOENT || !above || !slash || slash == path)
    return errno;
  *slash = '\0';
  int problem = directories_make(path, above - 1);
  *slash = '/';
  return problem || mkdir(path, 0700) == 0 || errno == EEXIST ? problem : errno;
}

int store_parents(char *path) {
  enum { above = 2 }; // ~/.local/state/mlirplug, but not ~
  char *slash = strrchr(path, '/');
  if (!slash || slash == path)
    return 0;
  *slash = '\0';
  int problem = directories_make(path, above);
  *slash = '/';
  return problem;
}
