// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *variable;
  const char *by_default; // below HOME
} homes[] = {
    [HOME_DATA] = {"XDG_DATA_HOME", "/.local/share"},
    [HOME_CONFIG] = {"XDG_CONFIG_HOME", "/.config"},
    [HOME_STATE] = {"XDG_STATE_HOME", "/.local/state"},
    [HOME_CACHE] = {"XDG_CACHE_HOME", "/.cache"},
};

char *home_path(enum home_kind kind, const char *below) {
  const char *directory = secure_getenv(homes[kind].variable);
  const char *inside = "";
  if (!directory || directory[0] != '/') {
    directory = secure_getenv("HOME");
    inside = homes[kind].by_default;
  }
  if (!directory || directory[0] != '/') {
    errno = ENOENT;
    return NULL;
  }
  size_t length = strlen(directory);
  while (length && directory[length - 1] == '/')
    --length;
  char *path = NULL;
  if (asprintf(&path, "%.*s%s/mlirplug/%s", (int)length, directory, inside,
               below) < 0) {
    errno = ENOMEM;
    return NULL;
  }
  return path;
}
