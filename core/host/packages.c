// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugins that Python packages bring.

#include "host/host.h"

#include "find/python_path.h"

#include <sys/stat.h>

static bool is_same(const char *left, const char *right) {
  struct stat one, other;
  return stat(left, &one) == 0 && stat(right, &other) == 0 &&
         one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

const struct distribution *
host_find_package(const struct distributions *packages, const char *path) {
  for (size_t i = 0; i < packages->count; ++i) {
    const struct distribution *package = &packages->items[i];
    if (package->directory && is_same(package->directory, path))
      return package;
  }
  return NULL;
}

/// Notes why nothing comes of an entry point.
static mlirplug_status entry_refuse(mlirplug_host *host,
                                    const struct distribution *package,
                                    mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  (void)error_set(
      &problem,
      &(mlirplug_error){
          .doing = "cannot find the plugins of the Python package",
          .subject = package->name,
          .found = error_text("its entry point '%s' (in %s) names no directory "
                              "on the path of Python's modules",
                              package->module, package->file),
          .expected = "a directory of plugins, named as Python names a "
                      "package: example.plugins",
          .remedy = "install the package again; for an editable one, name the "
                    "directory in MLIRPLUG_PATH"});
  if (problem->is_exhausted)
    return host_pass_error(problem, error);
  const mlirplug_error *refused =
      host_refuse(host, package->file, problem, error);
  if (!refused)
    return MLIRPLUG_FAILED;
  host_warn_refused(host, refused);
  return MLIRPLUG_OK;
}

static mlirplug_status package_search(mlirplug_host *host,
                                      const struct distribution *package,
                                      mlirplug_error **error) {
  if (!package->directory)
    return entry_refuse(host, package, error);
  if (host_has_directory(host, package->directory))
    return MLIRPLUG_OK;
  const struct host_place place = {.path = package->directory,
                                   .origin = "Python package",
                                   .package = package};
  return host_search_directory(host, &place, false, error);
}

mlirplug_status host_search_packages(mlirplug_host *host,
                                     const struct distributions *packages,
                                     mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  for (size_t i = 0; i < packages->count; ++i)
    if (package_search(host, &packages->items[i],
                       status == MLIRPLUG_OK ? error : NULL) != MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  return status;
}

mlirplug_status mlirplug_host_add_packages(mlirplug_host *host,
                                           const char *path,
                                           mlirplug_error **error) {
  struct python_path directories;
  struct distributions packages;
  if (python_path_parse(path, &directories, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status =
      distributions_read((const char *const *)directories.directories,
                         directories.count, &packages, error);
  python_path_release(&directories);
  if (status == MLIRPLUG_OK) {
    status = host_search_packages(host, &packages, error);
    distributions_release(&packages);
  }
  host_warn_unsigned(host);
  return status;
}
