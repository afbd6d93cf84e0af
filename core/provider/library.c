// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/library.h"

#include "find/file.h"
#include "provider/dependency.h"
#include "read/header.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPECTED "a library with the C API of MLIR"
#define NOTHING "it has no C API of MLIR"
#define REINSTALL "reinstall mlirplug, or name another one with --provider=PATH"

static mlirplug_status library_refuse(const char *path, const char *found,
                                      const char *remedy,
                                      mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot attach the provider",
                                     .subject = path,
                                     .found = found,
                                     .expected = EXPECTED,
                                     .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// All that is to be mapped is there: the system's loader does not look, and
/// touching what is missing ends the process (SIGBUS).
static mlirplug_status segments_check(const struct file *file,
                                      const Elf64_Ehdr *header,
                                      mlirplug_error **error) {
  for (unsigned i = 0; i < header->e_phnum; ++i) {
    Elf64_Phdr segment;
    uint64_t end;
    off_t offset = (off_t)(header->e_phoff + i * sizeof segment);
    if (pread(file->descriptor, &segment, sizeof segment, offset) !=
        (ssize_t)sizeof segment)
      return header_refuse_short(file->path, file->identity.size,
                                 (uint64_t)offset + sizeof segment, error);
    if (segment.p_type != PT_LOAD)
      continue;
    if (__builtin_add_overflow(segment.p_offset, segment.p_filesz, &end))
      end = UINT64_MAX;
    if (end > file->identity.size)
      return header_refuse_short(file->path, file->identity.size, end, error);
  }
  return MLIRPLUG_OK;
}

/// The file is a shared object that can be handed to the system's loader.
static mlirplug_status file_check(const char *path, mlirplug_error **error) {
  struct file file;
  Elf64_Ehdr header;
  unsigned char view[HEADER_VIEW];
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  ssize_t length = pread(file.descriptor, view, sizeof view, 0);
  mlirplug_status status =
      header_check(file.path, view, length < 0 ? 0 : (size_t)length,
                   file.identity.size, &header, error);
  if (status == MLIRPLUG_OK)
    status = segments_check(&file, &header, error);
  file_close(&file);
  return status;
}

/// The same; what is wrong with the file is said of a provider, not a plugin.
static mlirplug_status provider_check(const char *path,
                                      mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (file_check(path, &problem) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  library_refuse(path,
                 problem && problem->found ? problem->found : "out of memory",
                 REINSTALL, error);
  mlirplug_error_destroy(problem);
  return MLIRPLUG_FAILED;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void *address_find(const struct library *library, const char *name) {
  if (library->locals)
    return symtab_find(library->locals, name);
  // dlsym looks through what the object depends on too, where a C API could be
  // another copy's.
  void *address = dlsym(library->handle, name);
  return address && segments_hold(&library->segments, address, 1, PF_X)
             ? address
             : NULL;
}

void (*library_find(const struct library *library, const char *name))(void) {
  void *address = address_find(library, name);
  void (*function)(void);
  memcpy(&function, &address, sizeof function);
  return function;
}

/// Functions that every copy of the C API has, and nothing else.
static bool has_api(const struct library *library) {
  static const char *const names[] = {
      "mlirIdentifierStr", "mlirOperationGetName", "mlirRegionGetFirstBlock"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (!address_find(library, names[i]))
      return false;
  return true;
}

enum library_kind library_look(const struct mapped *object, bool read_file,
                               struct library *library,
                               struct error_buffer *reason) {
  enum library_kind kind = LIBRARY_NONE;
  *library = (struct library){.handle = mapped_open(object),
                              .segments = object->segments};
  if (!library->handle) {
    error_format(reason, "the system's loader does not give it");
    return LIBRARY_NONE;
  }
  if (has_api(library)) {
    kind = LIBRARY_EXPORTS;
  } else if (!read_file) {
    error_format(reason, "it exports no C API of MLIR");
  } else {
    struct error_buffer detail = {{0}};
    if (symtab_read(object, symtab_keep_api, &library->locals, &detail) !=
        SYMTAB_READ)
      error_format(reason, "it exports no C API of MLIR, and %s", detail.bytes);
    else if (has_api(library))
      kind = LIBRARY_LOCAL;
    else
      error_format(reason, NOTHING);
  }
  if (kind != LIBRARY_NONE) {
    library->path = strdup(object->path);
    if (library->path)
      return kind;
    error_format(reason, "out of memory");
  }
  library_release(library);
  return LIBRARY_NONE;
}

/// `code` lies in the copy of MLIR that it is to call, or is null if it was
/// linked to one.
static mlirplug_status calls_check(struct library *library,
                                   const struct mapped_list *list,
                                   const void *code, mlirplug_error **error) {
  struct error_buffer reason = {{0}};
  const struct mapped *tool = code ? mapped_at(list, code) : NULL;
  if (tool ? dependency_check_for(list, tool, library, &reason)
           : dependency_check(list, library, &reason))
    return MLIRPLUG_OK;
  return error_set(
      error, &(mlirplug_error){
                 .doing = "cannot attach the provider",
                 .subject = library->path,
                 .found = reason.bytes,
                 .expected = "the copy of MLIR that the provider was linked to",
                 .remedy = "use a provider that has MLIR inside, such as "
                           "--provider=static, or a process of its own"});
}

mlirplug_status library_check(struct library *library,
                              const struct mapped_list *list,
                              mlirplug_error **error) {
  return calls_check(library, list, NULL, error);
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

static mlirplug_status object_take(const char *path, void *handle,
                                   const void *code, struct library *library,
                                   mlirplug_error **error) {
  struct mapped_list list;
  if (mapped_list_make(&list, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = MLIRPLUG_FAILED;
  struct error_buffer reason = {NOTHING};
  const struct mapped *object = mapped_of_handle(&list, handle);
  if (!object || library_look(object, true, library, &reason) == LIBRARY_NONE) {
    library_refuse(path, reason.bytes,
                   "use another provider, such as --provider=static", error);
  } else {
    const struct mapped *tool = code ? mapped_at(&list, code) : NULL;
    library->tool = tool ? mapped_open(tool) : NULL;
    status = calls_check(library, &list, code, error);
    if (status != MLIRPLUG_OK)
      library_release(library);
  }
  mapped_list_release(&list);
  return status;
}

/// What the system's loader says against it.
static mlirplug_status loader_refuse(const char *path, const char *reason,
                                     mlirplug_error **error) {
  // Most reasons begin with the path, which the error has anyway.
  size_t length = strlen(path);
  if (strncmp(reason, path, length) == 0 &&
      strncmp(reason + length, ": ", 2) == 0)
    reason += length + 2;
  bool wants_python = strstr(reason, "undefined symbol: Py") ||
                      strstr(reason, "undefined symbol: _Py");
  return library_refuse(path, reason,
                        wants_python
                            ? "only Python can load it: import its package "
                              "there, and attach that to a host in the same "
                              "process"
                            : REINSTALL,
                        error);
}

mlirplug_status library_open(const char *path, struct library *library,
                             mlirplug_error **error) {
  return library_open_for(path, NULL, library, error);
}

mlirplug_status library_open_for(const char *path, const void *code,
                                 struct library *library,
                                 mlirplug_error **error) {
  if (provider_check(path, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    return loader_refuse(path, dlerror(), error);
  return object_take(path, handle, code, library, error);
}

void library_release(struct library *library) {
  free((char *)library->path);
  free(library->parts);
  symtab_destroy(library->locals);
  *library = (struct library){0};
}
