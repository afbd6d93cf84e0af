// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/catalogue.h"

#include "base/text.h"
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

/// The place of the pass called `name`; the count of passes if there is none.
static size_t pass_find(const struct plugin *plugin, const char *name) {
  const mlirplug_plugin_description *description = plugin->description;
  size_t i = 0;
  while (i < description->pass_count &&
         strcmp(description->passes[i].name, name) != 0)
    ++i;
  return i;
}

/// The plugin that was read from the same path, or else from the same file; the
/// count if there is none.
static size_t place_find(const struct catalogue *catalogue,
                         const struct plugin *plugin) {
  size_t of_file = catalogue->count;
  for (size_t i = 0; i < catalogue->count; ++i) {
    const struct plugin *other = &catalogue->plugins[i]->plugin;
    if (strcmp(other->description->path, plugin->description->path) == 0)
      return i;
    if (file_identity_equal(&other->file, &plugin->file))
      of_file = i;
  }
  return of_file;
}

static mlirplug_status refuse_name(const struct plugin *plugin,
                                   const struct plugin *other, const char *name,
                                   mlirplug_error **error) {
  struct text found = {0};
  text_format(&found, "its pass '%s' is already there, from '%s'", name,
              other->description->path);
  mlirplug_status status =
      found.failed
          ? error_set_memory(error)
          : error_set(
                error,
                &(mlirplug_error){
                    .doing = "cannot add plugin",
                    .subject = plugin->description->path,
                    .found = found.bytes,
                    .expected = "pass names that no other plugin has",
                    .remedy = plugin->directory || other->directory
                                  ? "use one of the two files: remove the "
                                    "other, or do not search its directory"
                                  : "use one of the two files"});
  text_release(&found);
  return status;
}

/// `place` is that of the plugin which it replaces.
static mlirplug_status names_check(const struct catalogue *catalogue,
                                   const struct plugin *plugin, size_t place,
                                   mlirplug_error **error) {
  const mlirplug_plugin_description *added = plugin->description;
  for (size_t i = 0; i < catalogue->count; ++i) {
    const struct plugin *other = &catalogue->plugins[i]->plugin;
    if (i == place || (plugin->directory && other->directory))
      continue;
    for (size_t j = 0; j < added->pass_count; ++j)
      if (pass_find(other, added->passes[j].name) <
          other->description->pass_count)
        return refuse_name(plugin, other, added->passes[j].name, error);
  }
  return MLIRPLUG_OK;
}

mlirplug_status catalogue_with(struct catalogue *catalogue,
                               struct plugin *plugin,
                               struct catalogue **extended,
                               mlirplug_error **error) {
  size_t place = place_find(catalogue, plugin);
  if (names_check(catalogue, plugin, place, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
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
                                         const struct file_identity *file) {
  for (size_t i = 0; i < catalogue->count; ++i) {
    const struct plugin *plugin = &catalogue->plugins[i]->plugin;
    if (file_identity_equal(&plugin->file, file))
      return plugin;
  }
  return NULL;
}

const struct plugin *catalogue_find_pass(const struct catalogue *catalogue,
                                         const char *name, size_t *index) {
  const struct plugin *found = catalogue_find_other(catalogue, name, NULL);
  if (found && index)
    *index = pass_find(found, name);
  return found;
}

const struct plugin *catalogue_find_other(const struct catalogue *catalogue,
                                          const char *name,
                                          const struct plugin *plugin) {
  for (size_t i = 0; i < catalogue->count; ++i) {
    const struct plugin *other = &catalogue->plugins[i]->plugin;
    if (other != plugin &&
        pass_find(other, name) < other->description->pass_count)
      return other;
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
