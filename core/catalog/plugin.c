// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/plugin.h"

#include "read/descriptor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// A plugin, and how its description is had.
struct shared_plugin {
  struct plugin plugin; // first, so that a pointer to it is one to the whole
  atomic_size_t holders;
  _Atomic(mlirplug_plugin_description *) description; // null until asked for
  struct cache *cache; // where it is; null if it was read from the file
  const struct cache_entry *entry;
  const char *pass_names[]; // behind the last one, the path
};

static struct shared_plugin *shared_of(const struct plugin *plugin) {
  return (struct shared_plugin *)plugin;
}

/// One with a copy of `path`; null if memory runs out.
static struct shared_plugin *shared_create(const char *path,
                                           size_t pass_count) {
  size_t names = pass_count * sizeof(const char *);
  size_t length = strlen(path) + 1;
  struct shared_plugin *made =
      calloc(1, sizeof(struct shared_plugin) + names + length);
  if (!made)
    return NULL;
  made->holders = 1;
  made->plugin.path = memcpy((char *)made->pass_names + names, path, length);
  made->plugin.pass_names = made->pass_names;
  made->plugin.pass_count = pass_count;
  return made;
}

mlirplug_status plugin_create(const struct file *file, struct plugin **plugin,
                              mlirplug_error **error) {
  mlirplug_plugin_description *description;
  if (descriptor_read(file, &description, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return plugin_create_described(file, description, plugin, error);
}

mlirplug_status
plugin_create_described(const struct file *file,
                        mlirplug_plugin_description *description,
                        struct plugin **plugin, mlirplug_error **error) {
  struct shared_plugin *made =
      shared_create(description->path, description->pass_count);
  if (!made) {
    mlirplug_plugin_description_destroy(description);
    return error_set_memory(error);
  }
  for (size_t i = 0; i < description->pass_count; ++i)
    made->pass_names[i] = description->passes[i]->name;
  made->description = description;
  made->plugin.file = file->identity;
  *plugin = &made->plugin;
  return MLIRPLUG_OK;
}

struct plugin *plugin_create_cached(struct cache *cache,
                                    const struct cache_entry *entry,
                                    const char *path) {
  struct shared_plugin *made = shared_create(path, entry->pass_count);
  if (!made)
    return NULL;
  const char *name = entry->pass_names;
  for (size_t i = 0; i < entry->pass_count; ++i, name += strlen(name) + 1)
    made->pass_names[i] = name;
  made->cache = cache_retain(cache);
  made->entry = entry;
  made->plugin.file = entry->state.file;
  return &made->plugin;
}

struct plugin *plugin_retain(const struct plugin *plugin) {
  struct shared_plugin *shared = shared_of(plugin);
  atomic_fetch_add(&shared->holders, 1);
  return &shared->plugin;
}

void plugin_release(struct plugin *plugin) {
  if (!plugin)
    return;
  struct shared_plugin *shared = shared_of(plugin);
  if (atomic_fetch_sub(&shared->holders, 1) > 1)
    return;
  cache_release(shared->cache);
  mlirplug_plugin_description_destroy(shared->description);
  free(shared);
}

//===----------------------------------------------------------------------===//
// The description of a cached plugin
//===----------------------------------------------------------------------===//

static bool passes_agree(const mlirplug_plugin_description *description,
                         const struct plugin *plugin) {
  if (description->pass_count != plugin->pass_count)
    return false;
  for (size_t i = 0; i < plugin->pass_count; ++i)
    if (strcmp(description->passes[i]->name, plugin->pass_names[i]) != 0)
      return false;
  return true;
}

/// Reads it from the plugin's file.
static mlirplug_plugin_description *file_describe(const struct plugin *plugin,
                                                  mlirplug_error **error) {
  struct file file;
  if (file_open(plugin->path, &file, error) != MLIRPLUG_OK)
    return NULL;
  mlirplug_plugin_description *made = NULL;
  bool is_same = file_identity_equal(&file.identity, &plugin->file);
  bool was_read =
      is_same && descriptor_read(&file, &made, error) == MLIRPLUG_OK;
  file_close(&file);
  if (was_read && passes_agree(made, plugin))
    return made;
  mlirplug_plugin_description_destroy(made);
  if (was_read || !is_same)
    (void)error_set(error,
                    &(mlirplug_error){.doing = "cannot read the plugin",
                                      .subject = plugin->path,
                                      .found = "the file has changed since its "
                                               "directory was searched",
                                      .remedy = "search the directory again"});
  return NULL;
}

const mlirplug_plugin_description *plugin_describe(const struct plugin *plugin,
                                                   mlirplug_error **error) {
  struct shared_plugin *shared = shared_of(plugin);
  mlirplug_plugin_description *known = shared->description;
  if (known)
    return known;
  mlirplug_plugin_description *made =
      cache_describe(shared->cache, shared->entry, plugin->path);
  if (made && !passes_agree(made, plugin)) {
    mlirplug_plugin_description_destroy(made);
    made = NULL;
  }
  if (!made)
    made = file_describe(plugin, error);
  if (!made ||
      atomic_compare_exchange_strong(&shared->description, &known, made))
    return made;
  // Another thread was faster, and somebody may have its description already.
  mlirplug_plugin_description_destroy(made);
  return known;
}
