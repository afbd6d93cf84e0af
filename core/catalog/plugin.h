// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin file that was read and found good.

#ifndef MLIRPLUG_CATALOG_PLUGIN_H
#define MLIRPLUG_CATALOG_PLUGIN_H

#include "catalog/cache.h"
#include "find/file.h"

struct image;

struct plugin {
  const char *path; ///< Absolute.
  const char *const *pass_names;
  size_t pass_count;
  struct file_identity file; ///< Compared again when it is loaded.
  /// Where it was found; null if it was named. Not owned.
  const mlirplug_directory *directory;
  bool trust_any; ///< It is loaded whatever trust says of its file.
  /// Whose signature it must have when it is loaded; the host's, may be null.
  const struct demands *demands;
  /// The host plugin that serves this file; null for most. Not owned: it lives
  /// as long as the mlirplug_host.
  const struct plugin *served_by;
  /// What that one made of the file; null until it is opened.
  const struct image *opened;
};

/// Reads and checks an open plugin file. The plugin was named and belongs to
/// nobody yet: it is put into a catalogue or released.
mlirplug_status plugin_create(const struct file *file, struct plugin **plugin,
                              mlirplug_error **error);

/// The same for a file that was described otherwise. Takes `description`, also
/// on failure.
mlirplug_status
plugin_create_described(const struct file *file,
                        mlirplug_plugin_description *description,
                        struct plugin **plugin, mlirplug_error **error);

/// The same for the file `entry` of `cache`, which is kept as long as the
/// plugin: `path` is where it lies now. Null if memory runs out.
struct plugin *plugin_create_cached(struct cache *cache,
                                    const struct cache_entry *entry,
                                    const char *path);

/// All that the plugin says of itself. That of a cached plugin is made when it
/// is first asked for, if need be by reading the file, which may have gone or
/// changed: then this is null and sets the error. Otherwise it lives as long as
/// the plugin. Any thread.
const mlirplug_plugin_description *plugin_describe(const struct plugin *plugin,
                                                   mlirplug_error **error);

/// Holders are counted; the last one to release it frees it.
struct plugin *plugin_retain(const struct plugin *plugin);
void plugin_release(struct plugin *plugin);

#endif // MLIRPLUG_CATALOG_PLUGIN_H
