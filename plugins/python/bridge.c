// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// python.so: the host plugin for .py files. It has no symbol of Python in it,
// so it loads wherever plugins do; Python comes with the first file.

#include "bridge.h"

#include "python_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const struct python_services *services_get(void) {
  // Functions around imports, whose addresses are known once it is loaded.
  static const struct python_services services = {
      .size = sizeof services,
      .diagnose = mlirplug_diagnose,
      .statistic_add = mlirplug_statistic_add,
      .record_write = mlirplug_record_write,
      .is_cancelled = mlirplug_is_cancelled,
      .lookup = mlirplug_lookup,
      .run_host = mlirplug_run_host,
  };
  return &services;
}

/// Puts the directory of libmlirplug, which calls this, at `place`.
static bool place_find(const mlirplug_opening *opening, char *place,
                       size_t size) {
  void *address;
  Dl_info object;
  memcpy(&address, &opening->refuse, sizeof address);
  if (!dladdr(address, &object) || !object.dli_fname ||
      object.dli_fname[0] != '/')
    return false;
  int length = snprintf(place, size, "%s", object.dli_fname);
  char *slash = strrchr(place, '/');
  if (!slash || length >= (int)size)
    return false;
  *slash = '\0';
  return true;
}

static const mlirplug_descriptor *on_open(const mlirplug_opening *opening) {
  struct complaint complaint = {0};
  char place[4096];
  const struct python_extension *extension = NULL;
  if (place_find(opening, place, sizeof place))
    extension = python_extension_get(place, &complaint);
  else
    complaint_found(&complaint, "it cannot be told where libmlirplug is");
  if (extension)
    return extension->open(opening, services_get());
  opening->refuse(opening, complaint.found,
                  *complaint.expected ? complaint.expected : NULL,
                  *complaint.remedy ? complaint.remedy : NULL);
  return NULL;
}

static const mlirplug_hosting hosting = {
    .size = sizeof hosting,
    .language = "Python",
    .suffixes = ".py",
    .open = on_open,
};

static const mlirplug_descriptor descriptor __attribute__((used)) = {
    .magic = MLIRPLUG_MAGIC,
    .size = sizeof descriptor,
    .abi_major = MLIRPLUG_ABI_MAJOR,
    .abi_minor = MLIRPLUG_TARGET_MINOR,
    .id = "org.mlirplug.python",
    .version = MLIRPLUG_SDK_VERSION,
    .sdk = MLIRPLUG_SDK_VERSION,
    .imports_begin = __start_mlirplug_imports,
    .imports_end = __stop_mlirplug_imports,
    .hosting = &hosting,
};
MLIRPLUG_STOCK_ENTRY(descriptor, "org.mlirplug.python", MLIRPLUG_SDK_VERSION)
extern __attribute__((alias("descriptor"), visibility("default")))
const mlirplug_descriptor mlirplug_plugin;
