// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reproduce/reproducer.h"

#include "reproduce/section.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/// More than any pipeline needs.
enum { PLUGIN_LIMIT = 1000, DIGIT_LIMIT = 4 };

/// A plugin while it is read. Its entries come in any order.
struct numbered {
  struct numbered *next;
  size_t number;
  mlirplug_reproducer_plugin plugin;
};

struct reproducer {
  mlirplug_reproducer shown; // first, so that a pointer to it is one to this
  struct arena arena;
  struct numbered *plugins; ///< The one with the smallest number first.
  bool no_memory;
};

static bool memory_complain(struct reproducer *reproducer,
                            const char **complaint) {
  reproducer->no_memory = true;
  *complaint = "";
  return false;
}

/// Takes the string of an entry to `*place`.
static bool string_take(struct reproducer *reproducer,
                        const struct section_entry *entry, const char **place,
                        const char **complaint) {
  if (!entry->is_string ||
      memchr(entry->value.bytes, '\0', entry->value.length) ||
      memmem(entry->value.bytes, entry->value.length, "\\00", 3)) {
    *complaint = "a value that is no text";
    return false;
  }
  *place = section_string(entry->value, &reproducer->arena);
  return *place || memory_complain(reproducer, complaint);
}

static bool switch_take(const struct section_entry *entry, int *place,
                        const char **complaint) {
  bool is_true = section_part_is(entry->value, "true");
  if (entry->is_string ||
      (!is_true && !section_part_is(entry->value, "false"))) {
    *complaint = "a value that is neither true nor false";
    return false;
  }
  *place = is_true;
  return true;
}

/// What MLIR writes; it refuses other keys as well.
static bool mlir_take(struct reproducer *reproducer,
                      const struct section_entry *entry,
                      const char **complaint) {
  mlirplug_reproducer *shown = &reproducer->shown;
  if (section_part_is(entry->key, "pipeline"))
    return string_take(reproducer, entry, &shown->pipeline, complaint);
  if (section_part_is(entry->key, "disable_threading"))
    return switch_take(entry, &shown->disable_threading, complaint);
  if (section_part_is(entry->key, "verify_each"))
    return switch_take(entry, &shown->verify, complaint);
  *complaint = "a key that mlir_reproducer does not have";
  return false;
}

//===----------------------------------------------------------------------===//
// Ours
//===----------------------------------------------------------------------===//

/// The plugin with this number; null if memory runs out.
static mlirplug_reproducer_plugin *plugin_at(struct reproducer *reproducer,
                                             size_t number) {
  struct numbered **link = &reproducer->plugins;
  while (*link && (*link)->number < number)
    link = &(*link)->next;
  if (*link && (*link)->number == number)
    return &(*link)->plugin;
  struct numbered *made = arena_allocate(&reproducer->arena, sizeof *made);
  if (!made)
    return NULL;
  made->number = number;
  made->next = *link;
  *link = made;
  return &made->plugin;
}

/// Splits "plugin_12_path"; false for other keys.
static bool plugin_key_split(struct section_part key, size_t *number,
                             struct section_part *what) {
  static const char start[] = "plugin_";
  size_t at = sizeof start - 1;
  if (key.length < at || memcmp(key.bytes, start, at) != 0)
    return false;
  size_t first = at;
  for (*number = 0; at < key.length && at - first < DIGIT_LIMIT &&
                    isdigit((unsigned char)key.bytes[at]);
       ++at)
    *number = *number * 10 + (size_t)(key.bytes[at] - '0');
  if (at == first || at == key.length || key.bytes[at] != '_' ||
      *number >= PLUGIN_LIMIT)
    return false;
  *what = (struct section_part){key.bytes + at + 1, key.length - at - 1};
  return true;
}

/// Null for what a newer version says of a plugin.
static const char **plugin_field(mlirplug_reproducer_plugin *plugin,
                                 struct section_part what) {
  if (section_part_is(what, "id"))
    return &plugin->id;
  if (section_part_is(what, "version"))
    return &plugin->version;
  if (section_part_is(what, "path"))
    return &plugin->path;
  return section_part_is(what, "blake2b") ? &plugin->checksum : NULL;
}

