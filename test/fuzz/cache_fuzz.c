// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a cache file. Checksums are made right first, so that what lies
// behind them is reached: a checksum keeps accidents away, not attacks.

#include "catalog/cache.h"
#include "catalog/cache_form.h"

#include <stdlib.h>
#include <string.h>

/// Corrects the checksum of the description of the entry at `at`.
static void entry_correct(unsigned char *bytes, size_t size, size_t at) {
  struct cache_form_entry entry;
  if (at > size || sizeof entry > size - at)
    return;
  memcpy(&entry, bytes + at, sizeof entry);
  if (entry.offset > size || entry.size > size - entry.offset)
    return;
  entry.checksum = hash_bytes(bytes + entry.offset, entry.size);
  memcpy(bytes + at, &entry, sizeof entry);
}

static void checksums_correct(unsigned char *bytes, size_t size) {
  struct cache_form_header header;
  if (size < sizeof header)
    return;
  memcpy(&header, bytes, sizeof header);
  for (size_t i = 0; i < header.count && i < size; ++i)
    entry_correct(bytes, size,
                  sizeof header + i * sizeof(struct cache_form_entry));
  if (header.size < sizeof header || header.size > size)
    return;
  header.checksum = cache_form_checksum(&header, bytes + sizeof header,
                                        header.size - sizeof header);
  memcpy(bytes, &header, sizeof header);
}

static size_t characters;

/// Reads everything to its end, so that AddressSanitizer sees it.
static void look_at(const struct cache *cache,
                    const struct cache_entry *entry) {
  characters += strlen(entry->name);
  const char *name = entry->pass_names;
  for (size_t i = 0; i < entry->pass_count; ++i, name += strlen(name) + 1)
    characters += strlen(name);
  mlirplug_plugin_description *description =
      cache_describe(cache, entry, "/fuzz.so");
  for (size_t i = 0; description && i < description->pass_count; ++i) {
    const mlirplug_pass_description *pass = description->passes[i];
    characters += strlen(pass->summary) + strlen(pass->description);
    for (size_t j = 0; j < pass->option_count; ++j)
      characters += strlen(pass->options[j]->name);
  }
  mlirplug_plugin_description_destroy(description);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  unsigned char *copy = malloc(size ? size : 1);
  if (!copy)
    return 0;
  if (size)
    memcpy(copy, bytes, size);
  checksums_correct(copy, size);
  struct cache *cache = cache_open_memory("/fuzz", "", copy, size);
  for (size_t i = 0; cache && i < cache_count(cache); ++i)
    look_at(cache, cache_entry(cache, i));
  cache_release(cache);
  free(copy);
  return 0;
}
