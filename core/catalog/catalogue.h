// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue: which plugins are known, and which passes they bring. It is a
// sequence of snapshots that never change: adding a plugin makes a new one, and
// whoever holds an older one keeps what it had.

#ifndef MLIRPLUG_CATALOG_CATALOGUE_H
#define MLIRPLUG_CATALOG_CATALOGUE_H

#include "base/error.h"
#include "find/file.h"

/// A plugin file that was read and found good.
struct plugin {
  mlirplug_plugin_description *description; ///< Owned.
  struct file_identity file; ///< Compared again when it is loaded.
  /// Where it was found; null if it was named. Not owned.
  const mlirplug_directory *directory;
  bool trust_any; ///< It is loaded whatever trust says of its file.
};

/// A snapshot. Counted: whoever has one releases it.
struct catalogue;

/// An empty one; null if memory runs out.
struct catalogue *catalogue_create(void);

struct catalogue *catalogue_retain(struct catalogue *catalogue);
void catalogue_release(struct catalogue *catalogue);

/// A new snapshot with `plugin` behind those of `catalogue`, which is left as
/// it is; or in the place of the one that was read from the same path or file
/// before. On success the snapshots own the plugin together, and a plugin that
/// was replaced lives on as long as the new one.
///
/// Two plugins may have passes of one name if both were found: the first has
/// the name. Otherwise this is an error with both files.
mlirplug_status catalogue_with(struct catalogue *catalogue,
                               struct plugin *plugin,
                               struct catalogue **extended,
                               mlirplug_error **error);

size_t catalogue_count(const struct catalogue *catalogue);
const struct plugin *catalogue_plugin(const struct catalogue *catalogue,
                                      size_t index);

/// The plugin that was made from this very file; null if there is none.
const struct plugin *catalogue_find_file(const struct catalogue *catalogue,
                                         const struct file_identity *file);

/// The plugin with a pass called `name` and its place among the plugin's
/// passes; null if there is none. `index` may be null.
const struct plugin *catalogue_find_pass(const struct catalogue *catalogue,
                                         const char *name, size_t *index);

/// The first plugin with a pass called `name` that is not `plugin`; null if
/// there is none.
const struct plugin *catalogue_find_other(const struct catalogue *catalogue,
                                          const char *name,
                                          const struct plugin *plugin);

/// Reads and checks an open plugin file: a plugin that was named and belongs
/// to nobody yet, to be put into a catalogue or destroyed.
mlirplug_status plugin_create(const struct file *file, struct plugin **plugin,
                              mlirplug_error **error);
void plugin_destroy(struct plugin *plugin);

#endif // MLIRPLUG_CATALOG_CATALOGUE_H
