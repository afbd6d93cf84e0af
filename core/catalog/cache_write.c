// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "catalog/cache_write.h"

#include "base/hash.h"
#include "base/store.h"
#include "catalog/cache.h"
#include "catalog/cache_form.h"
#include "catalog/encoding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The bytes
//===----------------------------------------------------------------------===//

static void string_add(struct text *text, const char *string) {
  text_add_bytes(text, string, strlen(string) + 1);
}

static struct cache_form_file file_form(const struct cache_state *state) {
  return (struct cache_form_file){
      .device = state->file.device,
      .inode = state->file.inode,
      .size = state->file.size,
      .modified_seconds = state->file.modified.tv_sec,
      .modified_nanoseconds = (uint32_t)state->file.modified.tv_nsec,
      .changed_seconds = state->changed.tv_sec,
      .changed_nanoseconds = (uint32_t)state->changed.tv_nsec};
}

/// The parts of the file behind the header, as they grow.
struct parts {
  struct text entries;
  struct text strings;
  struct text descriptions;
};

/// The entry of a file with a plugin, whose description is added.
static struct cache_form_entry description_add(struct parts *parts,
                                               const struct cache_item *item) {
  const mlirplug_plugin_description *description = item->description;
  struct text *descriptions = &parts->descriptions;
  struct cache_form_entry entry = {
      .file = file_form(&item->state),
      .offset = descriptions->length,
      .pass_count = (uint32_t)description->pass_count,
      .has_warnings = description->warning_count != 0};
  description_encode(description, descriptions);
  if (descriptions->failed)
    return entry;
  entry.size = (uint32_t)(descriptions->length - entry.offset);
  entry.checksum = hash_bytes(descriptions->bytes + entry.offset, entry.size);
  for (size_t i = 0; i < description->pass_count; ++i)
    string_add(&parts->strings, description->passes[i]->name);
  return entry;
}

static void item_add(struct parts *parts, const struct cache_item *item,
                     uint64_t descriptions_begin) {
  string_add(&parts->strings, item->name);
  struct cache_form_entry entry = {0};
  if (item->description)
    entry = description_add(parts, item);
  entry.offset += descriptions_begin;
  text_add_bytes(&parts->entries, (const char *)&entry, sizeof entry);
}

/// The size of header, entries and strings.
static uint64_t index_size(const struct cache_content *content) {
  uint64_t size = sizeof(struct cache_form_header) +
                  content->count * sizeof(struct cache_form_entry) +
                  strlen(content->directory) + strlen(mlirplug_version()) + 2;
  if (content->suffixes)
    size += strlen(content->suffixes);
  for (size_t i = 0; i < content->count; ++i) {
    const struct cache_item *item = &content->items[i];
    size += strlen(item->name) + 1;
    for (size_t j = 0; item->description && j < item->description->pass_count;
         ++j)
      size += strlen(item->description->passes[j]->name) + 1;
  }
  return size;
}

static void parts_join(struct parts *parts, struct cache_form_header *header,
                       struct text *bytes) {
  struct text *index = &parts->entries;
  bytes->failed = bytes->failed || parts->strings.failed ||
                  parts->descriptions.failed || index->failed;
  if (bytes->failed)
    return;
  text_add_bytes(index, parts->strings.bytes, parts->strings.length);
  if (index->failed) {
    bytes->failed = true;
    return;
  }
  header->checksum = cache_form_checksum(header, index->bytes, index->length);
  text_add_bytes(bytes, (const char *)header, sizeof *header);
  text_add_bytes(bytes, index->bytes, index->length);
  text_add_bytes(bytes, parts->descriptions.bytes, parts->descriptions.length);
}

void cache_encode(const struct cache_content *content, struct text *bytes) {
  struct cache_form_header header = {.magic = CACHE_MAGIC,
                                     .version = CACHE_VERSION,
                                     .encoding = ENCODING_VERSION,
                                     .abi = CACHE_ABI,
                                     .count = (uint32_t)content->count,
                                     .size = index_size(content),
                                     .directory = file_form(&content->state)};
  struct parts parts = {0};
  string_add(&parts.strings, content->directory);
  text_add(&parts.strings, mlirplug_version());
  string_add(&parts.strings, content->suffixes ? content->suffixes : "");
  for (size_t i = 0; i < content->count; ++i)
    item_add(&parts, &content->items[i], header.size);
  parts_join(&parts, &header, bytes);
  text_release(&parts.entries);
  text_release(&parts.strings);
  text_release(&parts.descriptions);
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

bool cache_write(const struct cache_content *content) {
  char *path = cache_path(content->directory);
  if (!path)
    return false;
  struct text bytes = {0};
  cache_encode(content, &bytes);
  int problem = bytes.failed ? ENOMEM : store_parents(path);
  if (!problem)
    problem = store_replace(path, 0600, bytes.bytes, bytes.length);
  text_release(&bytes);
  free(path);
  errno = problem;
  return !problem;
}
