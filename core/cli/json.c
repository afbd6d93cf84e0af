// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/json.h"

#include "cli/describe.h"
#include "cli/memory.h"

#include <string.h>

/// A JSON string. Bytes that are no UTF-8, as in an odd file name, become '?'.
static json_t *text_make(const char *text) {
  text = text ? text : "";
  json_t *made = json_string(text);
  if (made)
    return made;
  char *copy = strdup(text);
  for (char *c = copy; c && *c; ++c)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  made = copy ? json_string(copy) : NULL;
  free(copy);
  return made;
}

static json_t *texts_make(const char *const *texts, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < count; ++i)
    if (json_array_append_new(array, text_make(texts[i])) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

/// Sets `key` to `value`, whose reference is taken. Want of memory, here or in
/// making the value, is remembered in `*complete`.
static void field_set(json_t *object, const char *key, json_t *value,
                      bool *complete) {
  if (json_object_set_new(object, key, value) != 0)
    *complete = false;
}

static json_t *finish(json_t *object, bool complete) {
  if (complete)
    return object;
  json_decref(object);
  return NULL;
}

/// What a describe_… function prints, as a JSON string.
static json_t *described_make(void (*describe)(FILE *, const mlirplug_option *),
                              const mlirplug_option *option) {
  struct memory memory;
  if (!memory_open(&memory))
    return NULL;
  describe(memory.stream, option);
  json_t *text = memory_close(&memory) ? text_make(memory.bytes) : NULL;
  memory_release(&memory);
  return text;
}

static json_t *choices_make(const char *choices) {
  json_t *array = json_array();
  while (array && choices && *choices) {
    size_t length = strcspn(choices, ",");
    char *choice = strndup(choices, length);
    int failed =
        json_array_append_new(array, choice ? text_make(choice) : NULL);
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
  field_set(object, "name", text_make(option->name), &complete);
  field_set(object, "kind", json_string(kind_name(option->kind)), &complete);
  field_set(object, "list", json_boolean(is_list), &complete);
  field_set(object, "takes", described_make(describe_kind, option), &complete);
  field_set(object, "default", default_make(option), &complete);
  field_set(object, "help", text_make(option->help), &complete);
  if ((option->kind & ~MLIRPLUG_KIND_LIST) == MLIRPLUG_KIND_ENUM)
    field_set(object, "choices", choices_make(option->choices), &complete);
  if (option->flags & MLIRPLUG_OPTION_RANGE) {
    json_t *minimum =
        number_make(option, option->minimum, option->minimum_double);
    json_t *maximum =
        number_make(option, option->maximum, option->maximum_double);
    // A bound that is infinite bounds nothing.
    if (minimum)
      field_set(object, "minimum", minimum, &complete);
    if (maximum)
      field_set(object, "maximum", maximum, &complete);
  }
  return finish(object, complete);
}

static json_t *options_make(const mlirplug_pass_description *pass) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < pass->option_count; ++i)
    if (json_array_append_new(array, option_make(&pass->options[i])) != 0) {
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
    field_set(object, "name", text_make(pass->statistics[i].name), &complete);
    field_set(object, "help", text_make(pass->statistics[i].help), &complete);
    if (json_array_append_new(array, object) != 0)
      complete = false;
  }
  return finish(array, complete);
}

static json_t *pass_make(const mlirplug_pass_description *pass,
                         enum json_detail detail) {
  json_t *object = json_object();
  bool complete = object != NULL;
  field_set(object, "name", text_make(pass->name), &complete);
  field_set(object, "summary", text_make(pass->summary), &complete);
  field_set(object, "anchors", texts_make(pass->anchors, pass->anchor_count),
            &complete);
  field_set(object, "options", options_make(pass), &complete);
  if (detail == JSON_PASSES)
    return finish(object, complete);
  field_set(object, "description", text_make(pass->description), &complete);
  field_set(object, "dialects", texts_make(pass->dialects, pass->dialect_count),
            &complete);
  field_set(object, "statistics", statistics_make(pass), &complete);
  field_set(object, "names", texts_make(pass->names, pass->name_count),
            &complete);
  field_set(object, "options_size",
            json_integer((json_int_t)pass->options_size), &complete);
  return finish(object, complete);
}

