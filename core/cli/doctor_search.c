// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor on the search for plugins: where it goes, and what is refused.

#include "cli/doctor.h"

#include "cli/describe.h"
#include "cli/json.h"
#include "cli/json_value.h"
#include "cli/plugins.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Searching
//===----------------------------------------------------------------------===//

/// Takes note of an error, if there is one, and destroys it.
static void error_take(struct doctor *doctor, const char *about,
                       mlirplug_status status, mlirplug_error *error) {
  if (status == MLIRPLUG_OK)
    return;
  if (error)
    doctor_note_error(doctor, about, error);
  else
    doctor->failed = true;
  mlirplug_error_destroy(error);
}

/// That of the working directory, unless one is named.
static void configuration_search(struct doctor *doctor) {
  const struct arguments *arguments = doctor->arguments;
  mlirplug_error *error = NULL;
  mlirplug_status status = MLIRPLUG_OK;
  if (arguments->configuration)
    status = mlirplug_host_add_configuration(doctor->host,
                                             arguments->configuration, &error);
  else if (!arguments->no_configuration)
    status = mlirplug_host_find_configuration(doctor->host, NULL, &error);
  error_take(doctor, "configuration", status, error);
}

static void defaults_search(struct doctor *doctor) {
  mlirplug_error *error = NULL;
  mlirplug_status status =
      mlirplug_host_add_default_directories(doctor->host, &error);
  error_take(doctor, "directory", status, error);
}

void doctor_search(struct doctor *doctor) {
  const struct arguments *arguments = doctor->arguments;
  for (size_t i = 0; i < arguments->plugins.count; ++i) {
    mlirplug_error *error = NULL;
    mlirplug_status status = mlirplug_host_add_plugin(
        doctor->host, arguments->plugins.items[i], NULL, &error);
    error_take(doctor, "plugin", status, error);
  }
  for (size_t i = 0; i < arguments->directories.count; ++i) {
    if (plugins_is_repeated(&arguments->directories, i))
      continue;
    mlirplug_error *error = NULL;
    mlirplug_status status = mlirplug_host_add_directory(
        doctor->host, arguments->directories.items[i], &error);
    error_take(doctor, "directory", status, error);
  }
  configuration_search(doctor);
  if (!arguments->no_default_plugins)
    defaults_search(doctor);
}

//===----------------------------------------------------------------------===//
// The configuration file
//===----------------------------------------------------------------------===//

/// Whether the file that was found or named is used.
static bool configuration_is_used(const struct doctor *doctor,
                                  const char *path) {
  for (size_t i = 0; i < mlirplug_host_refusal_count(doctor->host); ++i)
    if (strcmp(mlirplug_host_refusal(doctor->host, i)->path, path) == 0)
      return false;
  return true;
}

static void configuration_print(const struct doctor *doctor, FILE *stream) {
  const char *path = mlirplug_host_configuration_file(doctor->host);
  fputs("  ", stream);
  describe_text(stream, path ? path : "none");
  if (path && !configuration_is_used(doctor, path))
    fputs("  (refused)", stream);
  fputc('\n', stream);
}

static json_t *configuration_make(const struct doctor *doctor) {
  const char *path = mlirplug_host_configuration_file(doctor->host);
  if (!path)
    return json_null();
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "path", json_text(path), &complete);
  json_field(object, "used", json_boolean(configuration_is_used(doctor, path)),
             &complete);
  return json_finish(object, complete);
}

const struct doctor_section doctor_configuration = {
    "Configuration", "configuration", NULL, configuration_print,
    configuration_make};

//===----------------------------------------------------------------------===//
// The search path
//===----------------------------------------------------------------------===//

static size_t plugins_count(const struct doctor *doctor,
                            const mlirplug_directory *directory) {
  size_t count = 0, all = mlirplug_host_plugin_count(doctor->host);
  for (size_t i = 0; i < all; ++i)
    count += mlirplug_host_plugin_directory(doctor->host, i) == directory;
  return count;
}

/// How many files in it were refused.
static size_t refusals_count(const struct doctor *doctor,
                             const mlirplug_directory *directory) {
  size_t count = 0, all = mlirplug_host_refusal_count(doctor->host);
  size_t length = strlen(directory->path) - (directory->path[1] == '\0'); // "/"
  for (size_t i = 0; i < all; ++i) {
    const char *path = mlirplug_host_refusal(doctor->host, i)->path;
    const char *name = strrchr(path, '/');
    count +=
        name == path + length && strncmp(path, directory->path, length) == 0;
  }
  return count;
}

