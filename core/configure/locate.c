// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/locate.h"

#include "configure/configuration.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *locate_start(const char *input) {
  struct stat status;
  if (!input)
    return getcwd(NULL, 0);
  if (stat(input, &status) != 0)
    return NULL;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
    return getcwd(NULL, 0);
  char *path = realpath(input, NULL);
  if (!path) // A file that is open, and was removed.
    return errno == ENOENT ? getcwd(NULL, 0) : NULL;
  if (S_ISREG(status.st_mode)) {
    char *slash = strrchr(path, '/');
    slash[slash == path] = '\0';
  }
  return path;
}

/// True if something is there by this name.
static bool is_there(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}

char *locate_configuration(const char *directory) {
  size_t length = strlen(directory);
  while (length && directory[length - 1] == '/')
    --length;
  for (;;) {
    char *path = NULL;
    if (asprintf(&path, "%.*s/" CONFIGURATION_NAME, (int)length, directory) <
        0) {
      errno = ENOMEM;
      return NULL;
    }
    if (is_there(path))
      return path;
    free(path);
    if (!length) {
      errno = 0;
      return NULL;
    }
    while (length && directory[length - 1] != '/')
      --length;
    while (length && directory[length - 1] == '/')
      --length;
  }
}
