// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *path_make_absolute(const char *path) {
  if (path[0] == '/')
    return strdup(path);
  while (path[0] == '.' && path[1] == '/') {
    ++path;
    while (*path == '/')
      ++path;
  }
  char *directory = getcwd(NULL, 0);
  if (!directory)
    return NULL;
  char *made = NULL;
  const char *slash = strcmp(directory, "/") != 0 ? "/" : "";
  if (asprintf(&made, "%s%s%s", directory, slash, path) < 0) {
    made = NULL;
    errno = ENOMEM;
  }
  free(directory);
  return made;
}
