// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which directories the host searches for plugins.

#include "host/host.h"
#include "host/scan.h"

#include "find/path.h"
#include "find/python_path.h"
#include "find/search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void directory_destroy(struct host_directory *directory) {
  if (!directory)
    return;
  free((char *)directory->shown.path);
  free((char *)directory->shown.distribution);
  free((char *)directory->shown.distribution_version);
  free(directory);
}

void host_release_directories(mlirplug_host *host) {
  for (size_t i = 0; i < host->directory_count; ++i)
    directory_destroy(host->directories[i]);
  free(host->directories);
}

//===----------------------------------------------------------------------===//
// Directories
//===----------------------------------------------------------------------===//

/// One that is not searched yet; null if memory runs out.
static struct host_directory *directory_create(const struct host_place *place) {
  struct host_directory *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->shown.path = strdup(place->path);
  made->shown.origin = place->origin;
  bool complete = made->shown.path != NULL;
  if (place->package) {
    made->shown.distribution = strdup(place->package->name);
    made->shown.distribution_version = strdup(place->package->version);
    complete = complete && made->shown.distribution &&
               made->shown.distribution_version;
  }
  if (complete)
    return made;
  directory_destroy(made);
  return NULL;
}

/// Notes that a directory was searched, or why not; null if memory runs out.
static const mlirplug_directory *
directory_note(mlirplug_host *host, const struct host_place *place,
               const struct scan_source *source,
               const mlirplug_error *refused) {
  struct host_directory *made = directory_create(place);
  if (!made)
    return NULL;
  struct stat status = source->status;
  made->shown.error = refused;
  made->shown.exists =
      source->descriptor >= 0 || stat(place->path, &status) == 0;
  made->device = made->shown.exists ? status.st_dev : 0;
  made->inode = made->shown.exists ? status.st_ino : 0;
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
  directory_destroy(made);
  return NULL;
}

bool host_has_directory(mlirplug_host *host, const char *path) {
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

/// Scans what was opened, or notes that it was `refused`.
static mlirplug_status source_search(mlirplug_host *host,
                                     const struct host_place *place, bool named,
                                     const struct scan_source *source,
                                     const mlirplug_error *refused,
                                     mlirplug_error **error) {
  const mlirplug_directory *directory =
      directory_note(host, place, source, refused);
  if (!directory)
    return error_set_memory(error);
  host_log(host, "searching %s (%s): %s, files: %zu", place->path,
           place->origin,
           refused             ? "refused"
           : directory->exists ? "is there"
                               : "does not exist",
           source->listing.count);
  if (named && !source->listing.count)
    host_warn(host, "no plugin (*.so) is in the directory '%s'", place->path);
  return host_scan(host, directory, source, error);
}

mlirplug_status host_search_directory(mlirplug_host *host,
                                      const struct host_place *place,
                                      bool named, mlirplug_error **error) {
  const char *path = place->path;
  mlirplug_error *problem = NULL;
  const mlirplug_error *refused = NULL;
  struct scan_source source;
  mlirplug_status status = MLIRPLUG_OK;
  if (scan_source_open(host, path, named, &source, &problem) != MLIRPLUG_OK) {
    if (named || problem->is_exhausted)
      status = host_pass_error(problem, error);
    else if ((refused = host_refuse(host, path, problem, error)))
      host_warn_refused(host, refused);
    else
      status = MLIRPLUG_FAILED;
  }
  if (status == MLIRPLUG_OK)
    status = source_search(host, place, named, &source, refused, error);
  scan_source_close(&source);
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
  const struct host_place place = {.path = absolute,
                                   .origin = "named directory"};
  mlirplug_status status = host_search_directory(host, &place, true, error);
  free(absolute);
  host_warn_unsigned(host);
  return status;
}

/// Searches the directories of the path and then those of the packages.
static mlirplug_status defaults_search(mlirplug_host *host,
                                       const struct search_path *search,
                                       const struct distributions *packages,
                                       mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  for (size_t i = 0; i < search->count; ++i) {
    const struct search_directory *directory = &search->directories[i];
    const struct host_place place = {
        .path = directory->path,
        .origin = directory->origin,
        .package = host_find_package(packages, directory->path)};
    if (!host_has_directory(host, directory->path) &&
        host_search_directory(host, &place, false,
                              status == MLIRPLUG_OK ? error : NULL) !=
            MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  }
  if (host_search_packages(host, packages,
                           status == MLIRPLUG_OK ? error : NULL) != MLIRPLUG_OK)
    status = MLIRPLUG_FAILED;
  return status;
}

/// The packages on the path of Python's modules.
static mlirplug_status packages_read(struct distributions *packages,
                                     mlirplug_error **error) {
  struct python_path path;
  if (python_path_make(&path, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = distributions_read(
      (const char *const *)path.directories, path.count, packages, error);
  python_path_release(&path);
  return status;
}

mlirplug_status mlirplug_host_add_default_directories(mlirplug_host *host,
                                                      mlirplug_error **error) {
  struct search_path search;
  struct distributions packages;
  if (search_path_make(&search, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = packages_read(&packages, error);
  if (status == MLIRPLUG_OK) {
    status = defaults_search(host, &search, &packages, error);
    distributions_release(&packages);
  }
  search_path_release(&search);
  host_warn_unsigned(host);
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
