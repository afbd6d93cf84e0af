// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the host comes to plugins that nobody named: the directories that are
// searched, and what is refused there.

#include "host/host.h"

#include "find/directory.h"
#include "find/path.h"
#include "find/search.h"
#include "find/trust.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// As many refusals as a remedy names.
enum { refusals_told = 3 };

void host_release_directories(mlirplug_host *host) {
  for (size_t i = 0; i < host->directory_count; ++i) {
    free((char *)host->directories[i]->shown.path);
    free(host->directories[i]);
  }
  free(host->directories);
  for (size_t i = 0; i < host->refusal_count; ++i) {
    free((char *)host->refusals[i]->shown.path);
    mlirplug_error_destroy((mlirplug_error *)host->refusals[i]->shown.error);
    free(host->refusals[i]);
  }
  free(host->refusals);
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// Takes `made`; false if memory runs out.
static bool refusal_keep(mlirplug_host *host, struct host_refusal *made) {
  pthread_mutex_lock(&host->lock);
  struct host_refusal **refusals =
      reallocarray(host->refusals, host->refusal_count + 1, sizeof *refusals);
  if (refusals) {
    host->refusals = refusals;
    host->refusals[host->refusal_count++] = made;
  }
  pthread_mutex_unlock(&host->lock);
  return refusals;
}

/// Notes that `path` was refused, and takes `problem`. The result is null after
/// setting the error for want of memory.
static const mlirplug_error *refusal_add(mlirplug_host *host, const char *path,
                                         mlirplug_error *problem,
                                         mlirplug_error **error) {
  struct host_refusal *made = calloc(1, sizeof *made);
  char *copy = made ? strdup(path) : NULL;
  if (made)
    made->shown = (mlirplug_refusal){.path = copy, .error = problem};
  if (copy && refusal_keep(host, made))
    return problem;
  free(copy);
  free(made);
  mlirplug_error_destroy(problem);
  (void)error_set_memory(error);
  return NULL;
}

void host_add_refusals(const mlirplug_host *host, struct text *remedy) {
  size_t count = mlirplug_host_refusal_count(host);
  if (!count)
    return;
  text_add(remedy, "; or it is in what was refused: ");
  for (size_t i = 0; i < count && i < refusals_told; ++i) {
    const mlirplug_refusal *refusal = mlirplug_host_refusal(host, i);
    text_format(remedy, "%s'%s' (%s)", i ? ", " : "", refusal->path,
                refusal->error->found ? refusal->error->found
                                      : refusal->error->doing);
  }
  if (count > refusals_told)
    text_format(remedy, " and %zu more", count - refusals_told);
}

//===----------------------------------------------------------------------===//
// The files in a directory
//===----------------------------------------------------------------------===//

/// True if there is not even a symbolic link by this name.
static bool is_gone(const char *path) {
  struct stat status;
  return lstat(path, &status) != 0 && errno == ENOENT;
}

/// Adds the plugin at `path`, or refuses it. Fails only with an error that is
/// more than this file's.
static mlirplug_status file_add(mlirplug_host *host, const char *path,
                                const mlirplug_directory *directory,
                                mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  const struct plugin *plugin;
  bool clashes;
  if (host_add(host, path, directory, &plugin, &clashes, &problem) ==
      MLIRPLUG_OK)
    return MLIRPLUG_OK;
  if (!clashes && is_gone(path)) {
    host_log(host, "%s has gone since its directory was read", path);
    mlirplug_error_destroy(problem);
    return MLIRPLUG_OK;
  }
  const mlirplug_error *refused = refusal_add(host, path, problem, error);
  if (!refused)
    return MLIRPLUG_FAILED;
  if (clashes && error)
    return error_set(error, refused);
  host_warn(host, "%s", refused->message);
  return clashes ? MLIRPLUG_FAILED : MLIRPLUG_OK;
}

/// Adds all of them; the error is that of the first that fails.
static mlirplug_status files_add(mlirplug_host *host,
                                 const mlirplug_directory *directory,
                                 const struct directory_listing *listing,
                                 mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  const char *slash = strcmp(directory->path, "/") != 0 ? "/" : "";
  for (size_t i = 0; i < listing->count; ++i) {
    mlirplug_error **first = status == MLIRPLUG_OK ? error : NULL;
    char *path = NULL;
    if (asprintf(&path, "%s%s%s", directory->path, slash, listing->names[i]) <
        0)
      return first ? error_set_memory(first) : MLIRPLUG_FAILED;
    if (file_add(host, path, directory, first) != MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
    free(path);
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

/// Notes that a directory was searched, or why not; null if memory runs out.
static const mlirplug_directory *directory_note(mlirplug_host *host,
                                                const char *path,
                                                const char *origin,
                                                const mlirplug_error *refused) {
  struct host_directory *made = calloc(1, sizeof *made);
  char *copy = made ? strdup(path) : NULL;
  if (!copy) {
    free(made);
    return NULL;
  }
  struct stat status;
  bool exists = stat(path, &status) == 0;
  *made = (struct host_directory){
      {.path = copy, .origin = origin, .exists = exists, .error = refused},
      exists ? status.st_dev : 0,
      exists ? status.st_ino : 0};
  pthread_mutex_lock(&host->lock);
  struct host_directory **directories = reallocarray(
      host->directories, host->directory_count + 1, sizeof *directories);
  if (directories) {
    host->directories = directories;
    host->directories[host->directory_count++] = made;
  }
  pthread_mutex_unlock(&host->lock);
  if (directories)
    return &made->shown;
  free(copy);
  free(made);
  return NULL;
}

/// True if this directory was searched before, by this name or another.
static bool directory_is_known(mlirplug_host *host, const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return false;
  bool found = false;
  pthread_mutex_lock(&host->lock);
  for (size_t i = 0; i < host->directory_count; ++i) {
    const struct host_directory *known = host->directories[i];
    if (known->shown.exists && known->device == status.st_dev &&
        known->inode == status.st_ino)
      found = true;
  }
  pthread_mutex_unlock(&host->lock);
  return found;
}

static mlirplug_status directory_trust(const mlirplug_host *host,
                                       const char *path,
                                       mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (trust_check_directory(path, &problem) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  return host_decide_trust(host, problem, error);
}

/// Searches a directory that was `named`, or is one of the usual ones.
static mlirplug_status directory_search(mlirplug_host *host, const char *path,
                                        const char *origin, bool named,
                                        mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  const mlirplug_error *refused = NULL;
  struct directory_listing listing = {0};
  if (directory_trust(host, path, &problem) != MLIRPLUG_OK ||
      directory_list(path, named, &listing, &problem) != MLIRPLUG_OK) {
    if (named)
      return host_pass_error(problem, error);
    refused = refusal_add(host, path, problem, error);
    if (!refused)
      return MLIRPLUG_FAILED;
    host_warn(host, "%s", refused->message);
  }
  mlirplug_status status = MLIRPLUG_FAILED;
  const mlirplug_directory *directory =
      directory_note(host, path, origin, refused);
  if (!directory) {
    (void)error_set_memory(error);
  } else {
    host_log(host, "searching %s (%s): %s, files: %zu", path, origin,
             refused             ? "refused"
             : directory->exists ? "is there"
                                 : "does not exist",
             listing.count);
    if (named && !listing.count)
      host_warn(host, "no plugin (*.so) is in the directory '%s'", path);
    status = files_add(host, directory, &listing, error);
  }
  directory_listing_release(&listing);
  return status;
}

static mlirplug_status directory_refuse(const char *path, const char *found,
                                        const char *remedy,
                                        mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot search for plugins in",
                                     .subject = path,
                                     .found = found,
                                     .remedy = remedy});
}

mlirplug_status mlirplug_host_add_directory(mlirplug_host *host,
                                            const char *path,
                                            mlirplug_error **error) {
  if (!path || !*path)
    return directory_refuse("", "the path is empty", "give a directory", error);
  char *absolute = path_make_absolute(path);
  if (!absolute && errno == ENOMEM)
    return error_set_memory(error);
  if (!absolute)
    return directory_refuse(path,
                            error_text("the working directory is gone: %m"),
                            "give an absolute path", error);
  for (size_t length = strlen(absolute);
       length > 1 && absolute[length - 1] == '/';)
    absolute[--length] = '\0';
  mlirplug_status status =
      directory_search(host, absolute, "named directory", true, error);
  free(absolute);
  return status;
}

mlirplug_status mlirplug_host_add_default_directories(mlirplug_host *host,
                                                      mlirplug_error **error) {
  struct search_path search;
  if (search_path_make(&search, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = MLIRPLUG_OK;
  for (size_t i = 0; i < search.count; ++i) {
    const struct search_directory *directory = &search.directories[i];
    if (!directory_is_known(host, directory->path) &&
        directory_search(host, directory->path, directory->origin, false,
                         status == MLIRPLUG_OK ? error : NULL) != MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  }
  search_path_release(&search);
  return status;
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

size_t mlirplug_host_directory_count(const mlirplug_host *host) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  size_t count = host->directory_count;
  pthread_mutex_unlock(lock);
  return count;
}

const mlirplug_directory *mlirplug_host_directory(const mlirplug_host *host,
                                                  size_t index) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  const mlirplug_directory *directory =
      index < host->directory_count ? &host->directories[index]->shown : NULL;
  pthread_mutex_unlock(lock);
  return directory;
}

size_t mlirplug_host_refusal_count(const mlirplug_host *host) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  size_t count = host->refusal_count;
  pthread_mutex_unlock(lock);
  return count;
}

const mlirplug_refusal *mlirplug_host_refusal(const mlirplug_host *host,
                                              size_t index) {
  pthread_mutex_t *lock = (pthread_mutex_t *)&host->lock;
  pthread_mutex_lock(lock);
  const mlirplug_refusal *refusal =
      index < host->refusal_count ? &host->refusals[index]->shown : NULL;
  pthread_mutex_unlock(lock);
  return refusal;
}
