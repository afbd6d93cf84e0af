// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was read in a directory the last time, kept in a file of the user's: a
// thousand plugins need not be opened each time to know which passes they have.
//
// It is a hint. An entry counts only for a file with the same number, size and
// times, the list of names for a directory with the same times; a cache with
// any defect counts for nothing; and nobody's trust rests on it, for all that
// is checked of a file is checked of the file itself. It may be deleted at any
// time.
//
// The cache file: a header, the index, the descriptions.
//
//     header    struct header of cache_form.h
//     index     struct entry for each file, by name in the order of bytes,
//               also those without a plugin; then strings: the directory, the
//               version of mlirplug with the suffixes that host plugins serve,
//               and for each entry its name and those of
//               its passes
//     the rest  descriptions as encoding.h makes them, each with its checksum
//               in its entry: they are read one by one when they are wanted
//
// Numbers are this machine's; the magic number tells another one's.

#ifndef MLIRPLUG_CATALOG_CACHE_H
#define MLIRPLUG_CATALOG_CACHE_H

#include "find/file.h"

#include <sys/stat.h>

/// Counted, and immutable.
struct cache;

/// Which file, in which state; more closely than file_identity, which lets the
/// rights change.
struct cache_state {
  struct file_identity file;
  struct timespec changed; ///< The file's ctime.
};

struct cache_state cache_state_of(const struct stat *status);

/// One file in it. Its strings are the cache's.
struct cache_entry {
  const char *name;
  const char *pass_names; ///< One behind the other, each with a NUL.
  size_t pass_count;
  bool has_warnings;        ///< The description has some.
  struct cache_state state; ///< Zero if no plugin is known to be in it.
  uint64_t offset;          ///< Of its description in the cache file.
  uint64_t checksum;
  size_t size;
};

/// Opens the cache of `directory`, an absolute path. Null if there is none that
/// can be used, whatever the reason.
/// `suffixes` are those of its files that host plugins serve, "" for none: with
/// others it would have other files.
struct cache *cache_open(const char *directory, const char *suffixes);

/// The same for the bytes of a cache file, which are copied.
struct cache *cache_open_memory(const char *directory, const char *suffixes,
                                const void *bytes, size_t size);

struct cache *cache_retain(struct cache *cache);
void cache_release(struct cache *cache);

size_t cache_count(const struct cache *cache);
const struct cache_entry *cache_entry(const struct cache *cache, size_t index);

/// True if the names of the entries are those of all files that look like
/// plugins, given the directory's status now.
bool cache_has_all(const struct cache *cache, const struct stat *status);

/// When the cache was written, in seconds since 1970.
time_t cache_time(const struct cache *cache);

/// True if the file is as it was when the entry was made.
bool cache_entry_is_current(const struct cache_entry *entry,
                            const struct stat *status);

/// The description of the entry's plugin, which now lies at `path`; null if it
/// cannot be had from here. To be destroyed by the caller. Whether it has the
/// entry's passes is for the caller to see.
mlirplug_plugin_description *cache_describe(const struct cache *cache,
                                            const struct cache_entry *entry,
                                            const char *path);

/// Where all caches are, to be freed; null with errno (find/home.h) if there is
/// no place for them.
char *cache_directory(void);

/// Where the cache of `directory` is, to be freed; null if there is no place
/// for it or memory runs out.
char *cache_path(const char *directory);

#endif // MLIRPLUG_CATALOG_CACHE_H
