// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/opened.h"

#include "read/description.h"
#include "read/names.h"
#include "read/validate.h"

#include <mlirplug/plugin.h>
#include <string.h>

/// What is being made, and whether memory ran out.
struct maker {
  const char *path;
  struct arena *arena;
  struct warning_list *warnings;
  bool failed;
};

static const char *text_copy(struct maker *maker, const char *text) {
  const char *copy = text ? arena_copy(maker->arena, text) : NULL;
  maker->failed = maker->failed || (text && !copy);
  return copy;
}

static const char *text_or_empty(struct maker *maker, const char *text) {
  const char *copy = text_copy(maker, text ? text : "");
  return copy ? copy : "";
}

/// An array of pointers to `count` structures of `size` bytes.
static void *elements_make(struct maker *maker, uint64_t count, size_t size) {
  void *elements = arena_pointers(maker->arena, count, size);
  maker->failed = maker->failed || !elements;
  return elements;
}

static void options_copy(struct maker *maker, const mlirplug_pass *pass,
                         mlirplug_pass_description *description) {
  mlirplug_option **options =
      elements_make(maker, pass->option_count, sizeof **options);
  for (uint64_t i = 0; options && i < pass->option_count; ++i) {
    const mlirplug_option *from = &pass->options[i];
    *options[i] = *from;
    options[i]->name = text_or_empty(maker, from->name);
    options[i]->help = text_or_empty(maker, from->help);
    options[i]->default_text = text_copy(maker, from->default_text);
    options[i]->choices = text_copy(maker, from->choices);
  }
  description->options = (const mlirplug_option *const *)options;
  description->option_count = options ? pass->option_count : 0;
  description->options_size = pass->options_size;
}

static void statistics_copy(struct maker *maker, const mlirplug_pass *pass,
                            mlirplug_pass_description *description) {
  mlirplug_statistic **statistics =
      elements_make(maker, pass->statistic_count, sizeof **statistics);
  for (uint64_t i = 0; statistics && i < pass->statistic_count; ++i) {
    statistics[i]->name = text_or_empty(maker, pass->statistics[i].name);
    statistics[i]->help = text_or_empty(maker, pass->statistics[i].help);
  }
  description->statistics = (const mlirplug_statistic *const *)statistics;
  description->statistic_count = statistics ? pass->statistic_count : 0;
}

static void names_copy(struct maker *maker, const mlirplug_pass *pass,
                       mlirplug_pass_description *description) {
  const char **names =
      arena_array(maker->arena, pass->name_count, sizeof *names);
  maker->failed = maker->failed || !names;
  for (uint64_t i = 0; names && i < pass->name_count; ++i)
    names[i] = text_or_empty(maker, pass->names[i]);
  description->names = names;
  description->name_count = names ? pass->name_count : 0;
}

static void list_copy(struct maker *maker, const char *text,
                      const char *const **names, size_t *count) {
  if (!names_split(maker->arena, text, names, count))
    maker->failed = true;
}

static bool pass_copy(struct maker *maker, size_t index,
                      const mlirplug_pass *pass,
                      mlirplug_pass_description *description,
                      mlirplug_error **error) {
  const struct pass_callbacks callbacks = {
      pass->create, pass->clone, pass->destroy, pass->initialize,
      pass->run,    pass->merge, pass->finish,  pass->reset};
  description->name = text_or_empty(maker, pass->name);
  description->summary = text_or_empty(maker, pass->summary);
  description->description = text_or_empty(maker, pass->description);
  list_copy(maker, pass->anchor, &description->anchors,
            &description->anchor_count);
  list_copy(maker, pass->dialects, &description->dialects,
            &description->dialect_count);
  options_copy(maker, pass, description);
  statistics_copy(maker, pass, description);
  names_copy(maker, pass, description);
  if (maker->failed) {
    (void)error_set_memory(error);
    return false;
  }
  return validate_pass(maker->path, index, description, &callbacks,
                       maker->warnings, error) == MLIRPLUG_OK;
}

static bool passes_copy(struct maker *maker,
                        const mlirplug_descriptor *descriptor,
                        mlirplug_plugin_description *description,
                        mlirplug_error **error) {
  mlirplug_pass_description **passes =
      elements_make(maker, descriptor->pass_count, sizeof **passes);
  for (size_t i = 0; passes && i < descriptor->pass_count; ++i)
    if (!pass_copy(maker, i, descriptor->passes[i], passes[i], error))
      return false;
  description->passes = (const mlirplug_pass_description *const *)passes;
  description->pass_count = passes ? descriptor->pass_count : 0;
  return true;
}

static mlirplug_status description_fill(struct owned_description *owned,
                                        const char *path, const char *language,
                                        const mlirplug_descriptor *descriptor,
                                        mlirplug_error **error) {
  mlirplug_plugin_description *description = &owned->shown;
  struct warning_list warnings = {.arena = &owned->arena};
  struct maker maker = {path, &owned->arena, &warnings, false};
  description->path = text_or_empty(&maker, path);
  description->language = text_or_empty(&maker, language);
  description->id = text_or_empty(&maker, descriptor->id);
  description->version = text_or_empty(
      &maker, descriptor->version ? descriptor->version : "(none)");
  description->sdk =
      text_or_empty(&maker, descriptor->sdk ? descriptor->sdk : "(none)");
  description->abi_major = descriptor->abi_major;
  description->abi_minor = descriptor->abi_minor;
  if (validate_header(path, descriptor, error) != MLIRPLUG_OK ||
      !passes_copy(&maker, descriptor, description, error) ||
      validate_plugin(description, &warnings, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (maker.failed || warnings.failed)
    return error_set_memory(error);
  description->warnings = warnings.lines;
  description->warning_count = warnings.count;
  return MLIRPLUG_OK;
}

mlirplug_status opened_describe(const char *path, const char *language,
                                const mlirplug_descriptor *descriptor,
                                mlirplug_plugin_description **description,
                                mlirplug_error **error) {
  struct owned_description *owned = description_create();
  if (!owned)
    return error_set_memory(error);
  if (description_fill(owned, path, language, descriptor, error) !=
      MLIRPLUG_OK) {
    mlirplug_plugin_description_destroy(&owned->shown);
    return MLIRPLUG_FAILED;
  }
  *description = &owned->shown;
  return MLIRPLUG_OK;
}

mlirplug_plugin_description *unopened_describe(const char *path,
                                               const char *language) {
  struct owned_description *owned = description_create();
  if (!owned)
    return NULL;
  struct maker maker = {path, &owned->arena, NULL, false};
  const char *slash = strrchr(path, '/');
  mlirplug_plugin_description *made = &owned->shown;
  made->path = text_or_empty(&maker, path);
  made->id = text_or_empty(&maker, slash ? slash + 1 : path);
  made->version = made->sdk = "(none)";
  made->abi_major = MLIRPLUG_ABI_MAJOR;
  made->abi_minor = MLIRPLUG_ABI_MINOR;
  made->language = text_or_empty(&maker, language);
  made->is_unopened = true;
  if (!maker.failed)
    return made;
  mlirplug_plugin_description_destroy(made);
  return NULL;
}
