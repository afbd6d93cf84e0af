// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/directory.h"

#include "base/shell.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// More is no directory of plugins, but a mistake or an attack.
enum { names_at_most = 65536 };

static const char doing[] = "cannot read the plugin directory";

static mlirplug_status refuse(const char *path, const char *found,
                              const char *remedy, mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = doing,
                                            .subject = path,
                                            .found = found,
                                            .remedy = remedy});
}

static mlirplug_status refuse_access(const char *path, mlirplug_error **error) {
  struct text text = {0};
  text_add(&text, "chmod a+rx ");
  shell_add_word(&text, path);
  text_add(&text, ", and let the directories above it be entered (a+x)");
  char *remedy = text_take(&text);
  mlirplug_status result = remedy
                               ? refuse(path, strerror(EACCES), remedy, error)
                               : error_set_memory(error);
  free(remedy);
  return result;
}

static mlirplug_status refuse_to_read(const char *path, int reason,
                                      mlirplug_error **error) {
  errno = reason; // for %m
  switch (reason) {
  case ENOENT:
    return refuse(path, error_text("%m"), "check the path, or make it", error);
  case ENOTDIR:
    return refuse(path, error_text("%m"),
                  "give the directory that the plugin files are in", error);
  case EACCES:
    return refuse_access(path, error);
  case ENOMEM:
  case EMFILE:
  case ENFILE:
    return error_set_exhausted(error, doing, path, reason);
  case E2BIG:
    return refuse(path,
                  error_text("more than %d files end in .so", names_at_most),
                  "keep the plugins in a directory of their own", error);
  default:
    return refuse(path, error_text("%m"), "check the path", error);
  }
}

bool directory_suffix_is_one(const char *name, const char *suffixes) {
  size_t length = strlen(name);
  for (const char *suffix = suffixes; *suffix;) {
    size_t size = strcspn(suffix, ",");
    if (size && length > size &&
        strncmp(name + length - size, suffix, size) == 0)
      return true;
    suffix += size + (suffix[size] == ',');
  }
  return false;
}

static bool is_plugin_name(const char *name, const char *suffixes) {
  if (name[0] == '.')
    return false;
  // __init__.py makes a package of a directory, and is no plugin.
  return directory_suffix_is_one(name, ".so") ||
         (strncmp(name, "__", 2) != 0 &&
          directory_suffix_is_one(name, suffixes));
}

/// 0, or an errno; E2BIG for too many.
static int listing_add(struct directory_listing *listing, const char *name) {
  size_t count = listing->count;
  if (count == names_at_most)
    return E2BIG;
  // Room for a power of two, which is full when the count is one.
  if ((count & (count - 1)) == 0) {
    const char **names =
        reallocarray(listing->names, count ? 2 * count : 1, sizeof *names);
    if (!names)
      return ENOMEM;
    listing->names = names;
  }
  listing->names[count] = arena_copy(&listing->arena, name);
  if (!listing->names[count])
    return ENOMEM;
  ++listing->count;
  return 0;
}

/// 0, or an errno.
static int stream_read(struct directory_listing *listing, DIR *stream,
                       const char *suffixes) {
  int problem = 0;
  while (!problem) {
    errno = 0;
    const struct dirent *entry = readdir(stream);
    if (!entry)
      return errno;
    if (is_plugin_name(entry->d_name, suffixes))
      problem = listing_add(listing, entry->d_name);
  }
  return problem;
}

static int name_compare(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/// Sorts. A name that comes twice, for it was moved while the directory was
/// read, is kept once.
static void listing_sort(struct directory_listing *listing) {
  if (!listing->count)
    return;
  qsort(listing->names, listing->count, sizeof *listing->names, name_compare);
  size_t kept = 1;
  for (size_t i = 1; i < listing->count; ++i)
    if (strcmp(listing->names[i], listing->names[kept - 1]) != 0)
      listing->names[kept++] = listing->names[i];
  listing->count = kept;
}

/// 0, or an errno.
static int listing_read(struct directory_listing *listing, int descriptor,
                        const char *suffixes) {
  // What is read to its end is another one's, with a position of its own.
  int other = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = other < 0 ? NULL : fdopendir(other);
  int problem = stream ? stream_read(listing, stream, suffixes) : errno;
  if (stream)
    closedir(stream);
  else if (other >= 0)
    close(other);
  return problem;
}

mlirplug_status directory_open(const char *path, bool required, int *descriptor,
                               mlirplug_error **error) {
  int made = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (made < 0 && (required || errno != ENOENT))
    return refuse_to_read(path, errno, error);
  *descriptor = made;
  return MLIRPLUG_OK;
}

mlirplug_status directory_list(const char *path, int descriptor,
                               const char *suffixes,
                               struct directory_listing *listing,
                               mlirplug_error **error) {
  struct directory_listing made = {0};
  int problem = descriptor < 0 ? 0 : listing_read(&made, descriptor, suffixes);
  if (problem) {
    directory_listing_release(&made);
    return refuse_to_read(path, problem, error);
  }
  listing_sort(&made);
  *listing = made;
  return MLIRPLUG_OK;
}

void directory_listing_release(struct directory_listing *listing) {
  free(listing->names);
  arena_release(&listing->arena);
  *listing = (struct directory_listing){0};
}
