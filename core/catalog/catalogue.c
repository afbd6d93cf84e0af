// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/catalogue.h"

#include "base/hash.h"
#include "base/table.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/// A pass of a plugin, by their numbers.
struct pass_place {
  uint32_t plugin;
  uint32_t pass;
};

struct catalogue {
  atomic_size_t holders;
  struct catalogue *replaced; // an older one, if a plugin of it is gone
  struct plugin **plugins;
  size_t count;
  struct pass_place *passes; // of all plugins, in their order
  size_t pass_count;
  // Numbers of plugins by their path and by their file, of passes by name.
  struct table paths;
  struct table files;
  struct table names;
};

/// One with room for so much.
static struct catalogue *snapshot_create(size_t count, size_t pass_count) {
  struct catalogue *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->holders = 1;
  made->plugins = calloc(count + 1, sizeof(struct plugin *));
  made->passes = calloc(pass_count + 1, sizeof *made->passes);
  if (made->plugins && made->passes && table_create(&made->paths, count) &&
      table_create(&made->files, count) &&
      table_create(&made->names, pass_count))
    return made;
  catalogue_release(made);
  return NULL;
}

struct catalogue *catalogue_create(void) { return snapshot_create(0, 0); }

struct catalogue *catalogue_retain(struct catalogue *catalogue) {
  atomic_fetch_add(&catalogue->holders, 1);
  return catalogue;
}

