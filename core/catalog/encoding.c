// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over a description does for both ways: it writes each field where
// `to` is set, and else reads it.

#include "catalog/encoding.h"

#include "read/description.h"
#include "read/validate.h"
#include "read/validate_options.h"

#include <string.h>

struct coder {
  struct text *to;     // null when reading
  const char *from;    // what is left to read
  size_t left;         // so many bytes
  struct arena *arena; // where what is read is put
  bool failed;
};

/// A string that is not there, instead of its length.
static const uint32_t null_length = UINT32_MAX;

static void bytes_code(struct coder *coder, void *value, size_t size) {
  if (coder->to) {
    text_add_bytes(coder->to, value, size);
  } else if (coder->failed || coder->left < size) {
    coder->failed = true;
    memset(value, 0, size);
  } else {
    memcpy(value, coder->from, size);
    coder->from += size;
    coder->left -= size;
  }
}

#define CODE(coder, field) bytes_code(coder, &(field), sizeof(field))

static void string_code(struct coder *coder, const char **string) {
  uint32_t length =
      coder->to && *string ? (uint32_t)strlen(*string) : null_length;
  CODE(coder, length);
  if (length == null_length) {
    *string = NULL;
  } else if (coder->to) {
    text_add_bytes(coder->to, *string, length);
  } else if (coder->left < length) {
    coder->failed = true;
  } else {
    *string = arena_copy_bytes(coder->arena, coder->from, length);
    coder->failed = coder->failed || !*string;
    coder->from += length;
    coder->left -= length;
  }
}

/// A string that must be there.
static void text_code(struct coder *coder, const char **string) {
  string_code(coder, string);
  if (coder->to || *string)
    return;
  coder->failed = true;
  *string = "";
}

/// An array of `*count`: the one that is to be written, or what `allocate`
/// makes for one that is to be read. It is arena_array, or arena_pointers for
/// an array of pointers to structures of `size` bytes.
static void *array_code(struct coder *coder, const void *array, size_t *count,
                        size_t size,
                        void *(*allocate)(struct arena *, size_t, size_t)) {
  CODE(coder, *count);
  if (coder->to)
    return (void *)array;
  // An element takes a byte at least.
  if (*count > coder->left) {
    coder->failed = true;
    *count = 0;
  }
  void *made = allocate(coder->arena, *count, size);
  if (!made) {
    coder->failed = true;
    *count = 0;
  }
  return made;
}

static const char *const *texts_code(struct coder *coder,
                                     const char *const *texts, size_t *count) {
  const char **elements =
      array_code(coder, (const void *)texts, count, sizeof *texts, arena_array);
  for (size_t i = 0; i < *count; ++i)
    text_code(coder, &elements[i]);
  return elements;
}

static void option_code(struct coder *coder, mlirplug_option *option) {
  text_code(coder, &option->name);
  string_code(coder, &option->help);
  CODE(coder, option->kind);
  CODE(coder, option->flags);
  CODE(coder, option->offset);
  CODE(coder, option->default_integer);
  CODE(coder, option->default_double);
  string_code(coder, &option->default_text);
  string_code(coder, &option->choices);
  CODE(coder, option->minimum);
  CODE(coder, option->maximum);
  CODE(coder, option->minimum_double);
  CODE(coder, option->maximum_double);
}

static void pass_code(struct coder *coder, mlirplug_pass_description *pass) {
  text_code(coder, &pass->name);
  text_code(coder, &pass->summary);
  text_code(coder, &pass->description);
  pass->anchors = texts_code(coder, pass->anchors, &pass->anchor_count);
  pass->dialects = texts_code(coder, pass->dialects, &pass->dialect_count);
  CODE(coder, pass->options_size);
  mlirplug_option **options =
      array_code(coder, (const void *)pass->options, &pass->option_count,
                 sizeof **options, arena_pointers);
  for (size_t i = 0; i < pass->option_count; ++i)
    option_code(coder, options[i]);
  pass->options = (const mlirplug_option *const *)options;
  mlirplug_statistic **statistics =
      array_code(coder, (const void *)pass->statistics, &pass->statistic_count,
                 sizeof **statistics, arena_pointers);
  for (size_t i = 0; i < pass->statistic_count; ++i) {
    text_code(coder, &statistics[i]->name);
    string_code(coder, &statistics[i]->help);
  }
  pass->statistics = (const mlirplug_statistic *const *)statistics;
  pass->names = texts_code(coder, pass->names, &pass->name_count);
}

static void plugin_code(struct coder *coder,
                        mlirplug_plugin_description *plugin) {
  text_code(coder, &plugin->id);
  text_code(coder, &plugin->version);
  text_code(coder, &plugin->sdk);
  CODE(coder, plugin->abi_major);
  CODE(coder, plugin->abi_minor);
  mlirplug_pass_description **passes =
      array_code(coder, (const void *)plugin->passes, &plugin->pass_count,
                 sizeof **passes, arena_pointers);
  for (size_t i = 0; i < plugin->pass_count; ++i)
    pass_code(coder, passes[i]);
  plugin->passes = (const mlirplug_pass_description *const *)passes;
  plugin->imports = texts_code(coder, plugin->imports, &plugin->import_count);
  plugin->optional_imports = texts_code(coder, plugin->optional_imports,
                                        &plugin->optional_import_count);
  plugin->warnings =
      texts_code(coder, plugin->warnings, &plugin->warning_count);
}

void description_encode(const mlirplug_plugin_description *description,
                        struct text *bytes) {
  struct coder coder = {.to = bytes};
  // Nothing is written to it but what it holds.
  plugin_code(&coder, (mlirplug_plugin_description *)description);
}

/// Whether it may be worked with as if it came from a file.
static bool is_valid(const mlirplug_plugin_description *description,
                     struct arena *arena) {
  struct warning_list warnings = {.arena = arena};
  if (validate_plugin(description, &warnings, NULL) != MLIRPLUG_OK)
    return false;
  for (size_t i = 0; i < description->pass_count; ++i)
    if (validate_options(description->path, description->passes[i], arena,
                         NULL) != MLIRPLUG_OK)
      return false;
  return true;
}

mlirplug_plugin_description *
description_decode(const char *path, const void *bytes, size_t size) {
  struct owned_description *made = description_create();
  if (!made)
    return NULL;
  struct coder coder = {.from = bytes, .left = size, .arena = &made->arena};
  made->shown.path = arena_copy(&made->arena, path);
  plugin_code(&coder, &made->shown);
  struct arena scratch = {0};
  bool is_right = !coder.failed && !coder.left && made->shown.path &&
                  is_valid(&made->shown, &scratch);
  arena_release(&scratch);
  if (is_right)
    return &made->shown;
  mlirplug_plugin_description_destroy(&made->shown);
  return NULL;
}