static json_t *passes_make(const mlirplug_plugin_description *description,
                           enum json_detail detail) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < description->pass_count; ++i)
    if (json_array_append_new(
            array, pass_make(&description->passes[i], detail)) != 0) {
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
  field_set(object, "abi", json_string(abi), complete);
  field_set(object, "sdk", text_make(description->sdk), complete);
  field_set(object, "imports",
            texts_make(description->imports, description->import_count),
            complete);
  field_set(object, "optional_imports",
            texts_make(description->optional_imports,
                       description->optional_import_count),
            complete);
  field_set(object, "warnings",
            texts_make(description->warnings, description->warning_count),
            complete);
}

json_t *json_plugin(const mlirplug_plugin_description *description,
                    enum json_detail detail) {
  json_t *object = json_object();
  bool complete = object != NULL;
  field_set(object, "path", text_make(description->path), &complete);
  field_set(object, "id", text_make(description->id), &complete);
  field_set(object, "version", text_make(description->version), &complete);
  if (detail == JSON_EVERYTHING)
    descriptor_add(object, description, &complete);
  field_set(object, "passes", passes_make(description, detail), &complete);
  return finish(object, complete);
}

//===----------------------------------------------------------------------===//
// Whole outputs
//===----------------------------------------------------------------------===//

/// Prints `object`, and drops the reference to it.
static bool object_print(FILE *stream, json_t *object, bool complete) {
  char *text = complete ? json_dumps(object, JSON_INDENT(2)) : NULL;
  if (text)
    fprintf(stream, "%s\n", text);
  free(text);
  json_decref(object);
  return text != NULL;
}

bool json_plugins_print(FILE *stream, json_t *plugins) {
  json_t *object = json_object();
  bool complete = object != NULL;
  field_set(object, "plugins", plugins, &complete);
  return object_print(stream, object, complete);
}

static json_t *listed_plugin_make(const mlirplug_host *host, size_t index) {
  json_t *object = json_plugin(mlirplug_host_plugin(host, index), JSON_PASSES);
  bool complete = object != NULL;
  const mlirplug_directory *directory =
      mlirplug_host_plugin_directory(host, index);
  field_set(object, "origin",
            json_string(directory ? directory->origin : "named"), &complete);
  return finish(object, complete);
}

static json_t *refusal_make(const mlirplug_host *host, size_t index) {
  const mlirplug_refusal *refusal = mlirplug_host_refusal(host, index);
  const mlirplug_error *error = refusal->error;
  json_t *object = json_object();
  bool complete = object != NULL;
  field_set(object, "path", text_make(refusal->path), &complete);
  field_set(object, "message", text_make(error->message), &complete);
  field_set(object, "found", text_make(error->found), &complete);
  field_set(object, "expected", text_make(error->expected), &complete);
  field_set(object, "remedy", text_make(error->remedy), &complete);
  field_set(object, "untrusted", json_boolean(error->untrusted), &complete);
  return finish(object, complete);
}

static json_t *directory_make(const mlirplug_host *host, size_t index) {
  const mlirplug_directory *directory = mlirplug_host_directory(host, index);
  json_t *object = json_object();
  bool complete = object != NULL;
  field_set(object, "path", text_make(directory->path), &complete);
  field_set(object, "origin", json_string(directory->origin), &complete);
  field_set(object, "exists", json_boolean(directory->exists), &complete);
  field_set(object, "refused", json_boolean(directory->error != NULL),
            &complete);
  return finish(object, complete);
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
  field_set(
      object, "plugins",
      list_make(host, mlirplug_host_plugin_count(host), listed_plugin_make),
      &complete);
  field_set(object, "refused",
            list_make(host, mlirplug_host_refusal_count(host), refusal_make),
            &complete);
  field_set(
      object, "directories",
      list_make(host, mlirplug_host_directory_count(host), directory_make),
      &complete);
  return object_print(stream, object, complete);
}
