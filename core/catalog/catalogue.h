// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue: which plugins are known, and which passes they bring. It is a
// sequence of snapshots that never change: adding plugins makes a new one, and
// whoever holds an older one keeps what it had.

#ifndef MLIRPLUG_CATALOG_CATALOGUE_H
#define MLIRPLUG_CATALOG_CATALOGUE_H

#include "catalog/plugin.h"

/// A snapshot. Counted: whoever has one releases it.
struct catalogue;

/// An empty one; null if memory runs out.
struct catalogue *catalogue_create(void);

struct catalogue *catalogue_retain(struct catalogue *catalogue);
void catalogue_release(struct catalogue *catalogue);

/// A plugin on its way into the catalogue, and what becomes of it.
struct catalogue_addition {
  struct plugin *plugin;        ///< Belongs to the caller.
  const struct plugin *entered; ///< It or, of the same file, an earlier one.
  mlirplug_error *refused;      ///< Why there is none; of the caller.
  /// The first of its passes that an earlier plugin has too, that plugin, and
  /// how many there are.
  const char *shared_name;
  const struct plugin *shares_with;
  size_t shared_count;
};

/// A new snapshot with `count` plugins behind those of `catalogue`, which is
/// left as it is. One that was read from the same path or file as an earlier
/// one takes its place, if the file was changed, was opened now and not before,
/// or is now named and was found before; else the earlier one stays. The
/// snapshots own together what is `entered`; a plugin that was replaced lives
/// on as long as the new one.
///
/// Two plugins may have passes of one name if both were found: the first has
/// the name. Otherwise the later one is refused with an error that has both
/// files. Fails only if memory runs out; then nothing was entered.
mlirplug_status catalogue_extend(struct catalogue *catalogue,
                                 struct catalogue_addition *additions,
                                 size_t count, struct catalogue **extended,
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

#endif // MLIRPLUG_CATALOG_CATALOGUE_H
