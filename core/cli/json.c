// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/json.h"

#include "cli/describe.h"
#include "cli/json_value.h"
#include "cli/memory.h"

#include <string.h>

/// What a describe_… function prints, as a JSON string.
static json_t *described_make(void (*describe)(FILE *, const mlirplug_option *),
                              const mlirplug_option *option) {
  struct memory memory;
  if (!memory_open(&memory))
    return NULL;
  describe(memory.stream, option);
  json_t *text = memory_close(&memory) ? json_text(memory.bytes) : NULL;
  memory_release(&memory);
  return text;
}

static json_t *choices_make(const char *choices) {
  json_t *array = json_array();
  while (array && choices && *choices) {
    size_t length = strcspn(choices, ",");
    char *choice = strndup(choices, length);
    int failed =
        json_array_append_new(array, choice ? json_text(choice) : NULL);
    free(choice);
    if (failed) {
      json_decref(array);
      return NULL;
    }
    choices += length + (choices[length] == ',');
  }
  return array;
}

static const char *kind_name(uint32_t kind) {
  switch (kind & ~MLIRPLUG_KIND_LIST) {
  case MLIRPLUG_KIND_BOOL:
    return "bool";
  case MLIRPLUG_KIND_INT:
    return "int";
  case MLIRPLUG_KIND_UINT:
    return "uint";
  case MLIRPLUG_KIND_DOUBLE:
    return "double";
  case MLIRPLUG_KIND_STRING:
    return "string";
  case MLIRPLUG_KIND_ENUM:
    return "enum";
  default:
    return "unknown";
  }
}

static json_t *number_make(const mlirplug_option *option, int64_t integer,
                           double real) {
  uint32_t kind = option->kind & ~MLIRPLUG_KIND_LIST;
  if (kind == MLIRPLUG_KIND_DOUBLE)
    return json_real(real);
  // JSON has one kind of integer, and jansson's has a sign.
  if (kind == MLIRPLUG_KIND_UINT && integer < 0)
    return json_real((double)(uint64_t)integer);
  return json_integer(integer);
}

static json_t *default_make(const mlirplug_option *option) {
  switch (option->kind) {
  case MLIRPLUG_KIND_BOOL:
    return json_boolean(option->default_integer);
  case MLIRPLUG_KIND_INT:
  case MLIRPLUG_KIND_UINT:
  case MLIRPLUG_KIND_DOUBLE: {
    json_t *number =
        number_make(option, option->default_integer, option->default_double);
    // No JSON number is infinite.
    return number ? number : described_make(describe_default, option);
  }
  default:
    return described_make(describe_default, option);
  }
}

static json_t *option_make(const mlirplug_option *option) {
  json_t *object = json_object();
  bool complete = object != NULL;
  bool is_list = option->kind & MLIRPLUG_KIND_LIST;
  json_field(object, "name", json_text(option->name), &complete);
  json_field(object, "kind", json_string(kind_name(option->kind)), &complete);
  json_field(object, "list", json_boolean(is_list), &complete);
  json_field(object, "takes", described_make(describe_kind, option), &complete);
  json_field(object, "default", default_make(option), &complete);
  json_field(object, "help", json_text(option->help), &complete);
  if ((option->kind & ~MLIRPLUG_KIND_LIST) == MLIRPLUG_KIND_ENUM)
    json_field(object, "choices", choices_make(option->choices), &complete);
  if (option->flags & MLIRPLUG_OPTION_RANGE) {
    json_t *minimum =
        number_make(option, option->minimum, option->minimum_double);
    json_t *maximum =
        number_make(option, option->maximum, option->maximum_double);
    // A bound that is infinite bounds nothing.
    if (minimum)
      json_field(object, "minimum", minimum, &complete);
    if (maximum)
      json_field(object, "maximum", maximum, &complete);
  }
  return json_finish(object, complete);
}

static json_t *options_make(const mlirplug_pass_description *pass) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < pass->option_count; ++i)
    if (json_array_append_new(array, option_make(pass->options[i])) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

static json_t *statistics_make(const mlirplug_pass_description *pass) {
  json_t *array = json_array();
  bool complete = array != NULL;
  for (size_t i = 0; complete && i < pass->statistic_count; ++i) {
    json_t *object = json_object();
    json_field(object, "name", json_text(pass->statistics[i]->name), &complete);
    json_field(object, "help", json_text(pass->statistics[i]->help), &complete);
    if (json_array_append_new(array, object) != 0)
      complete = false;
  }
  return json_finish(array, complete);
}

static json_t *pass_make(const mlirplug_pass_description *pass,
                         enum json_detail detail) {
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "name", json_text(pass->name), &complete);
  json_field(object, "summary", json_text(pass->summary), &complete);
  json_field(object, "anchors", json_texts(pass->anchors, pass->anchor_count),
             &complete);
  json_field(object, "options", options_make(pass), &complete);
  if (detail == JSON_PASSES)
    return json_finish(object, complete);
  json_field(object, "description", json_text(pass->description), &complete);
  json_field(object, "dialects",
             json_texts(pass->dialects, pass->dialect_count), &complete);
  json_field(object, "statistics", statistics_make(pass), &complete);
  json_field(object, "names", json_texts(pass->names, pass->name_count),
             &complete);
  json_field(object, "options_size",
             json_integer((json_int_t)pass->options_size), &complete);
  return json_finish(object, complete);
}

