// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/location.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Something that lies in the object asked for. Data, for the address of a
/// function may be that of a stub in the program.
static const char own_data = 0;

char *location_of_core(void) {
  Dl_info information;
  struct link_map *owner;
  if (!dladdr1(&own_data, &information, (void **)&owner, RTLD_DL_LINKMAP)) {
    errno = ENOENT;
    return NULL;
  }
  // The program itself has no name there; argv[0], which dladdr gives for it,
  // need not be a path.
  char *path =
      realpath(owner->l_name[0] ? owner->l_name : "/proc/self/exe", NULL);
  char *slash = path ? strrchr(path, '/') : NULL;
  if (slash)
    slash[1] = '\0';
  return path;
}

/// Whether there is a file `name` in `directory`; errno is ENOMEM if that
/// cannot be told.
static bool has_file(const char *directory, const char *name) {
  char *path = NULL;
  if (asprintf(&path, "%s/%s", directory, name) < 0) {
    errno = ENOMEM;
    return false;
  }
  bool exists = access(path, F_OK) == 0;
  free(path);
  errno = ENOENT;
  return exists;
}

char *location_of_package(void) {
  static const char below[] = "/mlirplug/lib/";
  char *location = location_of_core();
  size_t length = location ? strlen(location) : 0;
  if (!location)
    return NULL;
  errno = ENOENT;
  if (length >= sizeof below &&
      strcmp(location + length - strlen(below), below) == 0) {
    location[length - strlen(below)] = '\0';
    if (has_file(location, "mlirplug/__init__.py"))
      return location;
  }
  int problem = errno;
  free(location);
  errno = problem;
  return NULL;
}
