// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/installed.h"

#include "base/location.h"
#include "pipeline/closest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *kind;
  const char *file;
} installed[] = {
    {"static", "mlirplug/libmlirplug-mlir22.so"},
    {"shared", "mlirplug/libmlirplug-mlir22-shared.so"},
};

const char *installed_provider_kind(size_t index) {
  return index < sizeof installed / sizeof installed[0] ? installed[index].kind
                                                        : NULL;
}

static struct span span_of(const char *string) {
  return (struct span){string, string + strlen(string)};
}

/// `path`, or null after freeing it if what pip would put there is missing.
static char *path_expect(const char *kind, char *path, mlirplug_error **error) {
  char *package = access(path, F_OK) == 0 ? NULL : location_of_package();
  if (!package)
    return path; // if it is missing, whoever opens it says so
  bool is_static = strcmp(kind, installed[0].kind) == 0;
  error_set(error,
            &(mlirplug_error){
                .doing = "cannot attach the provider",
                .subject = kind,
                .found = error_text("'%s' is not there", path),
                .remedy = is_static ? "pip install 'mlirplug[mlir]'"
                                    : "use --provider=static, which is all "
                                      "that pip installs"});
  free(package);
  free(path);
  return NULL;
}

static char *path_of_kind(const char *kind, const char *file,
                          mlirplug_error **error) {
  char *directory = location_of_core();
  if (!directory) {
    error_set(error,
              &(mlirplug_error){
                  .doing = "cannot attach the provider",
                  .subject = kind,
                  .found = error_text("the place of libmlirplug, where it "
                                      "should be, cannot be told: %s",
                                      strerror(errno)),
                  .remedy = "give the provider as a path"});
    return NULL;
  }
  char *path = NULL;
  if (asprintf(&path, "%s%s", directory, file) < 0) {
    path = NULL;
    error_set_memory(error);
  }
  free(directory);
  return path ? path_expect(kind, path, error) : NULL;
}

char *installed_provider_path(const char *library, mlirplug_error **error) {
  for (size_t i = 0; i < sizeof installed / sizeof installed[0]; ++i)
    if (strcmp(library, installed[i].kind) == 0)
      return path_of_kind(library, installed[i].file, error);
  if (!strchr(library, '/')) {
    struct closest closest = {0};
    for (size_t i = 0; i < sizeof installed / sizeof installed[0]; ++i)
      closest_consider(&closest, span_of(library), span_of(installed[i].kind));
    error_set(error, &(mlirplug_error){
                         .doing = "cannot attach the provider",
                         .subject = library,
                         .found = "no provider has this name",
                         .expected = "static, shared, or a path with a slash",
                         .remedy = closest.name.begin
                                       ? error_text("did you mean '%s'?",
                                                    closest.name.begin)
                                       : "write ./ before a file in this "
                                         "directory"});
    return NULL;
  }
  char *path = realpath(library, NULL);
  if (!path)
    error_set(error, &(mlirplug_error){.doing = "cannot attach the provider",
                                       .subject = library,
                                       .found = strerror(errno),
                                       .expected = "a library with the C API "
                                                   "of MLIR"});
  return path;
}