static json_t *passes_make(const mlirplug_plugin_description *description,
                           enum json_detail detail) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < description->pass_count; ++i)
    if (json_array_append_new(array,
                              pass_make(description->passes[i], detail)) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

static void descriptor_add(json_t *object,
                           const mlirplug_plugin_description *description,
                           bool *complete) {
  char abi[32];
  snprintf(abi, sizeof abi, "%u.%u", description->abi_major,
           description->abi_minor);
  json_field(object, "abi", json_string(abi), complete);
  json_field(object, "sdk", json_text(description->sdk), complete);
  json_field(object, "imports",
             json_texts(description->imports, description->import_count),
             complete);
  json_field(object, "optional_imports",
             json_texts(description->optional_imports,
                        description->optional_import_count),
             complete);
  json_field(object, "warnings",
             json_texts(description->warnings, description->warning_count),
             complete);
}

json_t *json_plugin(const mlirplug_plugin_description *description,
                    enum json_detail detail) {
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "path", json_text(description->path), &complete);
  json_field(object, "id", json_text(description->id), &complete);
  json_field(object, "version", json_text(description->version), &complete);
  if (description->language) {
    json_field(object, "language", json_text(description->language), &complete);
    json_field(object, "opened", json_boolean(!description->is_unopened),
               &complete);
  }
  if (detail == JSON_EVERYTHING)
    descriptor_add(object, description, &complete);
  json_field(object, "passes", passes_make(description, detail), &complete);
  return json_finish(object, complete);
}

//===----------------------------------------------------------------------===//
// Whole outputs
//===----------------------------------------------------------------------===//

bool json_plugins_print(FILE *stream, json_t *plugins) {
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "plugins", plugins, &complete);
  return json_print(stream, object, complete);
}

/// The Python distribution that brings what is in `directory`, which may be
/// null: null, or an object with a name and a version.
static json_t *distribution_make(const mlirplug_directory *directory) {
  if (!directory || !directory->distribution)
    return json_null();
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "name", json_text(directory->distribution), &complete);
  json_field(object, "version", json_text(directory->distribution_version),
             &complete);
  return json_finish(object, complete);
}

static json_t *listed_plugin_make(const mlirplug_host *host, size_t index) {
  json_t *object = json_plugin(mlirplug_host_plugin(host, index), JSON_PASSES);
  bool complete = object != NULL;
  const mlirplug_directory *directory =
      mlirplug_host_plugin_directory(host, index);
  json_field(object, "origin",
             json_string(directory ? directory->origin : "named"), &complete);
  json_field(object, "distribution", distribution_make(directory), &complete);
  return json_finish(object, complete);
}

json_t *json_refusal(const mlirplug_host *host, size_t index) {
  const mlirplug_refusal *refusal = mlirplug_host_refusal(host, index);
  const mlirplug_error *error = refusal->error;
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "path", json_text(refusal->path), &complete);
  json_field(object, "message", json_text(error->message), &complete);
  json_field(object, "found", json_text(error->found), &complete);
  json_field(object, "expected", json_text(error->expected), &complete);
  json_field(object, "remedy", json_text(error->remedy), &complete);
  json_field(object, "untrusted", json_boolean(error->untrusted), &complete);
  return json_finish(object, complete);
}

json_t *json_directory(const mlirplug_host *host, size_t index) {
  const mlirplug_directory *directory = mlirplug_host_directory(host, index);
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(object, "path", json_text(directory->path), &complete);
  json_field(object, "origin", json_string(directory->origin), &complete);
  json_field(object, "distribution", distribution_make(directory), &complete);
  json_field(object, "exists", json_boolean(directory->exists), &complete);
  json_field(object, "refused", json_boolean(directory->error != NULL),
             &complete);
  return json_finish(object, complete);
}

static json_t *list_make(const mlirplug_host *host, size_t count,
                         json_t *(*make)(const mlirplug_host *, size_t)) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < count; ++i)
    if (json_array_append_new(array, make(host, i)) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

bool json_list_print(FILE *stream, const mlirplug_host *host) {
  json_t *object = json_object();
  bool complete = object != NULL;
  json_field(
      object, "plugins",
      list_make(host, mlirplug_host_plugin_count(host), listed_plugin_make),
      &complete);
  json_field(object, "refused",
             list_make(host, mlirplug_host_refusal_count(host), json_refusal),
             &complete);
  json_field(
      object, "directories",
      list_make(host, mlirplug_host_directory_count(host), json_directory),
      &complete);
  return json_print(stream, object, complete);
}
