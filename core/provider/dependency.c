// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/dependency.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#if defined(__x86_64__)
#define JUMP_SLOT R_X86_64_JUMP_SLOT
#elif defined(__aarch64__)
#define JUMP_SLOT R_AARCH64_JUMP_SLOT
#else
#error "add this machine here"
#endif

//===----------------------------------------------------------------------===//
// The dynamic section, in memory
//===----------------------------------------------------------------------===//

/// What is needed of it; null or zero where it has none.
struct dynamic {
  const ElfW(Dyn) * entries;
  const char *strings;
  const ElfW(Sym) * symbols;
  const ElfW(Rela) * calls; ///< Relocations of the table of called functions.
  size_t call_count;
  const char *soname;
};

/// The address that an entry gives. The loader adds the base there, but not
/// everywhere.
static const void *entry_address(const struct mapped *object,
                                 const ElfW(Dyn) * entry) {
  uintptr_t address = entry->d_un.d_ptr;
  return (const void *)(address < object->base ? address + object->base
                                               : address);
}

static const ElfW(Dyn) * entries_of(const struct mapped *object) {
  for (size_t i = 0; i < object->header_count; ++i)
    if (object->headers[i].p_type == PT_DYNAMIC)
      return (const ElfW(Dyn) *)(object->base + object->headers[i].p_vaddr);
  return NULL;
}

static struct dynamic dynamic_read(const struct mapped *object) {
  struct dynamic dynamic = {.entries = entries_of(object)};
  size_t soname = 0;
  for (const ElfW(Dyn) *entry = dynamic.entries;
       entry && entry->d_tag != DT_NULL; ++entry)
    switch (entry->d_tag) {
    case DT_STRTAB:
      dynamic.strings = entry_address(object, entry);
      break;
    case DT_SYMTAB:
      dynamic.symbols = entry_address(object, entry);
      break;
    case DT_JMPREL:
      dynamic.calls = entry_address(object, entry);
      break;
    case DT_PLTRELSZ:
      dynamic.call_count = entry->d_un.d_val / sizeof(ElfW(Rela));
      break;
    case DT_SONAME:
      soname = entry->d_un.d_val;
      break;
    default:
      break;
    }
  if (dynamic.strings && soname)
    dynamic.soname = dynamic.strings + soname;
  return dynamic;
}

//===----------------------------------------------------------------------===//
// Who is called
//===----------------------------------------------------------------------===//

/// A C++ function of MLIR or LLVM.
static bool name_is_llvm(const char *name) {
  static const char *const prefixes[] = {"_ZN4mlir", "_ZNK4mlir", "_ZN4llvm",
                                         "_ZNK4llvm"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

/// Where the call that `relocation` is for leads to, if it is one to MLIR or
/// LLVM that the object does not have itself; null if not.
static const void *call_target(const struct mapped *object,
                               const struct dynamic *dynamic,
                               const ElfW(Rela) * relocation) {
  if (ELF64_R_TYPE(relocation->r_info) != JUMP_SLOT)
    return NULL;
  const ElfW(Sym) *symbol = &dynamic->symbols[ELF64_R_SYM(relocation->r_info)];
  if (symbol->st_shndx != SHN_UNDEF ||
      !name_is_llvm(dynamic->strings + symbol->st_name))
    return NULL;
  const void *target;
  memcpy(&target, (const void *)(object->base + relocation->r_offset),
         sizeof target);
  return target;
}

//===----------------------------------------------------------------------===//
// Who should be called
//===----------------------------------------------------------------------===//

static bool is_file(const char *path, const struct stat *file) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_dev == file->st_dev &&
         status.st_ino == file->st_ino;
}

/// The file that the loader finds as `name` for the object behind `handle` when
/// nothing of that name is in the process; null if that cannot be told. Freed
/// by the caller.
static char *file_find(void *handle, const char *name) {
  Dl_serinfo size;
  char *path = NULL;
  if (strchr(name, '/'))
    return strdup(name);
  if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) != 0)
    return NULL;
  Dl_serinfo *search = malloc(size.dls_size);
  if (!search)
    return NULL;
  *search = size;
  if (dlinfo(handle, RTLD_DI_SERINFO, search) == 0)
    for (unsigned i = 0; i < search->dls_cnt && !path; ++i) {
      struct stat status;
      if (asprintf(&path, "%s/%s", search->dls_serpath[i].dls_name, name) < 0)
        path = NULL;
      else if (stat(path, &status) != 0) {
        free(path);
        path = NULL;
      }
    }
  free(search);
  return path;
}

static bool object_is_named(const struct mapped *object, const char *name) {
  struct dynamic dynamic = dynamic_read(object);
  const char *slash = strrchr(object->path, '/');
  return (dynamic.soname && strcmp(dynamic.soname, name) == 0) ||
         strcmp(slash ? slash + 1 : object->path, name) == 0 ||
         strcmp(object->path, name) == 0;
}

struct search {
  const struct mapped_list *list;
  const struct mapped *wanted;
  bool *visited; ///< One for each object.
  char *file;    ///< That should be in the place of `wanted`; null if unknown.
};

