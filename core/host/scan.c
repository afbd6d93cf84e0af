// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host/scan.h"

#include "catalog/cache_write.h"
#include "find/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  /// So many files are read faster than a cache is written and flushed.
  files_without_cache = 16,
  /// For less than that a cache is not written again so soon, in seconds: a
  /// plugin that is being worked on is rebuilt again and again.
  seconds_between_writes = 60,
  /// The times of some file systems are as coarse as this, in seconds: a file
  /// may be changed again and look the same.
  coarsest_time = 2,
};

/// A file of the directory that has a plugin.
struct scanned {
  size_t number;                   ///< In the listing.
  const struct cache_entry *entry; ///< Where it was found in the cache.
  struct cache_state state;        ///< What it was when it was read, or zero.
};

struct scan {
  mlirplug_host *host;
  const mlirplug_directory *directory;
  const struct scan_source *source;
  size_t cache_next; ///< Of its entries, which come in the order of the files.
  time_t settled;    ///< What was changed before will not look like later.
  struct text path;  ///< Of the file at hand.
  size_t path_stem;  ///< The part of it that all have.
  struct catalogue_addition *additions;
  struct scanned *files; ///< One for each addition.
  size_t count;
  size_t read; ///< So many of them are not in the cache and can be.
  bool is_exhausted;
  mlirplug_status status;
  mlirplug_error **error; ///< Null once it is set.
};

//===----------------------------------------------------------------------===//
// What becomes of the files
//===----------------------------------------------------------------------===//

static void scan_fail(struct scan *scan) {
  if (scan->error)
    (void)error_set_memory(scan->error);
  scan->error = NULL;
  scan->status = MLIRPLUG_FAILED;
}

/// Takes `problem`, which says nothing of the file at hand: others may be as
/// good as they are, and yet none can be read.
static void scan_exhaust(struct scan *scan, mlirplug_error *problem) {
  (void)host_pass_error(problem, scan->error);
  scan->error = NULL;
  scan->status = MLIRPLUG_FAILED;
  scan->is_exhausted = true;
}

/// Keeps `problem` as what became of the file at `path`. One that `clashes` is
/// the whole scan's error.
static void file_refuse(struct scan *scan, const char *path,
                        mlirplug_error *problem, bool clashes) {
  if (problem->is_exhausted) {
    scan_exhaust(scan, problem);
    return;
  }
  const mlirplug_error *refused = host_refuse(scan->host, path, problem, NULL);
  if (!refused) {
    scan_fail(scan);
    return;
  }
  if (clashes)
    scan->status = MLIRPLUG_FAILED;
  if (clashes && scan->error) {
    (void)error_set(scan->error, refused);
    scan->error = NULL;
  } else {
    host_warn_refused(scan->host, refused);
  }
}

