// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/same_file.h"

#include "cli/file_output.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool file_status(const char *path, struct stat *status) {
  return strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, status) == 0
                                : stat(path, status) == 0;
}

static bool is_null_device(const struct stat *status) {
  return S_ISCHR(status->st_mode) && status->st_rdev == makedev(1, 3);
}

/// The directory that a file which is not there yet would be made in, without
/// symbolic links, and the file's name; to be freed.
static char *place_of(const char *path) {
  char *target = file_output_target(path);
  if (!target)
    return NULL;
  const char *slash = strrchr(target, '/');
  char *parent =
      slash ? strndup(target, (size_t)(slash + 1 - target)) : strdup(".");
  char *real = parent ? realpath(parent, NULL) : NULL;
  char *place = NULL;
  if (real && asprintf(&place, "%s/%s", real, slash ? slash + 1 : target) < 0)
    place = NULL;
  free(real);
  free(parent);
  free(target);
  return place;
}

char *file_identity(const char *path) {
  struct stat status;
  if (!file_status(path, &status))
    return place_of(path);
  char *identity = NULL;
  // A place begins with a slash.
  if (is_null_device(&status) ||
      asprintf(&identity, "%ju:%ju", (uintmax_t)status.st_dev,
               (uintmax_t)status.st_ino) < 0)
    return NULL;
  return identity;
}

bool same_file(const char *left, const char *right) {
  char *left_identity = file_identity(left);
  char *right_identity = file_identity(right);
  bool same = left_identity && right_identity &&
              strcmp(left_identity, right_identity) == 0;
  free(left_identity);
  free(right_identity);
  return same;
}
