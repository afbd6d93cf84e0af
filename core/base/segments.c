// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/segments.h"

#include <dlfcn.h>
#include <string.h>

struct search {
  const struct link_map *map;
  struct segments *segments;
  bool found;
};

static bool segment_add(struct segments *segments, uintptr_t begin,
                        uintptr_t end, ElfW(Word) flags) {
  if (segments->count == SEGMENTS_AT_MOST)
    return false;
  segments->items[segments->count].begin = begin;
  segments->items[segments->count].end = end;
  segments->items[segments->count].flags = flags;
  ++segments->count;
  return true;
}

static bool object_is(const struct dl_phdr_info *object,
                      const struct link_map *map) {
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC &&
        object->dlpi_addr + object->dlpi_phdr[i].p_vaddr ==
            (uintptr_t)map->l_ld)
      return true;
  return false;
}

/// Is called for each object in the process until it returns non-zero.
static int object_visit(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  struct search *search = data;
  if (!object_is(object, search->map))
    return 0;
  search->found = true;
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    bool sealed = header->p_type == PT_GNU_RELRO;
    if (header->p_type != PT_LOAD && !sealed)
      continue;
    uintptr_t begin = object->dlpi_addr + header->p_vaddr;
    if (!segment_add(search->segments, begin, begin + header->p_memsz,
                     sealed ? PF_R : header->p_flags))
      search->found = false;
  }
  return 1;
}

bool segments_find(void *handle, struct segments *segments) {
  struct search search = {.segments = segments};
  segments->count = 0;
  struct link_map *map;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
    return false;
  search.map = map;
  dl_iterate_phdr(object_visit, &search);
  return search.found && segments->count > 0;
}

bool segments_hold(const struct segments *segments, const void *pointer,
                   size_t size, ElfW(Word) flags) {
  uintptr_t begin = (uintptr_t)pointer;
  bool held = false;
  for (size_t i = 0; i < segments->count; ++i) {
    bool inside = begin >= segments->items[i].begin &&
                  begin < segments->items[i].end &&
                  size <= segments->items[i].end - begin;
    bool touches = begin < segments->items[i].end &&
                   begin + size > segments->items[i].begin;
    bool allowed = (segments->items[i].flags & flags) == flags;
    if (touches && !allowed)
      return false;
    held = held || (inside && allowed);
  }
  return held;
}

bool segments_hold_string(const struct segments *segments, const char *string) {
  uintptr_t begin = (uintptr_t)string;
  for (size_t i = 0; i < segments->count; ++i)
    if (begin >= segments->items[i].begin && begin < segments->items[i].end)
      return memchr(string, '\0', segments->items[i].end - begin) != NULL;
  return false;
}