static void file_take(struct scan *scan, const struct scanned *file,
                      struct plugin *plugin) {
  scan->files[scan->count] = *file;
  scan->additions[scan->count++] =
      (struct catalogue_addition){.plugin = plugin};
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The cache's entry for `name`, null if it has none.
static const struct cache_entry *entry_find(struct scan *scan,
                                            const char *name) {
  const struct cache *cache = scan->source->cache;
  size_t count = cache ? cache_count(cache) : 0;
  for (; scan->cache_next < count; ++scan->cache_next) {
    const struct cache_entry *entry = cache_entry(cache, scan->cache_next);
    int order = entry->name == name ? 0 : strcmp(entry->name, name);
    if (order >= 0)
      return order == 0 ? entry : NULL;
  }
  return NULL;
}

/// Takes the plugin from the cache. False if the file has to be opened.
static bool file_take_cached(struct scan *scan, const struct scanned *file,
                             const struct stat *status) {
  if (!file->entry || !cache_entry_is_current(file->entry, status) ||
      !trust_is_plain(status))
    return false;
  struct plugin *plugin =
      plugin_create_cached(scan->source->cache, file->entry, scan->path.bytes);
  if (!plugin)
    return false;
  plugin->directory = scan->directory;
  plugin->trust_any = scan->host->configuration.trust_any;
  plugin->demands = scan->host->demands;
  file_take(scan, file, plugin);
  return true;
}

/// True if there is not even a symbolic link by this name.
static bool is_gone(const char *path) {
  struct stat status;
  return lstat(path, &status) != 0 && errno == ENOENT;
}

/// True if what is changed from now on will not look like this.
static bool is_settled(const struct scan *scan, const struct stat *status) {
  return status->st_ctim.tv_sec < scan->settled &&
         status->st_mtim.tv_sec < scan->settled;
}

static void file_read(struct scan *scan, const struct scanned *file,
                      const struct stat *status) {
  const char *path = scan->path.bytes;
  struct plugin *plugin;
  const struct plugin *known;
  mlirplug_error *problem = NULL;
  if (host_read_plugin(scan->host, path, scan->directory, &plugin, &known,
                       &problem) != MLIRPLUG_OK) {
    if (!is_gone(path)) {
      file_refuse(scan, path, problem, false);
      return;
    }
    host_log(scan->host, "%s has gone since its directory was read", path);
    mlirplug_error_destroy(problem);
    return;
  }
  if (!plugin)
    return;
  file_take(scan, file, plugin);
  struct scanned *taken = &scan->files[scan->count - 1];
  taken->entry = NULL;
  const struct cache_state state = cache_state_of(status);
  // Not what a link led to, or what was changed just now, or what says nothing
  // of itself.
  if (!S_ISREG(status->st_mode) || plugin->served_by ||
      !file_identity_equal(&state.file, &plugin->file) ||
      !is_settled(scan, status))
    return;
  taken->state = state;
  ++scan->read;
}

static void file_scan(struct scan *scan, size_t number) {
  const char *name = scan->source->listing.names[number];
  struct scanned file = {.number = number, .entry = entry_find(scan, name)};
  scan->path.length = scan->path_stem;
  text_add(&scan->path, name);
  if (scan->path.failed) {
    scan_fail(scan);
    return;
  }
  struct stat status;
  if (fstatat(scan->source->descriptor, name, &status, AT_SYMLINK_NOFOLLOW) !=
      0)
    status = (struct stat){0};
  if (!file_take_cached(scan, &file, &status))
    file_read(scan, &file, &status);
}

//===----------------------------------------------------------------------===//
// The catalogue and the cache
//===----------------------------------------------------------------------===//

static void plugins_enter(struct scan *scan) {
  if (host_enter_plugins(scan->host, scan->additions, scan->count, NULL) !=
      MLIRPLUG_OK) {
    scan_fail(scan);
    return;
  }
  for (size_t i = 0; i < scan->count; ++i) {
    struct catalogue_addition *addition = &scan->additions[i];
    if (addition->refused)
      file_refuse(scan, addition->plugin->path, addition->refused, true);
    else
      host_report_addition(scan->host, addition, scan->files[i].entry);
  }
}

/// The state of the file by which it will be known.
static struct cache_state state_of(const struct scanned *file) {
  return file->entry ? file->entry->state : file->state;
}

/// An item for each file of the listing, to be freed; null if memory runs out.
static struct cache_item *items_make(const struct scan *scan) {
  const struct directory_listing *listing = &scan->source->listing;
  struct cache_item *items = calloc(listing->count, sizeof *items);
  for (size_t i = 0; items && i < listing->count; ++i)
    items[i].name = listing->names[i];
  for (size_t i = 0; items && i < scan->count; ++i) {
    const struct scanned *file = &scan->files[i];
    struct cache_item *item = &items[file->number];
    item->state = state_of(file);
    if (item->state.file.inode)
      item->description = plugin_describe(scan->additions[i].plugin, NULL);
  }
  return items;
}

/// Whether a cache is worth being written now.
static bool is_cache_wanted(const struct scan *scan) {
  const struct scan_source *source = scan->source;
  if (scan->host->configuration.no_cache ||
      source->listing.count <= files_without_cache)
    return false;
  if (scan->read > files_without_cache)
    return true;
  return source->cache && (scan->read || source->is_new) &&
         is_settled(scan, &source->status) &&
         cache_time(source->cache) < time(NULL) - seconds_between_writes;
}

/// Keeps what was read for the next time. It is no error if that fails.
static void cache_renew(const struct scan *scan) {
  if (!is_cache_wanted(scan))
    return;
  const struct scan_source *source = scan->source;
  struct cache_item *items = items_make(scan);
  struct cache_content content = {.directory = scan->directory->path,
                                  .suffixes = source->suffixes,
                                  .items = items,
                                  .count = source->listing.count};
  if (is_settled(scan, &source->status))
    content.state = cache_state_of(&source->status);
  if (items && cache_write(&content))
    host_log(scan->host, "wrote the cache of %s, new: %zu",
             scan->directory->path, scan->read);
  else
    host_log(scan->host, "cannot write a cache for %s: %s",
             scan->directory->path, strerror(errno));
  free(items);
}

//===----------------------------------------------------------------------===//
// Beginning and end
//===----------------------------------------------------------------------===//

/// Takes the names of the cache's entries.
static bool names_take(struct scan_source *source) {
  size_t count = cache_count(source->cache);
  source->listing.names = calloc(count + 1, sizeof *source->listing.names);
  if (!source->listing.names)
    return false;
  for (size_t i = 0; i < count; ++i)
    source->listing.names[i] = cache_entry(source->cache, i)->name;
  source->listing.count = count;
  return true;
}

/// `*is_trusted` is false if it does not pass, but trust is off.
static mlirplug_status directory_trust(const mlirplug_host *host,
                                       const char *path, int descriptor,
                                       bool *is_trusted,
                                       mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  *is_trusted =
      trust_check_directory(path, descriptor, &problem) == MLIRPLUG_OK;
  return *is_trusted ? MLIRPLUG_OK : host_decide_trust(host, problem, error);
}

mlirplug_status scan_source_open(mlirplug_host *host, const char *path,
                                 bool required, struct scan_source *source,
                                 mlirplug_error **error) {
  bool is_trusted;
  // The time first: what changes from now on must not look settled.
  *source = (struct scan_source){
      .descriptor = -1, .begun = time(NULL), .is_new = true};
  if (directory_open(path, required, &source->descriptor, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (source->descriptor < 0)
    return MLIRPLUG_OK;
  if (directory_trust(host, path, source->descriptor, &is_trusted, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (fstat(source->descriptor, &source->status) != 0)
    source->status = (struct stat){0};
  // A file in the cache is not looked at as closely as one that is opened,
  // which is enough where the directory is known to be right, and no signature
  // is demanded.
  source->suffixes = host_suffixes(host);
  if (!source->suffixes)
    return error_set_memory(error);
  if (is_trusted && !host->configuration.no_cache && !host->demands)
    source->cache = cache_open(path, source->suffixes);
  source->is_new =
      !source->cache || !cache_has_all(source->cache, &source->status);
  if (source->is_new)
    return directory_list(path, source->descriptor, source->suffixes,
                          &source->listing, error);
  return names_take(source) ? MLIRPLUG_OK : error_set_memory(error);
}

void scan_source_close(struct scan_source *source) {
  directory_listing_release(&source->listing);
  free(source->suffixes);
  cache_release(source->cache);
  if (source->descriptor >= 0)
    close(source->descriptor);
}

static bool scan_begin(struct scan *scan) {
  size_t count = scan->source->listing.count;
  scan->additions = calloc(count + 1, sizeof *scan->additions);
  scan->files = calloc(count + 1, sizeof *scan->files);
  text_add(&scan->path, scan->directory->path);
  if (strcmp(scan->directory->path, "/") != 0)
    text_add(&scan->path, "/");
  scan->path_stem = scan->path.length;
  scan->settled = scan->source->begun - coarsest_time;
  return scan->additions && scan->files && !scan->path.failed;
}

static void scan_end(struct scan *scan) {
  for (size_t i = 0; i < scan->count; ++i)
    plugin_release(scan->additions[i].plugin);
  free(scan->additions);
  free(scan->files);
  text_release(&scan->path);
}

mlirplug_status host_scan(mlirplug_host *host,
                          const mlirplug_directory *directory,
                          const struct scan_source *source,
                          mlirplug_error **error) {
  if (!source->listing.count)
    return MLIRPLUG_OK;
  struct scan scan = {
      .host = host, .directory = directory, .source = source, .error = error};
  if (scan_begin(&scan)) {
    for (size_t i = 0; i < source->listing.count && !scan.is_exhausted; ++i)
      file_scan(&scan, i);
    plugins_enter(&scan);
    cache_renew(&scan);
  } else {
    scan_fail(&scan);
  }
  scan_end(&scan);
  return scan.status;
}
