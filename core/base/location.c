// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/location.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

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
