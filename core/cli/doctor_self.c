// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor on mlirplug itself, and what the environment tells it.

#include "cli/doctor.h"

#include "cli/describe.h"
#include "cli/json_value.h"

#include <mlirplug/plugin.h>

#include <dlfcn.h>
#include <stdlib.h>

//===----------------------------------------------------------------------===//
// mlirplug
//===----------------------------------------------------------------------===//

/// Where libmlirplug was loaded from, to be freed; null if that cannot be told.
static char *library_path(void) {
  Dl_info information;
  const void *function = dlsym(RTLD_DEFAULT, "mlirplug_version");
  if (!function || !dladdr(function, &information))
    return NULL;
  return realpath(information.dli_fname, NULL);
}

static void self_print(const struct doctor *doctor, FILE *stream) {
  const char *cache = mlirplug_host_cache_directory(doctor->host);
  char *library = library_path();
  fprintf(stream, "  version %s\n  library ", mlirplug_version());
  describe_text(stream, library ? library : "(unknown)");
  fprintf(stream, "\n  plugin ABI %d.%d\n  cache ", MLIRPLUG_ABI_MAJOR,
          MLIRPLUG_ABI_MINOR);
  describe_text(stream, cache ? cache : "(no place for it)");
  fputc('\n', stream);
  free(library);
}

static json_t *self_make(const struct doctor *doctor) {
  char abi[32];
  (void)snprintf(abi, sizeof abi, "%d.%d", MLIRPLUG_ABI_MAJOR,
                 MLIRPLUG_ABI_MINOR);
  char *library = library_path();
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "version", json_text(mlirplug_version()), &complete);
  json_field(object, "library", json_text(library), &complete);
  json_field(object, "abi", json_string(abi), &complete);
  json_field(object, "cache",
             json_text(mlirplug_host_cache_directory(doctor->host)), &complete);
  free(library);
  return json_finish(object, complete);
}

const struct doctor_section doctor_self = {"mlirplug", "mlirplug", NULL,
                                           self_print, self_make};

//===----------------------------------------------------------------------===//
// The environment
//===----------------------------------------------------------------------===//

static const char *const variables[] = {
    "MLIRPLUG_PATH",        "MLIRPLUG_DEBUG",  "MLIRPLUG_LIBRARY",
    "MLIRPLUG_PYTHON_PATH", "VIRTUAL_ENV",     "HOME",
    "XDG_DATA_HOME",        "XDG_CONFIG_HOME", "XDG_STATE_HOME",
    "XDG_CACHE_HOME",       "TMPDIR",          "LD_PRELOAD",
    "LD_LIBRARY_PATH"};

enum { VARIABLE_COUNT = sizeof variables / sizeof variables[0] };

static void environment_print(const struct doctor *doctor, FILE *stream) {
  (void)doctor;
  for (size_t i = 0; i < VARIABLE_COUNT; ++i) {
    const char *value = getenv(variables[i]);
    fprintf(stream, "  %s%s", variables[i], value ? "=" : " is not set");
    if (value)
      describe_text(stream, value);
    fputc('\n', stream);
  }
}

static json_t *environment_make(const struct doctor *doctor) {
  (void)doctor;
  json_t *object = json_object();
  bool complete = object != NULL;
  for (size_t i = 0; i < VARIABLE_COUNT; ++i) {
    const char *value = getenv(variables[i]);
    if (value)
      json_field(object, variables[i], json_text(value), &complete);
  }
  return json_finish(object, complete);
}

const struct doctor_section doctor_environment = {
    "Environment", "environment", NULL, environment_print, environment_make};
