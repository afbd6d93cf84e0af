// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a cache file (cache.h).

#ifndef MLIRPLUG_CATALOG_CACHE_WRITE_H
#define MLIRPLUG_CATALOG_CACHE_WRITE_H

#include "base/text.h"
#include "catalog/cache.h"

/// A file that looks like a plugin, and its description; null if it has none
/// that is to be kept.
struct cache_item {
  const char *name;
  struct cache_state state;
  const mlirplug_plugin_description *description;
};

/// What a cache is made of.
struct cache_content {
  const char *directory; ///< An absolute path.
  const char *suffixes;  ///< As for cache_open; null for none.
  /// Of the directory before it was listed; zero if it may be listed anew
  /// without looking other.
  struct cache_state state;
  const struct cache_item *items; ///< All, in the order of their names.
  size_t count;
};

/// Adds the bytes of the cache file to `bytes`.
void cache_encode(const struct cache_content *content, struct text *bytes);

/// Writes it in the place of an older one: whoever reads it sees the one or the
/// other, however many write at the same time. The user's cache directory is
/// made if it is not there. False with errno set if it cannot be written.
bool cache_write(const struct cache_content *content);

#endif // MLIRPLUG_CATALOG_CACHE_WRITE_H
