// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/mapped.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// Far more than any process has: glibc's search would take minutes there.
#define MOST_OBJECTS 65536

static bool segments_fill(struct segments *segments,
                          const struct dl_phdr_info *object) {
  segments->count = 0;
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    if (header->p_type != PT_LOAD)
      continue;
    if (segments->count == SEGMENTS_AT_MOST)
      return false;
    uintptr_t begin = object->dlpi_addr + header->p_vaddr;
    segments->items[segments->count].begin = begin;
    segments->items[segments->count].end = begin + header->p_memsz;
    segments->items[segments->count].flags = header->p_flags;
    ++segments->count;
  }
  return true;
}

/// The program has no name in the loader's list.
static char *path_of(const struct dl_phdr_info *object, bool is_program) {
  if (!is_program)
    return strdup(object->dlpi_name);
  char *path = realpath("/proc/self/exe", NULL);
  return path ? path : strdup("the program");
}

/// Is called for each object; a result that is not zero ends it.
static int object_visit(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  struct mapped_list *list = data;
  if (list->count == MOST_OBJECTS)
    return 1;
  struct mapped *objects =
      reallocarray(list->objects, list->count + 1, sizeof *objects);
  if (!objects)
    return 1;
  list->objects = objects;
  bool is_program = list->count == 0;
  struct mapped *made = &objects[list->count];
  *made = (struct mapped){.is_program = is_program,
                          .base = object->dlpi_addr,
                          .headers = object->dlpi_phdr,
                          .header_count = object->dlpi_phnum};
  if (!segments_fill(&made->segments, object))
    made->segments.count = 0; // one that cannot be made out holds nothing
  made->path = path_of(object, is_program);
  if (!made->path)
    return 1;
  ++list->count;
  return 0;
}

mlirplug_status mapped_list_make(struct mapped_list *list,
                                 mlirplug_error **error) {
  *list = (struct mapped_list){0};
  if (dl_iterate_phdr(object_visit, list) == 0)
    return MLIRPLUG_OK;
  mapped_list_release(list);
  return error_set_memory(error);
}

void mapped_list_release(struct mapped_list *list) {
  for (size_t i = 0; i < list->count; ++i)
    free((char *)list->objects[i].path);
  free(list->objects);
  *list = (struct mapped_list){0};
}

const struct mapped *mapped_at(const struct mapped_list *list,
                               const void *address) {
  for (size_t i = 0; i < list->count; ++i)
    if (segments_hold(&list->objects[i].segments, address, 1, 0))
      return &list->objects[i];
  return NULL;
}

const struct mapped *mapped_of_handle(const struct mapped_list *list,
                                      void *handle) {
  struct link_map *map;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
    return NULL;
  return mapped_at(list, map->l_ld);
}

void *mapped_open(const struct mapped *object) {
  return dlopen(object->is_program ? NULL : object->path,
                RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD | RTLD_NODELETE);
}
