// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool directory_name_ends(const char *name, const char *const *endings) {
  size_t length = strlen(name);
  for (; *endings; ++endings) {
    size_t ending_length = strlen(*endings);
    if (length > ending_length &&
        strcmp(name + length - ending_length, *endings) == 0)
      return true;
  }
  return false;
}

static bool path_append(struct directory_files *files, char *path) {
  if (files->count == files->capacity) {
    size_t capacity = files->capacity ? 2 * files->capacity : 16;
    char **paths = reallocarray(files->paths, capacity, sizeof *paths);
    if (!paths)
      return false;
    files->paths = paths;
    files->capacity = capacity;
  }
  files->paths[files->count++] = path;
  return true;
}

static int entry_add(const char *directory, const char *name,
                     struct directory_files *files) {
  size_t length = strlen(directory);
  const char *slash = length && directory[length - 1] == '/' ? "" : "/";
  char *path = NULL;
  if (asprintf(&path, "%s%s%s", directory, slash, name) < 0)
    return ENOMEM;
  // What cannot be looked at stays in the list, so that it is reported.
  struct stat status;
  bool skipped = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  if (!skipped && path_append(files, path))
    return 0;
  free(path);
  return skipped ? 0 : ENOMEM;
}

static int path_compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

int directory_read(const char *directory, const char *const *endings,
                   struct directory_files *files) {
  *files = (struct directory_files){0};
  DIR *stream = opendir(directory);
  if (!stream)
    return errno;
  int error = 0;
  while (!error) {
    errno = 0;
    const struct dirent *entry = readdir(stream);
    if (!entry) {
      error = errno;
      break;
    }
    if (entry->d_name[0] != '.' && directory_name_ends(entry->d_name, endings))
      error = entry_add(directory, entry->d_name, files);
  }
  closedir(stream);
  if (error)
    directory_release(files);
  else if (files->count)
    qsort(files->paths, files->count, sizeof *files->paths, path_compare);
  return error;
}

void directory_release(struct directory_files *files) {
  for (size_t i = 0; i < files->count; ++i)
    free(files->paths[i]);
  free(files->paths);
  *files = (struct directory_files){0};
}
