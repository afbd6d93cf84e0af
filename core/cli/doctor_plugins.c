// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The doctor on plugins: each of those that would be taken, and whether it can
// run.

#include "cli/doctor.h"

#include "cli/describe.h"
#include "cli/json_value.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Problems
//===----------------------------------------------------------------------===//

/// Whether the copy of MLIR that is in use has all that the plugin needs.
static void functions_examine(struct doctor *doctor,
                              const mlirplug_plugin_description *plugin) {
  for (size_t i = 0; i < doctor->provider_count; ++i) {
    const struct doctor_provider *provider = &doctor->providers[i];
    mlirplug_error *error = NULL;
    if (provider->is_wanted && provider->host &&
        mlirplug_host_check_plugin(provider->host, plugin, &error) !=
            MLIRPLUG_OK) {
      doctor_note_error(doctor, "plugin", error);
      mlirplug_error_destroy(error);
    }
  }
}

/// Whether the plugin's passes have names of their own.
static void names_examine(struct doctor *doctor,
                          const mlirplug_plugin_description *plugin) {
  for (size_t i = 0; i < plugin->pass_count; ++i) {
    const char *name = plugin->passes[i]->name;
    const mlirplug_plugin_description *first = NULL;
    char *what = NULL;
    if (!mlirplug_host_find_pass(doctor->host, name, &first) ||
        strcmp(first->path, plugin->path) == 0)
      continue;
    if (asprintf(&what,
                 "two plugins have a pass '%s', which no pipeline can use: "
                 "'%s' and '%s'",
                 name, first->path, plugin->path) < 0)
      doctor->failed = true;
    else
      doctor_note(doctor, "plugin", plugin->path, what,
                  "remove one of the files, or name the one that you want and "
                  "search no directory: --load-pass-plugin=FILE "
                  "--no-default-plugins");
    free(what);
  }
}

static void plugins_examine(struct doctor *doctor) {
  size_t count = mlirplug_host_plugin_count(doctor->host);
  for (size_t i = 0; i < count; ++i) {
    const mlirplug_plugin_description *plugin =
        mlirplug_host_plugin(doctor->host, i);
    if (!plugin)
      continue;
    functions_examine(doctor, plugin);
    names_examine(doctor, plugin);
  }
}

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

static const char *origin_of(const struct doctor *doctor, size_t index) {
  const mlirplug_directory *directory =
      mlirplug_host_plugin_directory(doctor->host, index);
  return directory ? directory->origin : "named";
}

static void runs_on_print(const struct doctor *doctor,
                          const mlirplug_plugin_description *plugin,
                          FILE *stream) {
  for (size_t i = 0; i < doctor->provider_count; ++i) {
    const struct doctor_provider *provider = &doctor->providers[i];
    mlirplug_error *error = NULL;
    if (!provider->host || mlirplug_host_check_plugin(provider->host, plugin,
                                                      &error) == MLIRPLUG_OK)
      continue;
    fprintf(stream, "    cannot run on ");
    describe_text(stream, provider->name);
    fputs(": ", stream);
    describe_text(stream, error->found ? error->found : error->message);
    fputc('\n', stream);
    mlirplug_error_destroy(error);
  }
}

static void plugins_print(const struct doctor *doctor, FILE *stream) {
  size_t count = mlirplug_host_plugin_count(doctor->host);
  if (!count)
    fputs("  none\n", stream);
  for (size_t i = 0; i < count; ++i) {
    const mlirplug_plugin_description *plugin =
        mlirplug_host_plugin(doctor->host, i);
    if (!plugin)
      continue;
    fputs("  ", stream);
    describe_text(stream, plugin->id);
    fputs(" ", stream);
    describe_text(stream, plugin->version);
    fputs("  ", stream);
    describe_text(stream, plugin->path);
    fputs("  ", stream);
    const mlirplug_directory *directory =
        mlirplug_host_plugin_directory(doctor->host, i);
    if (directory)
      describe_origin(stream, directory);
    else
      fputs("(named)", stream);
    fprintf(stream, ", passes: %zu\n", plugin->pass_count);
    runs_on_print(doctor, plugin, stream);
  }
}

static json_t *runs_on_make(const struct doctor *doctor,
                            const mlirplug_plugin_description *plugin) {
  json_t *array = json_array();
  bool complete = array != NULL;
  for (size_t i = 0; complete && i < doctor->provider_count; ++i) {
    const struct doctor_provider *provider = &doctor->providers[i];
    if (!provider->host)
      continue;
    mlirplug_error *error = NULL;
    bool runs = mlirplug_host_check_plugin(provider->host, plugin, &error) ==
                MLIRPLUG_OK;
    json_t *object = json_object();
    json_field(object, "provider", json_text(provider->name), &complete);
    json_field(object, "runs", json_boolean(runs), &complete);
    json_field(object, "found", json_text(runs ? "" : error->found), &complete);
    mlirplug_error_destroy(error);
    if (json_array_append_new(array, object) != 0)
      complete = false;
  }
  return json_finish(array, complete);
}

static json_t *passes_make(const mlirplug_plugin_description *plugin) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < plugin->pass_count; ++i)
    if (json_array_append_new(array, json_text(plugin->passes[i]->name)) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

static json_t *plugin_make(const struct doctor *doctor, size_t index) {
  const mlirplug_plugin_description *plugin =
      mlirplug_host_plugin(doctor->host, index);
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "path", json_text(plugin->path), &complete);
  json_field(object, "id", json_text(plugin->id), &complete);
  json_field(object, "version", json_text(plugin->version), &complete);
  json_field(object, "origin", json_string(origin_of(doctor, index)),
             &complete);
  json_field(object, "passes", passes_make(plugin), &complete);
  json_field(object, "providers", runs_on_make(doctor, plugin), &complete);
  return json_finish(object, complete);
}

static json_t *plugins_make(const struct doctor *doctor) {
  json_t *array = json_array();
  size_t count = mlirplug_host_plugin_count(doctor->host);
  for (size_t i = 0; array && i < count; ++i)
    if (mlirplug_host_plugin(doctor->host, i) &&
        json_array_append_new(array, plugin_make(doctor, i)) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

const struct doctor_section doctor_plugins = {
    "Plugins", "plugins", plugins_examine, plugins_print, plugins_make};
