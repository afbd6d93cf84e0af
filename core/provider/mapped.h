// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects in this process: the program, and the libraries that the system's
// loader has mapped, by whomever they were loaded.

#ifndef MLIRPLUG_PROVIDER_MAPPED_H
#define MLIRPLUG_PROVIDER_MAPPED_H

#include "base/error.h"
#include "base/segments.h"

struct mapped {
  const char *path; ///< As the loader knows it; of the program its file. Owned.
  bool is_program;
  uintptr_t base;             ///< What is added to the addresses in the file.
  const ElfW(Phdr) * headers; ///< In the object's own memory.
  size_t header_count;
  struct segments segments;
};

/// The objects there were when it was made, in the order of loading.
struct mapped_list {
  struct mapped *objects;
  size_t count;
};

mlirplug_status mapped_list_make(struct mapped_list *list,
                                 mlirplug_error **error);
void mapped_list_release(struct mapped_list *list);

/// The object that `address` lies in; null if none.
const struct mapped *mapped_at(const struct mapped_list *list,
                               const void *address);

/// The object behind a handle from dlopen; null if it is not in the list.
const struct mapped *mapped_of_handle(const struct mapped_list *list,
                                      void *handle);

/// A handle for the object, which stays in the process from now on; null if
/// the loader does not give one (the kernel's own object).
void *mapped_open(const struct mapped *object);

#endif // MLIRPLUG_PROVIDER_MAPPED_H
