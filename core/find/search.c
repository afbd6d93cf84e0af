// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/search.h"

#include "base/location.h"
#include "find/home.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// A list that is being made, and which directory each entry is.
struct search {
  struct search_path path;
  struct stat *statuses; ///< st_ino is 0 where there is no directory.
};

static mlirplug_status refuse(const char *entry, const char *remedy,
                              mlirplug_error **error) {
  return error_set(
      error,
      &(mlirplug_error){
          .doing = "cannot search for plugins",
          .subject = "MLIRPLUG_PATH",
          .found = *entry ? error_text("it has the relative entry '%s'", entry)
                          : "it has an empty entry",
          .expected = "absolute directories, separated by ':'",
          .remedy = remedy});
}

static bool search_has(const struct search *search, const char *path,
                       const struct stat *status) {
  for (size_t i = 0; i < search->path.count; ++i) {
    const struct stat *known = &search->statuses[i];
    if (strcmp(search->path.directories[i].path, path) == 0 ||
        (status->st_ino != 0 && known->st_ino == status->st_ino &&
         known->st_dev == status->st_dev))
      return true;
  }
  return false;
}

/// Makes room for one more.
static bool search_grow(struct search *search) {
  size_t count = search->path.count;
  struct search_directory *directories =
      reallocarray(search->path.directories, count + 1, sizeof *directories);
  if (directories)
    search->path.directories = directories;
  struct stat *statuses =
      reallocarray(search->statuses, count + 1, sizeof *statuses);
  if (statuses)
    search->statuses = statuses;
  return directories && statuses;
}

/// Takes `path`, which may be null for want of memory.
static bool search_take(struct search *search, char *path, const char *origin) {
  if (!path)
    return false;
  for (size_t length = strlen(path); length > 1 && path[length - 1] == '/';)
    path[--length] = '\0';
  struct stat status;
  if (stat(path, &status) != 0)
    status = (struct stat){0};
  bool is_known = search_has(search, path, &status);
  if (is_known || !search_grow(search)) {
    free(path);
    return is_known;
  }
  search->statuses[search->path.count] = status;
  search->path.directories[search->path.count++] =
      (struct search_directory){.path = path, .origin = origin};
  return true;
}

/// Adds what is `below` the directory `parent`.
static bool search_add(struct search *search, const char *parent,
                       const char *below, const char *origin) {
  size_t length = strlen(parent);
  while (length && parent[length - 1] == '/')
    --length;
  char *path = NULL;
  if (asprintf(&path, "%.*s/%s", (int)length, parent, below) < 0)
    return false;
  return search_take(search, path, origin);
}

//===----------------------------------------------------------------------===//
// The places
//===----------------------------------------------------------------------===//

static mlirplug_status add_environment(struct search *search,
                                       mlirplug_error **error) {
  const char *list = secure_getenv("MLIRPLUG_PATH");
  if (!list || !*list)
    return MLIRPLUG_OK;
  for (const char *end;; list = end + 1) {
    end = strchrnul(list, ':');
    char *entry = strndup(list, (size_t)(end - list));
    if (!entry)
      return error_set_memory(error);
    if (entry[0] != '/') {
      refuse(entry,
             entry[0] ? "write where it begins, such as \"$PWD/…\""
                      : "remove the ':' too many; to put a directory before "
                        "the others: "
                        "MLIRPLUG_PATH=DIR${MLIRPLUG_PATH:+:$MLIRPLUG_PATH}",
             error);
      free(entry);
      return MLIRPLUG_FAILED;
    }
    if (!search_take(search, entry, "MLIRPLUG_PATH"))
      return error_set_memory(error);
    if (!*end)
      return MLIRPLUG_OK;
  }
}

static bool add_user(struct search *search) {
  char *path = home_path(HOME_DATA, "plugins");
  if (!path)
    return errno != ENOMEM;
  return search_take(search, path, "the user's directory");
}

static bool add_prefix(struct search *search) {
  char *location = location_of_core();
  if (!location)
    return errno != ENOMEM; // Somewhere without /proc; the rest is still there.
  bool added =
      search_add(search, location, "mlirplug/plugins", "beside libmlirplug");
  free(location);
  return added;
}

static bool add_system(struct search *search) {
  const char *origin = "the system's directory";
  return search_add(search, "/usr/local/lib", "mlirplug/plugins", origin) &&
         search_add(search, "/usr/lib", "mlirplug/plugins", origin);
}

mlirplug_status search_path_make(struct search_path *path,
                                 mlirplug_error **error) {
  struct search search = {0};
  mlirplug_status result = add_environment(&search, error);
  if (result == MLIRPLUG_OK &&
      !(add_user(&search) && add_prefix(&search) && add_system(&search)))
    result = error_set_memory(error);
  if (result == MLIRPLUG_OK)
    *path = search.path;
  else
    search_path_release(&search.path);
  free(search.statuses);
  return result;
}

void search_path_release(struct search_path *path) {
  for (size_t i = 0; i < path->count; ++i)
    free(path->directories[i].path);
  free(path->directories);
  *path = (struct search_path){0};
}
