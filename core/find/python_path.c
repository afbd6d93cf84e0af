// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/python_path.h"

#include "base/location.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Takes `directory`, which may be null for want of memory.
static bool path_take(struct python_path *path, char *directory) {
  if (!directory)
    return false;
  for (size_t i = 0; i < path->count; ++i)
    if (strcmp(path->directories[i], directory) == 0) {
      free(directory);
      return true;
    }
  char **directories = reallocarray(path->directories, path->count + 1,
                                    sizeof *path->directories);
  if (!directories) {
    free(directory);
    return false;
  }
  directories[path->count++] = directory;
  path->directories = directories;
  return true;
}

static bool list_add(struct python_path *path, const char *list) {
  for (const char *end; *list; list = end + (*end == ':')) {
    end = strchrnul(list, ':');
    if (*list == '/' && !path_take(path, strndup(list, (size_t)(end - list))))
      return false;
  }
  return true;
}

static int is_version(const struct dirent *entry) {
  return strncmp(entry->d_name, "python3", strlen("python3")) == 0;
}

/// Adds lib/python3.N/site-packages of the environment, for each N.
static bool environment_add(struct python_path *path, const char *environment) {
  char *library = NULL;
  if (asprintf(&library, "%s/lib", environment) < 0)
    return false;
  struct dirent **versions = NULL;
  int count = scandir(library, &versions, is_version, alphasort);
  bool good = count >= 0 || errno != ENOMEM;
  for (int i = 0; i < count; ++i) {
    char *site = NULL;
    good = good &&
           asprintf(&site, "%s/%s/site-packages", library,
                    versions[i]->d_name) >= 0 &&
           path_take(path, site);
    free(versions[i]);
  }
  free(versions);
  free(library);
  return good;
}

/// Adds the directory that libmlirplug was installed in.
static bool own_add(struct python_path *path) {
  char *directory = location_of_package();
  return directory ? path_take(path, directory) : errno != ENOMEM;
}

mlirplug_status python_path_make(struct python_path *path,
                                 mlirplug_error **error) {
  struct python_path made = {0};
  const char *list = secure_getenv("MLIRPLUG_PYTHON_PATH");
  const char *environment = secure_getenv("VIRTUAL_ENV");
  bool good = true;
  if (list && *list)
    good = list_add(&made, list);
  else if (environment && *environment == '/')
    good = environment_add(&made, environment);
  if (!good || !own_add(&made)) {
    python_path_release(&made);
    return error_set_memory(error);
  }
  *path = made;
  return MLIRPLUG_OK;
}

mlirplug_status python_path_parse(const char *list, struct python_path *path,
                                  mlirplug_error **error) {
  struct python_path made = {0};
  if (!list_add(&made, list)) {
    python_path_release(&made);
    return error_set_memory(error);
  }
  *path = made;
  return MLIRPLUG_OK;
}

void python_path_release(struct python_path *path) {
  for (size_t i = 0; i < path->count; ++i)
    free(path->directories[i]);
  free(path->directories);
  *path = (struct python_path){0};
}
