// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/catalogue.h"

#include "read/descriptor.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// A plugin with the number of snapshots that it is in.
struct shared_plugin {
  struct plugin plugin; // first, so that a pointer to it is one to the whole
  atomic_size_t snapshots;
};

struct catalogue {
  atomic_size_t holders;
  struct catalogue *replaced; // an older one, if a plugin of it is gone
  size_t count;
  struct shared_plugin *plugins[];
};

static struct catalogue *snapshot_create(size_t count) {
  struct catalogue *catalogue =
      calloc(1, sizeof *catalogue + count * sizeof(struct shared_plugin *));
  if (catalogue) {
    catalogue->holders = 1;
    catalogue->count = count;
  }
  return catalogue;
}

struct catalogue *catalogue_create(void) { return snapshot_create(0); }

struct catalogue *catalogue_retain(struct catalogue *catalogue) {
  atomic_fetch_add(&catalogue->holders, 1);
  return catalogue;
}

void catalogue_release(struct catalogue *catalogue) {
  if (!catalogue || atomic_fetch_sub(&catalogue->holders, 1) > 1)
    return;
  for (size_t i = 0; i < catalogue->count; ++i)
    if (atomic_fetch_sub(&catalogue->plugins[i]->snapshots, 1) == 1)
      plugin_destroy(&catalogue->plugins[i]->plugin);
  catalogue_release(catalogue->replaced);
  free(catalogue);
}

static mlirplug_status names_check(const struct catalogue *catalogue,
                                   const struct plugin *plugin,
                                   mlirplug_error **error) {
  const mlirplug_plugin_description *added = plugin->description;
  for (size_t i = 0; i < added->pass_count; ++i) {
    const struct plugin *other =
        catalogue_find_pass(catalogue, added->passes[i].name, NULL);
    if (other && strcmp(other->description->path, added->path) != 0)
      return error_set(
          error, &(mlirplug_error){
                     .doing = "cannot add plugin",
                     .subject = added->path,
                     .found = error_text("its pass '%s' is already there, from "
                                         "'%s'",
                                         added->passes[i].name,
                                         other->description->path),
                     .expected = "pass names that no other plugin has",
                     .remedy = "use one of the two files"});
  }
  return MLIRPLUG_OK;
}

/// The plugin that was read from `path`; the count if there is none.
static size_t path_find(const struct catalogue *catalogue, const char *path) {
  size_t i = 0;
  while (i < catalogue->count &&
         strcmp(catalogue->plugins[i]->plugin.description->path, path) != 0)
    ++i;
  return i;
}

mlirplug_status catalogue_with(struct catalogue *catalogue,
                               struct plugin *plugin,
                               struct catalogue **extended,
                               mlirplug_error **error) {
  if (names_check(catalogue, plugin, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  size_t place = path_find(catalogue, plugin->description->path);
  bool replaces = place < catalogue->count;
  struct catalogue *made = snapshot_create(catalogue->count + !replaces);
  if (!made)
    return error_set_memory(error);
  for (size_t i = 0; i < catalogue->count; ++i)
    made->plugins[i] = catalogue->plugins[i];
  made->plugins[place] = (struct shared_plugin *)plugin;
  if (replaces)
    made->replaced = catalogue_retain(catalogue);
  else if (catalogue->replaced)
    made->replaced = catalogue_retain(catalogue->replaced);
  for (size_t i = 0; i < made->count; ++i)
    atomic_fetch_add(&made->plugins[i]->snapshots, 1);
  *extended = made;
  return MLIRPLUG_OK;
}

size_t catalogue_count(const struct catalogue *catalogue) {
  return catalogue->count;
}

const struct plugin *catalogue_plugin(const struct catalogue *catalogue,
                                      size_t index) {
  return &catalogue->plugins[index]->plugin;
}

const struct plugin *catalogue_find_file(const struct catalogue *catalogue,
                                         const struct file *file) {
  for (size_t i = 0; i < catalogue->count; ++i) {
    const struct plugin *plugin = &catalogue->plugins[i]->plugin;
    if (file_identity_equal(&plugin->file, &file->identity))
      return plugin;
  }
  return NULL;
}

const struct plugin *catalogue_find_pass(const struct catalogue *catalogue,
                                         const char *name, size_t *index) {
  for (size_t i = 0; i < catalogue->count; ++i) {
    const mlirplug_plugin_description *description =
        catalogue->plugins[i]->plugin.description;
    for (size_t j = 0; j < description->pass_count; ++j)
      if (strcmp(description->passes[j].name, name) == 0) {
        if (index)
          *index = j;
        return &catalogue->plugins[i]->plugin;
      }
  }
  return NULL;
}

mlirplug_status plugin_create(const struct file *file, struct plugin **plugin,
                              mlirplug_error **error) {
  struct shared_plugin *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  if (descriptor_read(file, &made->plugin.description, error) != MLIRPLUG_OK) {
    free(made);
    return MLIRPLUG_FAILED;
  }
  made->plugin.file = file->identity;
  *plugin = &made->plugin;
  return MLIRPLUG_OK;
}

void plugin_destroy(struct plugin *plugin) {
  if (!plugin)
    return;
  mlirplug_plugin_description_destroy(plugin->description);
  free(plugin);
}
