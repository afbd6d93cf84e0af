// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/distribution.h"

#include "find/entry_points.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define GROUP "mlirplug.plugins"

enum {
  /// No metadata that is used is longer, in bytes.
  text_limit = 1 << 20,
};

/// The reading of one search path.
struct reading {
  const char *const *path;
  size_t path_count;
  struct distributions list;
  size_t capacity;
};

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The text of the regular file `name` in `directory`, cut at the limit, to be
/// freed; null with errno.
static char *text_read(int directory, const char *name) {
  int descriptor =
      openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0)
    return NULL;
  struct stat status;
  bool readable = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  size_t limit = !readable                     ? 0
                 : status.st_size > text_limit ? text_limit
                                               : (size_t)status.st_size;
  char *text = readable ? calloc(limit + 1, 1) : NULL;
  for (size_t length = 0; text && length < limit;) {
    ssize_t got = read(descriptor, text + length, limit - length);
    if (got <= 0)
      break;
    length += (size_t)got;
  }
  int problem = readable && !text ? ENOMEM : ENOENT;
  close(descriptor);
  errno = problem;
  return text;
}

static int is_metadata(const struct dirent *entry) {
  static const char *const suffixes[] = {".dist-info", ".egg-info"};
  size_t length = strlen(entry->d_name);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i) {
    size_t size = strlen(suffixes[i]);
    if (length > size &&
        strcmp(entry->d_name + length - size, suffixes[i]) == 0)
      return 1;
  }
  return 0;
}

static int names_compare(const struct dirent **left,
                         const struct dirent **right) {
  return strcmp((*left)->d_name, (*right)->d_name);
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// The directory that the module is, in the first directory of the path that
/// has it; null with errno.
static const char *directory_find(struct reading *reading, const char *module) {
  char *below = strdup(module);
  if (!below)
    return NULL;
  for (char *dot = below; (dot = strchr(dot, '.'));)
    *dot = '/';
  const char *found = NULL;
  int problem = ENOENT;
  for (size_t i = 0;
       i < reading->path_count && !found && !error_is_exhaustion(problem);
       ++i) {
    char *path = NULL;
    struct stat status;
    if (asprintf(&path, "%s/%s", reading->path[i], below) < 0) {
      problem = ENOMEM;
      break;
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
        !(found = arena_copy(&reading->list.arena, path)))
      problem = ENOMEM;
    free(path);
  }
  free(below);
  errno = problem;
  return found;
}

static const char *piece_copy(struct reading *reading, struct piece piece) {
  return arena_copy_bytes(&reading->list.arena, piece.begin, piece.length);
}

static bool list_grow(struct reading *reading) {
  if (reading->list.count < reading->capacity)
    return true;
  size_t capacity = reading->capacity ? 2 * reading->capacity : 8;
  struct distribution *items =
      reallocarray(reading->list.items, capacity, sizeof *items);
  if (!items)
    return false;
  reading->list.items = items;
  reading->capacity = capacity;
  return true;
}

/// Adds an entry point of the distribution in `base`; false with errno.
static bool entry_add(struct reading *reading, const struct distribution *base,
                      struct piece value) {
  struct distribution made = *base;
  made.module = piece_copy(reading, value);
  if (!made.module || !list_grow(reading)) {
    errno = ENOMEM;
    return false;
  }
  if (entry_points_is_module(value)) {
    made.directory = directory_find(reading, made.module);
    if (!made.directory && error_is_exhaustion(errno))
      return false;
  }
  reading->list.items[reading->list.count++] = made;
  return true;
}

/// Fills in name and version from the metadata in `directory`, or else from the
/// directory's own `name`, "example-1.0.0.dist-info"; false with errno.
static bool distribution_name(struct reading *reading, int directory,
                              const char *name, struct distribution *base) {
  char *text = text_read(directory, "METADATA");
  if (!text && !error_is_exhaustion(errno))
    text = text_read(directory, "PKG-INFO");
  if (!text && error_is_exhaustion(errno))
    return false;
  struct piece title = metadata_field(text ? text : "", "Name");
  if (!title.length)
    title = (struct piece){name, strcspn(name, "-")};
  base->name = piece_copy(reading, title);
  base->version = piece_copy(reading, metadata_field(text ? text : "", //
                                                     "Version"));
  free(text);
  errno = ENOMEM;
  return base->name && base->version;
}

/// Adds the entry points in `text`, the one of the distribution whose metadata
/// are in `directory`; false with errno.
static bool text_add_entries(struct reading *reading, const char *site,
                             int directory, const char *name,
                             const char *text) {
  struct entry_points points = {.rest = text, .group = GROUP};
  struct piece value;
  struct distribution base = {0};
  while (entry_points_next(&points, &value)) {
    if (!base.file) {
      char *file = NULL;
      if (asprintf(&file, "%s/%s/entry_points.txt", site, name) < 0)
        return false;
      base.file = arena_copy(&reading->list.arena, file);
      free(file);
      if (!base.file || !distribution_name(reading, directory, name, &base))
        return false;
    }
    if (!entry_add(reading, &base, value))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

/// Adds what the distribution `name` announces; false with errno.
static bool metadata_read(struct reading *reading, const char *site,
                          int descriptor, const char *name) {
  int directory =
      openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY);
  if (directory < 0)
    return !error_is_exhaustion(errno);
  char *text = text_read(directory, "entry_points.txt");
  bool good = text || !error_is_exhaustion(errno);
  if (text)
    good = text_add_entries(reading, site, directory, name, text);
  int problem = good ? 0 : errno;
  free(text);
  close(directory);
  errno = problem;
  return good;
}

/// Adds what is announced in one directory of the path; false with errno.
static bool site_read(struct reading *reading, const char *site) {
  int descriptor = open(site, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return !error_is_exhaustion(errno);
  struct dirent **entries = NULL;
  int count = scandirat(descriptor, ".", &entries, is_metadata, names_compare);
  bool good = count >= 0 || !error_is_exhaustion(errno);
  int problem = errno;
  for (int i = 0; i < count; ++i) {
    if (good && !metadata_read(reading, site, descriptor, entries[i]->d_name)) {
      good = false;
      problem = errno;
    }
    free(entries[i]);
  }
  free(entries);
  close(descriptor);
  errno = problem;
  return good;
}

mlirplug_status distributions_read(const char *const *path, size_t count,
                                   struct distributions *list,
                                   mlirplug_error **error) {
  struct reading reading = {.path = path, .path_count = count};
  for (size_t i = 0; i < count; ++i) {
    if (site_read(&reading, path[i]))
      continue;
    int problem = errno;
    distributions_release(&reading.list);
    return error_set_exhausted(error, "cannot look for plugins of packages in",
                               path[i], problem);
  }
  *list = reading.list;
  return MLIRPLUG_OK;
}

void distributions_release(struct distributions *list) {
  free(list->items);
  arena_release(&list->arena);
  *list = (struct distributions){0};
}