static bool own_take(struct reproducer *reproducer,
                     const struct section_entry *entry,
                     const char **complaint) {
  size_t number;
  struct section_part what;
  if (section_part_is(entry->key, "provider"))
    return string_take(reproducer, entry, &reproducer->shown.provider,
                       complaint);
  if (section_part_is(entry->key, "allow_unregistered_dialect")) {
    int value;
    if (!switch_take(entry, &value, complaint))
      return false;
    reproducer->shown.allow_unregistered_dialects = value;
    return true;
  }
  if (!plugin_key_split(entry->key, &number, &what))
    return true; // of a newer version
  mlirplug_reproducer_plugin *plugin = plugin_at(reproducer, number);
  if (!plugin)
    return memory_complain(reproducer, complaint);
  const char **field = plugin_field(plugin, what);
  return !field || string_take(reproducer, entry, field, complaint);
}

static bool entry_take(const struct section_entry *entry,
                       const char **complaint, void *user_data) {
  if (section_part_is(entry->group, "mlir_reproducer"))
    return mlir_take(user_data, entry, complaint);
  if (section_part_is(entry->group, "mlirplug"))
    return own_take(user_data, entry, complaint);
  return true;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static mlirplug_status read_refuse(const char *path, const char *found,
                                   mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){
                 .doing = "cannot read the reproducer",
                 .subject = path ? path : "the text",
                 .found = found,
                 .expected = "what --mlir-pass-pipeline-crash-reproducer or "
                             "--mlir-generate-reproducer has written",
                 .remedy = "have it written again"});
}

static mlirplug_status plugins_collect(struct reproducer *reproducer,
                                       mlirplug_error **error) {
  size_t count = 0;
  for (const struct numbered *each = reproducer->plugins; each;
       each = each->next)
    ++count;
  const mlirplug_reproducer_plugin **plugins =
      arena_array(&reproducer->arena, count + 1, sizeof *plugins);
  if (!plugins)
    return error_set_memory(error);
  for (struct numbered *each = reproducer->plugins; each; each = each->next) {
    mlirplug_reproducer_plugin *plugin = &each->plugin;
    if (!plugin->id || !plugin->path || plugin->path[0] != '/')
      return read_refuse(reproducer->shown.path,
                         error_text("its plugin %zu has no %s", each->number,
                                    plugin->id ? "absolute path" : "id"),
                         error);
    if (!plugin->version)
      plugin->version = "(none)";
    plugins[reproducer->shown.plugin_count++] = plugin;
  }
  reproducer->shown.plugins = plugins;
  return MLIRPLUG_OK;
}

static mlirplug_status text_read(struct reproducer *reproducer,
                                 const char *text, size_t length,
                                 mlirplug_error **error) {
  const char *complaint = NULL;
  size_t line = 0;
  if (section_read(text, length, entry_take, reproducer, &complaint, &line))
    return plugins_collect(reproducer, error);
  if (reproducer->no_memory)
    return error_set_memory(error);
  return read_refuse(reproducer->shown.path,
                     error_text("line %zu has %s", line, complaint), error);
}

static bool is_bytecode(const char *text, size_t length) {
  return length >= 4 && memcmp(text, "ML\xefR", 4) == 0;
}

mlirplug_status mlirplug_reproducer_read(const char *text, size_t length,
                                         const char *path,
                                         mlirplug_reproducer **reproducer,
                                         mlirplug_error **error) {
  struct reproducer *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  made->shown.disable_threading = made->shown.verify = -1;
  mlirplug_status status = MLIRPLUG_OK;
  if (path && !(made->shown.path = arena_copy(&made->arena, path)))
    status = error_set_memory(error);
  else
    status =
        text_read(made, text, is_bytecode(text, length) ? 0 : length, error);
  if (status != MLIRPLUG_OK) {
    mlirplug_reproducer_destroy(&made->shown);
    return MLIRPLUG_FAILED;
  }
  *reproducer = &made->shown;
  return MLIRPLUG_OK;
}

void mlirplug_reproducer_destroy(mlirplug_reproducer *reproducer) {
  if (!reproducer)
    return;
  struct reproducer *made = (struct reproducer *)reproducer;
  arena_release(&made->arena);
  free(made);
}
