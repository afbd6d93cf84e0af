// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/cache.h"

#include "base/hash.h"
#include "catalog/cache_form.h"
#include "catalog/encoding.h"
#include "find/home.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// An index that is longer is none of ours.
static const uint64_t index_at_most = (uint64_t)256 << 20;

struct cache {
  atomic_size_t holders;
  int descriptor; // of the file; -1 if it is in memory
  char *bytes;    // of one in memory
  uint64_t size;  // of the file
  time_t written;
  struct cache_form_header header;
  char *index; // with the strings
  struct cache_entry *entries;
  size_t count;
};

/// Copies `size` bytes at `offset` of the file.
static bool bytes_read(const struct cache *cache, uint64_t offset, void *to,
                       size_t size) {
  if (offset > cache->size || size > cache->size - offset)
    return false;
  if (cache->bytes) {
    memcpy(to, cache->bytes + offset, size);
    return true;
  }
  return pread(cache->descriptor, to, size, (off_t)offset) == (ssize_t)size;
}

//===----------------------------------------------------------------------===//
// The index
//===----------------------------------------------------------------------===//

/// The strings behind the entries; they end with a NUL.
struct strings {
  const char *next;
  const char *end;
};

/// The next string; null behind the last.
static const char *string_take(struct strings *strings) {
  if (strings->next == strings->end)
    return NULL;
  const char *string = strings->next;
  strings->next += strlen(string) + 1;
  return string;
}

static bool header_is_right(const struct cache *cache) {
  const struct cache_form_header *header = &cache->header;
  uint64_t least = sizeof *header +
                   header->count * (uint64_t)sizeof(struct cache_form_entry);
  return header->magic == CACHE_MAGIC && header->version == CACHE_VERSION &&
         header->encoding == ENCODING_VERSION && header->abi == CACHE_ABI &&
         least < header->size && header->size <= cache->size &&
         header->size <= index_at_most;
}

/// Reads the index and finds its strings.
static bool index_read(struct cache *cache, struct strings *strings) {
  if (!bytes_read(cache, 0, &cache->header, sizeof cache->header) ||
      !header_is_right(cache))
    return false;
  size_t size = cache->header.size - sizeof cache->header;
  cache->index = malloc(size);
  if (!cache->index ||
      !bytes_read(cache, sizeof cache->header, cache->index, size) ||
      cache_form_checksum(&cache->header, cache->index, size) !=
          cache->header.checksum)
    return false;
  strings->next =
      cache->index + cache->header.count * sizeof(struct cache_form_entry);
  strings->end = cache->index + size;
  return strings->end[-1] == '\0';
}

static struct cache_state state_of_form(const struct cache_form_file *form) {
  return (struct cache_state){
      .file = {.device = form->device,
               .inode = form->inode,
               .size = form->size,
               .modified = {form->modified_seconds,
                            form->modified_nanoseconds}},
      .changed = {form->changed_seconds, form->changed_nanoseconds}};
}

/// Fills in `entry`, whose strings come next.
static bool entry_read(const struct cache *cache,
                       const struct cache_form_entry *form,
                       struct strings *strings, struct cache_entry *entry) {
  *entry = (struct cache_entry){.name = string_take(strings),
                                .pass_names = strings->next,
                                .pass_count = form->pass_count,
                                .has_warnings = form->has_warnings,
                                .state = state_of_form(&form->file),
                                .offset = form->offset,
                                .checksum = form->checksum,
                                .size = form->size};
  for (size_t i = 0; i < form->pass_count; ++i)
    if (!string_take(strings))
      return false;
  return entry->name && entry->offset >= cache->header.size &&
         entry->offset <= cache->size &&
         entry->size <= cache->size - entry->offset;
}

/// Reads all entries; their names are in order.
static bool entries_read(struct cache *cache, struct strings *strings) {
  size_t count = cache->header.count;
  cache->entries = calloc(count + 1, sizeof *cache->entries);
  if (!cache->entries)
    return false;
  for (size_t i = 0; i < count; ++i) {
    struct cache_form_entry form;
    memcpy(&form, cache->index + i * sizeof form, sizeof form);
    if (!entry_read(cache, &form, strings, &cache->entries[i]) ||
        (i && strcmp(cache->entries[i - 1].name, cache->entries[i].name) >= 0))
      return false;
  }
  cache->count = count;
  return true;
}

/// True if the next string is `expected`.
static bool string_is(struct strings *strings, const char *expected) {
  const char *string = string_take(strings);
  return string && strcmp(string, expected) == 0;
}