/// Whether `from` depends on the wanted object, directly or through others.
static bool dependency_find(struct search *search, const struct mapped *from) {
  bool *visited = &search->visited[from - search->list->objects];
  if (*visited)
    return false;
  *visited = true;
  struct dynamic dynamic = dynamic_read(from);
  for (const ElfW(Dyn) *entry = dynamic.entries;
       entry && dynamic.strings && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED)
      continue;
    const char *name = dynamic.strings + entry->d_un.d_val;
    if (object_is_named(search->wanted, name)) {
      void *handle = mapped_open(from);
      search->file = handle ? file_find(handle, name) : NULL;
      return true;
    }
    for (size_t i = 0; i < search->list->count; ++i)
      if (object_is_named(&search->list->objects[i], name) &&
          dependency_find(search, &search->list->objects[i]))
        return true;
  }
  return false;
}

/// Whether `owner` is the file that `object` should call.
static bool owner_is_right(const struct mapped_list *list,
                           const struct mapped *object,
                           const struct mapped *owner,
                           struct error_buffer *reason) {
  struct search search = {.list = list,
                          .wanted = owner,
                          .visited = calloc(list->count, sizeof(bool))};
  struct stat file;
  bool right = false;
  if (!search.visited)
    error_format(reason, "out of memory");
  else if (!dependency_find(&search, object))
    error_format(reason,
                 "its calls of MLIR lead to '%s', which it does not depend on",
                 owner->path);
  else if (search.file && stat(search.file, &file) == 0 &&
           !is_file(owner->path, &file))
    error_format(reason,
                 "it is linked to '%s', but its calls lead to '%s', which was "
                 "loaded before",
                 search.file, owner->path);
  else
    right = true;
  free(search.visited);
  free(search.file);
  return right;
}

/// Marks `from` and all that it depends on.
static void dependencies_mark(const struct mapped_list *list,
                              const struct mapped *from, bool *marked) {
  if (marked[from - list->objects])
    return;
  marked[from - list->objects] = true;
  struct dynamic dynamic = dynamic_read(from);
  for (const ElfW(Dyn) *entry = dynamic.entries;
       entry && dynamic.strings && entry->d_tag != DT_NULL; ++entry)
    for (size_t i = 0; entry->d_tag == DT_NEEDED && i < list->count; ++i)
      if (object_is_named(&list->objects[i],
                          dynamic.strings + entry->d_un.d_val))
        dependencies_mark(list, &list->objects[i], marked);
}

/// Makes the object, and `tool` unless it is null, and all that they depend on
/// the library's parts.
static bool parts_fill(const struct mapped_list *list,
                       const struct mapped *object, const struct mapped *tool,
                       struct library *library) {
  bool *marked = calloc(list->count, sizeof *marked);
  library->parts = calloc(list->count, sizeof *library->parts);
  if (marked && library->parts) {
    dependencies_mark(list, object, marked);
    if (tool) {
      dependencies_mark(list, tool, marked);
      marked[0] = true; // the program, which the loader asks first
    }
    for (size_t i = 0; i < list->count; ++i)
      if (marked[i])
        library->parts[library->part_count++] = list->objects[i].segments;
  }
  free(marked);
  return library->part_count > 0;
}

/// Whether all calls lead where they should.
static bool calls_check(const struct mapped_list *list,
                        const struct mapped *object,
                        struct error_buffer *reason) {
  struct dynamic dynamic = dynamic_read(object);
  if (!dynamic.strings || !dynamic.symbols || !dynamic.calls)
    return true;
  const struct mapped *right = object; // the last one that was found right
  for (size_t i = 0; i < dynamic.call_count; ++i) {
    const void *target = call_target(object, &dynamic, &dynamic.calls[i]);
    if (!target || segments_hold(&right->segments, target, 1, 0) ||
        segments_hold(&object->segments, target, 1, 0))
      continue;
    const struct mapped *owner = mapped_at(list, target);
    if (owner && !owner_is_right(list, object, owner, reason))
      return false;
    if (owner)
      right = owner;
  }
  return true;
}

bool dependency_check(const struct mapped_list *list, struct library *library,
                      struct error_buffer *reason) {
  const struct mapped *object = mapped_of_handle(list, library->handle);
  if (!object)
    return true;
  if (parts_fill(list, object, NULL, library))
    return calls_check(list, object, reason);
  error_format(reason, "out of memory");
  return false;
}

static bool parts_hold(const struct library *library, const void *address) {
  for (size_t i = 0; i < library->part_count; ++i)
    if (segments_hold(&library->parts[i], address, 1, 0))
      return true;
  return false;
}

bool dependency_check_for(const struct mapped_list *list,
                          const struct mapped *tool, struct library *library,
                          struct error_buffer *reason) {
  const struct mapped *object = mapped_of_handle(list, library->handle);
  if (!object || !parts_fill(list, object, tool, library)) {
    error_format(reason, "out of memory");
    return false;
  }
  struct dynamic dynamic = dynamic_read(object);
  for (size_t i = 0; dynamic.strings && dynamic.symbols && dynamic.calls &&
                     i < dynamic.call_count;
       ++i) {
    const void *target = call_target(object, &dynamic, &dynamic.calls[i]);
    if (!target || parts_hold(library, target))
      continue;
    const struct mapped *owner = mapped_at(list, target);
    error_format(reason, "its calls of MLIR lead to '%s', not to '%s'",
                 owner ? owner->path : "nowhere", tool->path);
    return false;
  }
  return true;
}
