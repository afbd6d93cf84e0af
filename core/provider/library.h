// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The object that a copy of MLIR has its C API in, and the functions there. It
// stays in the process for ever.

#ifndef MLIRPLUG_PROVIDER_LIBRARY_H
#define MLIRPLUG_PROVIDER_LIBRARY_H

#include "provider/mapped.h"
#include "provider/symtab.h"

struct library {
  const char *path; ///< Owned.
  void *handle;     ///< From dlopen.
  /// The object whose MLIR it calls without being linked to it, from dlopen;
  /// null for any other.
  void *tool;
  struct segments segments;
  /// The functions by the object's file, where it does not export them; owned.
  struct symtab *locals;
  /// The objects that make up this copy of MLIR: its own, and all that it
  /// depends on, such as libMLIR.so. Filled by library_check; owned.
  struct segments *parts;
  size_t part_count;
};

/// Loads the library at `path`, which is absolute, or finds it if it is in the
/// process already. Refuses what is no library, or has no C API, or calls
/// another copy of MLIR than it was linked for.
mlirplug_status library_open(const char *path, struct library *library,
                             mlirplug_error **error);

/// Loads the C API at `path`, which was linked to no MLIR, for the copy that
/// `code` lies in. Refuses it if its calls lead elsewhere.
mlirplug_status library_open_for(const char *path, const void *code,
                                 struct library *library,
                                 mlirplug_error **error);

/// Whether an object in the process has the C API, and where.
enum library_kind {
  LIBRARY_NONE,    ///< `reason` says why.
  LIBRARY_EXPORTS, ///< As exported functions.
  LIBRARY_LOCAL,   ///< As local ones, which its file still tells.
};

/// Looks at an object of `list`, and at its file only if `read_file`. Unless
/// the result is LIBRARY_NONE, `library` is to be released.
enum library_kind library_look(const struct mapped *object, bool read_file,
                               struct library *library,
                               struct error_buffer *reason);

/// Refuses a library whose calls of MLIR lead to another copy than it was
/// linked for; finds the parts of its own.
mlirplug_status library_check(struct library *library,
                              const struct mapped_list *list,
                              mlirplug_error **error);

/// The address of the object's own function `name`; null if it has none.
void (*library_find(const struct library *library, const char *name))(void);

void library_release(struct library *library);

#endif // MLIRPLUG_PROVIDER_LIBRARY_H