/// True if the next string says that this mlirplug made the cache, with host
/// plugins for the same files.
static bool makers_are(struct strings *strings, const char *suffixes) {
  const char *version = mlirplug_version(), *string = string_take(strings);
  size_t length = strlen(version);
  return string && strncmp(string, version, length) == 0 &&
         strcmp(string + length, suffixes) == 0;
}

/// The cache of a file that was opened, or null; takes the descriptor or bytes.
static struct cache *cache_create(const char *directory, const char *suffixes,
                                  int descriptor, char *bytes, uint64_t size,
                                  time_t written) {
  struct cache *cache = calloc(1, sizeof *cache);
  if (!cache) {
    if (descriptor >= 0)
      close(descriptor);
    free(bytes);
    return NULL;
  }
  cache->holders = 1;
  cache->descriptor = descriptor;
  cache->bytes = bytes;
  cache->size = size;
  cache->written = written;
  struct strings strings;
  if (index_read(cache, &strings) && string_is(&strings, directory) &&
      makers_are(&strings, suffixes) && entries_read(cache, &strings))
    return cache;
  cache_release(cache);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

char *cache_directory(void) {
  char *path = home_path(HOME_CACHE, "x");
  if (path)
    *strrchr(path, '/') = '\0';
  return path;
}

char *cache_path(const char *directory) {
  char name[64];
  (void)snprintf(name, sizeof name, "plugins-%016" PRIx64 ".cache",
                 hash_string(directory));
  return home_path(HOME_CACHE, name);
}

/// Opens what the user alone can have written.
static int file_open_own(const char *path, struct stat *status) {
  int descriptor =
      open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0)
    return -1;
  if (fstat(descriptor, status) == 0 && S_ISREG(status->st_mode) &&
      status->st_uid == geteuid() && !(status->st_mode & (S_IWGRP | S_IWOTH)))
    return descriptor;
  close(descriptor);
  return -1;
}

struct cache *cache_open(const char *directory, const char *suffixes) {
  char *path = cache_path(directory);
  if (!path)
    return NULL;
  struct stat status;
  int descriptor = file_open_own(path, &status);
  free(path);
  return descriptor < 0
             ? NULL
             : cache_create(directory, suffixes, descriptor, NULL,
                            (uint64_t)status.st_size, status.st_mtim.tv_sec);
}

struct cache *cache_open_memory(const char *directory, const char *suffixes,
                                const void *bytes, size_t size) {
  char *copy = malloc(size ? size : 1);
  if (!copy)
    return NULL;
  memcpy(copy, bytes, size);
  return cache_create(directory, suffixes, -1, copy, size, 0);
}

struct cache *cache_retain(struct cache *cache) {
  atomic_fetch_add(&cache->holders, 1);
  return cache;
}

void cache_release(struct cache *cache) {
  if (!cache || atomic_fetch_sub(&cache->holders, 1) > 1)
    return;
  if (cache->descriptor >= 0)
    close(cache->descriptor);
  free(cache->bytes);
  free(cache->index);
  free(cache->entries);
  free(cache);
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

size_t cache_count(const struct cache *cache) { return cache->count; }

const struct cache_entry *cache_entry(const struct cache *cache, size_t index) {
  return &cache->entries[index];
}

struct cache_state cache_state_of(const struct stat *status) {
  return (struct cache_state){file_identity_of(status), status->st_ctim};
}

static bool state_is(const struct cache_state *state,
                     const struct stat *status) {
  const struct cache_state now = cache_state_of(status);
  return file_identity_equal(&state->file, &now.file) &&
         state->changed.tv_sec == now.changed.tv_sec &&
         state->changed.tv_nsec == now.changed.tv_nsec;
}

bool cache_has_all(const struct cache *cache, const struct stat *status) {
  const struct cache_state state = state_of_form(&cache->header.directory);
  return S_ISDIR(status->st_mode) && state_is(&state, status);
}

time_t cache_time(const struct cache *cache) { return cache->written; }

bool cache_entry_is_current(const struct cache_entry *entry,
                            const struct stat *status) {
  return S_ISREG(status->st_mode) && state_is(&entry->state, status);
}

mlirplug_plugin_description *cache_describe(const struct cache *cache,
                                            const struct cache_entry *entry,
                                            const char *path) {
  char *bytes = malloc(entry->size ? entry->size : 1);
  mlirplug_plugin_description *description = NULL;
  if (bytes && bytes_read(cache, entry->offset, bytes, entry->size) &&
      hash_bytes(bytes, entry->size) == entry->checksum)
    description = description_decode(path, bytes, entry->size);
  free(bytes);
  return description;
}