static void directory_print(const struct doctor *doctor,
                            const mlirplug_directory *directory, FILE *stream) {
  if (directory->error) {
    fputs("refused: ", stream);
    describe_text(stream, directory->error->found ? directory->error->found
                                                  : directory->error->message);
  } else if (!directory->exists) {
    fputs("does not exist", stream);
  } else {
    fprintf(stream, "plugins: %zu", plugins_count(doctor, directory));
    size_t refused = refusals_count(doctor, directory);
    if (refused)
      fprintf(stream, ", refused: %zu", refused);
  }
}

static void search_path_print(const struct doctor *doctor, FILE *stream) {
  size_t count = mlirplug_host_directory_count(doctor->host);
  if (!count)
    fputs("  none\n", stream);
  for (size_t i = 0; i < count; ++i) {
    const mlirplug_directory *directory =
        mlirplug_host_directory(doctor->host, i);
    fputs("  ", stream);
    describe_text(stream, directory->path);
    fputs("  ", stream);
    describe_origin(stream, directory);
    fputs(" ", stream);
    directory_print(doctor, directory, stream);
    fputc('\n', stream);
  }
}

static json_t *directory_make(const struct doctor *doctor, size_t index) {
  const mlirplug_directory *directory =
      mlirplug_host_directory(doctor->host, index);
  json_t *object = json_directory(doctor->host, index);
  bool complete = object != NULL;
  json_field(object, "plugin_count",
             json_integer((json_int_t)plugins_count(doctor, directory)),
             &complete);
  json_field(object, "refused_count",
             json_integer((json_int_t)refusals_count(doctor, directory)),
             &complete);
  return json_finish(object, complete);
}

static json_t *search_path_make(const struct doctor *doctor) {
  return doctor_make_list(doctor, mlirplug_host_directory_count(doctor->host),
                          directory_make);
}

const struct doctor_section doctor_search_path = {
    "Search path", "directories", NULL, search_path_print, search_path_make};

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

static void refused_examine(struct doctor *doctor) {
  size_t count = mlirplug_host_refusal_count(doctor->host);
  for (size_t i = 0; i < count; ++i)
    doctor_note_error(doctor, "refused",
                      mlirplug_host_refusal(doctor->host, i)->error);
}

static void refused_print(const struct doctor *doctor, FILE *stream) {
  size_t count = mlirplug_host_refusal_count(doctor->host);
  for (size_t i = 0; i < count && i < doctor_refusals_shown; ++i) {
    const mlirplug_refusal *refusal = mlirplug_host_refusal(doctor->host, i);
    const mlirplug_error *error = refusal->error;
    fputs("  ", stream);
    describe_text(stream, refusal->path);
    fputs(": ", stream);
    describe_text(stream, error->found ? error->found : error->message);
    fputc('\n', stream);
  }
  if (count > doctor_refusals_shown)
    fprintf(stream, "  and %zu more; --json has them all\n",
            count - doctor_refusals_shown);
}

static json_t *refusal_make(const struct doctor *doctor, size_t index) {
  return json_refusal(doctor->host, index);
}

static json_t *refused_make(const struct doctor *doctor) {
  return doctor_make_list(doctor, mlirplug_host_refusal_count(doctor->host),
                          refusal_make);
}

const struct doctor_section doctor_refused = {
    "Refused", "refused", refused_examine, refused_print, refused_make};

//===----------------------------------------------------------------------===//
// Warnings
//===----------------------------------------------------------------------===//

static void warnings_print(const struct doctor *doctor, FILE *stream) {
  for (size_t i = 0; i < doctor->warning_count; ++i) {
    fputs("  ", stream);
    describe_text(stream, doctor->warnings[i]);
    fputc('\n', stream);
  }
}

static json_t *warnings_make(const struct doctor *doctor) {
  return json_texts((const char *const *)doctor->warnings,
                    doctor->warning_count);
}

const struct doctor_section doctor_warnings = {"Warnings", "warnings", NULL,
                                               warnings_print, warnings_make};
