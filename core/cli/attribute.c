// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/attribute.h"

#include <errno.h>
#include <string.h>
#include <sys/types.h>
#include <sys/xattr.h>

/// What is longer counts as different.
enum { LENGTH_AT_MOST = 4096 };

static bool value_is_same(const char *path, int descriptor, const char *name) {
  char values[2][LENGTH_AT_MOST];
  ssize_t length = lgetxattr(path, name, values[0], LENGTH_AT_MOST);
  return length >= 0 &&
         fgetxattr(descriptor, name, values[1], LENGTH_AT_MOST) == length &&
         memcmp(values[0], values[1], (size_t)length) == 0;
}

bool attributes_are_same(const char *path, int descriptor) {
  char names[2][LENGTH_AT_MOST];
  ssize_t length = llistxattr(path, names[0], LENGTH_AT_MOST);
  if (length < 0)
    return errno == ENOTSUP;
  if (flistxattr(descriptor, names[1], LENGTH_AT_MOST) != length ||
      memcmp(names[0], names[1], (size_t)length) != 0)
    return false;
  bool same = true;
  for (const char *name = names[0]; same && name < names[0] + length;
       name += strlen(name) + 1)
    same = value_is_same(path, descriptor, name);
  return same;
}