void catalogue_release(struct catalogue *catalogue) {
  if (!catalogue || atomic_fetch_sub(&catalogue->holders, 1) > 1)
    return;
  for (size_t i = 0; i < catalogue->count; ++i)
    plugin_release(catalogue->plugins[i]);
  catalogue_release(catalogue->replaced);
  table_release(&catalogue->paths);
  table_release(&catalogue->files);
  table_release(&catalogue->names);
  free(catalogue->plugins);
  free(catalogue->passes);
  free(catalogue);
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static uint64_t file_hash(const struct file_identity *file) {
  const uint64_t key[] = {file->device, file->inode, file->size,
                          (uint64_t)file->modified.tv_sec,
                          (uint64_t)file->modified.tv_nsec};
  return hash_bytes(key, sizeof key);
}

/// The number of the plugin of this file; the count if there is none.
static size_t file_find(const struct catalogue *catalogue,
                        const struct file_identity *file) {
  uint32_t number;
  uint64_t hash = file_hash(file);
  for (size_t at = 0; table_next(&catalogue->files, hash, &at, &number);)
    if (file_identity_equal(&catalogue->plugins[number]->file, file))
      return number;
  return catalogue->count;
}

/// The number of the plugin that was read from the same path, or else from the
/// same file; the count if there is none.
static size_t place_find(const struct catalogue *catalogue,
                         const struct plugin *plugin) {
  uint32_t number;
  uint64_t hash = hash_string(plugin->path);
  for (size_t at = 0; table_next(&catalogue->paths, hash, &at, &number);)
    if (strcmp(catalogue->plugins[number]->path, plugin->path) == 0)
      return number;
  return file_find(catalogue, &plugin->file);
}

/// Going through the passes of one name, in the order of their plugins.
struct pass_search {
  const struct catalogue *catalogue;
  const char *name;
  uint64_t hash;
  size_t at;
};

static struct pass_search pass_search(const struct catalogue *catalogue,
                                      const char *name) {
  return (struct pass_search){catalogue, name, hash_string(name), 0};
}

static const struct pass_place *pass_next(struct pass_search *search) {
  const struct catalogue *catalogue = search->catalogue;
  uint32_t number;
  while (table_next(&catalogue->names, search->hash, &search->at, &number)) {
    const struct pass_place *place = &catalogue->passes[number];
    const struct plugin *plugin = catalogue->plugins[place->plugin];
    if (strcmp(plugin->pass_names[place->pass], search->name) == 0)
      return place;
  }
  return NULL;
}

size_t catalogue_count(const struct catalogue *catalogue) {
  return catalogue->count;
}

const struct plugin *catalogue_plugin(const struct catalogue *catalogue,
                                      size_t index) {
  return catalogue->plugins[index];
}

const struct plugin *catalogue_find_file(const struct catalogue *catalogue,
                                         const struct file_identity *file) {
  size_t number = file_find(catalogue, file);
  return number < catalogue->count ? catalogue->plugins[number] : NULL;
}

const struct plugin *catalogue_find_pass(const struct catalogue *catalogue,
                                         const char *name, size_t *index) {
  struct pass_search search = pass_search(catalogue, name);
  const struct pass_place *place = pass_next(&search);
  if (place && index)
    *index = place->pass;
  return place ? catalogue->plugins[place->plugin] : NULL;
}

const struct plugin *catalogue_find_other(const struct catalogue *catalogue,
                                          const char *name,
                                          const struct plugin *plugin) {
  struct pass_search search = pass_search(catalogue, name);
  const struct pass_place *place;
  while ((place = pass_next(&search)))
    if (catalogue->plugins[place->plugin] != plugin)
      return catalogue->plugins[place->plugin];
  return NULL;
}

//===----------------------------------------------------------------------===//
// Growing: only a snapshot that nobody else has yet
//===----------------------------------------------------------------------===//

/// Enters the numbers of the plugin at `number` into the tables.
static void plugin_index(struct catalogue *catalogue, size_t number) {
  const struct plugin *plugin = catalogue->plugins[number];
  table_add(&catalogue->paths, hash_string(plugin->path), (uint32_t)number);
  table_add(&catalogue->files, file_hash(&plugin->file), (uint32_t)number);
  for (size_t i = 0; i < plugin->pass_count; ++i) {
    size_t place = catalogue->pass_count++;
    catalogue->passes[place] =
        (struct pass_place){(uint32_t)number, (uint32_t)i};
    table_add(&catalogue->names, hash_string(plugin->pass_names[i]),
              (uint32_t)place);
  }
}

static void plugin_append(struct catalogue *catalogue,
                          const struct plugin *plugin) {
  catalogue->plugins[catalogue->count] = plugin_retain(plugin);
  plugin_index(catalogue, catalogue->count++);
}

/// Forgets all numbers and enters them anew.
static bool tables_remake(struct catalogue *catalogue, size_t room,
                          size_t pass_room) {
  table_release(&catalogue->paths);
  table_release(&catalogue->files);
  table_release(&catalogue->names);
  if (!table_create(&catalogue->paths, room) ||
      !table_create(&catalogue->files, room) ||
      !table_create(&catalogue->names, pass_room))
    return false;
  catalogue->pass_count = 0;
  for (size_t i = 0; i < catalogue->count; ++i)
    plugin_index(catalogue, i);
  return true;
}

static void refuse_name(const struct plugin *plugin, const struct plugin *other,
                        const char *name, mlirplug_error **error) {
  struct text found = {0};
  text_format(&found, "its pass '%s' is already there, from '%s'", name,
              other->path);
  if (found.failed)
    (void)error_set_memory(error);
  else
    (void)error_set(error,
                    &(mlirplug_error){
                        .doing = "cannot add plugin",
                        .subject = plugin->path,
                        .found = found.bytes,
                        .expected = "pass names that no other plugin has",
                        .remedy = plugin->directory || other->directory
                                      ? "use one of the two files: remove the "
                                        "other, or do not search its directory "
                                        "(--no-default-plugins)"
                                      : "use one of the two files"});
  text_release(&found);
}

/// Compares its pass names with those of all but the plugin at `place`, which
/// it replaces. False if it is refused.
static bool names_compare(const struct catalogue *catalogue, size_t place,
                          struct catalogue_addition *addition) {
  const struct plugin *plugin = addition->plugin;
  for (size_t i = 0; i < plugin->pass_count; ++i) {
    const char *name = plugin->pass_names[i];
    struct pass_search search = pass_search(catalogue, name);
    const struct plugin *first = NULL;
    for (const struct pass_place *same; (same = pass_next(&search));) {
      const struct plugin *other = catalogue->plugins[same->plugin];
      if (same->plugin == place)
        continue;
      if (!plugin->directory || !other->directory) {
        refuse_name(plugin, other, name, &addition->refused);
        return false;
      }
      first = first ? first : other;
    }
    if (first && ++addition->shared_count == 1) {
      addition->shared_name = name;
      addition->shares_with = first;
    }
  }
  return true;
}

/// How much a snapshot is to hold at most.
struct room {
  size_t plugins;
  size_t passes;
};

/// Enters one of the additions, or finds why not. False if memory runs out.
static bool addition_enter(struct catalogue *catalogue, const struct room *room,
                           struct catalogue_addition *addition) {
  const struct plugin *plugin = addition->plugin;
  const struct plugin *known = catalogue_find_file(catalogue, &plugin->file);
  bool is_news = plugin->opened && known && !known->opened;
  if (known && !is_news && (plugin->directory || !known->directory)) {
    addition->entered = known;
    return true;
  }
  size_t place = place_find(catalogue, plugin);
  if (!names_compare(catalogue, place, addition))
    return addition->refused;
  addition->entered = plugin;
  if (place == catalogue->count) {
    plugin_append(catalogue, plugin);
    return true;
  }
  plugin_release(catalogue->plugins[place]);
  catalogue->plugins[place] = plugin_retain(plugin);
  return tables_remake(catalogue, room->plugins, room->passes);
}

static void additions_forget(struct catalogue_addition *additions,
                             size_t count) {
  for (size_t i = 0; i < count; ++i) {
    mlirplug_error_destroy(additions[i].refused);
    additions[i] = (struct catalogue_addition){.plugin = additions[i].plugin};
  }
}

/// True if every plugin of `older` is in `newer` too.
static bool keeps_all(const struct catalogue *older,
                      const struct catalogue *newer) {
  for (size_t i = 0; i < older->count; ++i)
    if (older->plugins[i] != newer->plugins[i])
      return false;
  return true;
}

mlirplug_status catalogue_extend(struct catalogue *catalogue,
                                 struct catalogue_addition *additions,
                                 size_t count, struct catalogue **extended,
                                 mlirplug_error **error) {
  struct room room = {catalogue->count + count, catalogue->pass_count};
  for (size_t i = 0; i < count; ++i)
    room.passes += additions[i].plugin->pass_count;
  struct catalogue *made = snapshot_create(room.plugins, room.passes);
  bool complete = made;
  for (size_t i = 0; complete && i < catalogue->count; ++i)
    plugin_append(made, catalogue->plugins[i]);
  for (size_t i = 0; complete && i < count; ++i)
    complete = addition_enter(made, &room, &additions[i]);
  if (!complete) {
    catalogue_release(made);
    additions_forget(additions, count);
    return error_set_memory(error);
  }
  if (!keeps_all(catalogue, made))
    made->replaced = catalogue_retain(catalogue);
  else if (catalogue->replaced)
    made->replaced = catalogue_retain(catalogue->replaced);
  *extended = made;
  return MLIRPLUG_OK;
}
