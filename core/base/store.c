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
    char *temporary = NULL;
    if (asprintf(&temporary, "%s.%08x", path, number) < 0)
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

int store_parents(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    int problem = mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : errno;
    *slash = '/';
    if (problem)
      return problem;
  }
  return 0;
}
