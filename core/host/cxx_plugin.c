// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins of MLIR's own kind, written in C++, with passes or with dialects.
// They are made for one build of MLIR, whose C++ they call, so they can be used
// only where that very MLIR is a library of its own.

#include "host/host.h"

#include "find/trust.h"
#include "load/copy.h"
#include "load/reason.h"
#include "read/symbol.h"

#include <dlfcn.h>
#include <mlirplug/stock.h>
#include <string.h>

/// What is wanted of a plugin: passes, or dialects for `registry`.
struct cxx_request {
  const char *entry;
  void *registry; ///< Null for passes.
};

#define MLIR_LIBRARY "libMLIR.so."
#define LLVM_LIBRARY "libLLVM"

static mlirplug_status cxx_refuse(const char *path, const char *found,
                                  const char *expected, const char *remedy,
                                  mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot load the C++ plugin",
                                     .subject = path,
                                     .found = found,
                                     .expected = expected,
                                     .remedy = remedy});
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool has_prefix(const char *name, const char *prefix) {
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// libmlirplug.so serves mlir-opt by the same function.
static bool symbols_are_cxx(const struct symbol_table *symbols) {
  Elf64_Sym symbol;
  return symbol_find(symbols, "mlirGetPassPluginInfo", &symbol) &&
         !symbol_find(symbols, "mlirplug_plugin", &symbol) &&
         !symbol_find(symbols, "mlirplug_host_create", &symbol);
}

bool mlirplug_is_cxx_plugin(const char *path) {
  struct file file;
  struct image image;
  struct symbol_table symbols;
  if (file_open(path, &file, NULL) != MLIRPLUG_OK)
    return false;
  bool found = false;
  if (image_open(&file, &image, NULL) == MLIRPLUG_OK) {
    found = symbol_table_open(&image, &symbols, NULL) == MLIRPLUG_OK &&
            symbols_are_cxx(&symbols);
    image_close(&image);
  }
  file_close(&file);
  return found;
}

/// A library that the plugin is linked to is another one than `expected`.
static mlirplug_status link_refuse(const char *path, const char *linked,
                                   const char *expected,
                                   const struct binding *binding,
                                   mlirplug_error **error) {
  return cxx_refuse(
      path, error_text("it is linked to %s", linked),
      error_text("%s, which %s is in", expected, binding_version(binding)),
      "compile it against the headers of that MLIR, or use it with the tools "
      "of its own",
      error);
}

/// Refuses a plugin that was linked to another MLIR than `library`, a path.
/// `*is_linked` tells whether it was linked to one.
static mlirplug_status linkage_check(const char *path,
                                     const struct symbol_table *symbols,
                                     const char *library,
                                     const struct binding *binding,
                                     bool *is_linked, mlirplug_error **error) {
  const struct image *image = symbols->image;
  const char *expected = name_of(library);
  *is_linked = false;
  for (size_t i = 0; i < image->dynamic_count; ++i) {
    if (image->dynamic[i].d_tag != DT_NEEDED)
      continue;
    struct error_buffer buffer;
    const char *needed =
        symbol_text(symbols, image->dynamic[i].d_un.d_val, &buffer);
    if (!has_prefix(needed, MLIR_LIBRARY))
      continue;
    if (strcmp(needed, expected) != 0)
      return link_refuse(path, needed, expected, binding, error);
    *is_linked = true;
  }
  return MLIRPLUG_OK;
}

static mlirplug_status file_check(const struct file *file, const char *library,
                                  const struct binding *binding,
                                  bool *is_linked, mlirplug_error **error) {
  struct image image;
  struct symbol_table symbols;
  if (image_open(file, &image, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = symbol_table_open(&image, &symbols, error);
  if (status == MLIRPLUG_OK)
    status =
        linkage_check(file->path, &symbols, library, binding, is_linked, error);
  image_close(&image);
  return status;
}

//===----------------------------------------------------------------------===//
// The MLIR
//===----------------------------------------------------------------------===//

/// Whether the object is part of the copy of MLIR.
static bool is_part(const struct library *library,
                    const struct mapped *object) {
  for (size_t i = 0; i < library->part_count; ++i)
    if (segments_hold(&library->parts[i], object->headers, 1, PF_R))
      return true;
  return false;
}

/// The library of that kind which the copy of MLIR is in; null if it is in
/// none.
static const struct mapped *library_find_part(const struct library *library,
                                              const struct mapped_list *list,
                                              const char *prefix) {
  for (size_t i = 0; i < list->count; ++i)
    if (has_prefix(name_of(list->objects[i].path), prefix) &&
        is_part(library, &list->objects[i]))
      return &list->objects[i];
  return NULL;
}

/// Lets the plugin find MLIR's symbols, which it was not linked to.
static void library_show(const struct mapped *object) {
  if (object)
    (void)dlopen(object->path, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static mlirplug_status file_trust(const mlirplug_host *host,
                                  const struct file *file,
                                  mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (trust_check(file, TRUST_NAMED, &problem) != MLIRPLUG_OK &&
      host_decide_trust(host, problem, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return MLIRPLUG_OK;
}

static void *object_load(const mlirplug_host *host, const struct file *file,
                         mlirplug_error **error) {
  if (host->demands)
    return copy_load(file, host->demands, error);
  void *handle = dlopen(file->path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    (void)loader_refuse(file->path, file->path, dlerror(), error);
  return handle;
}

/// The plugin's own function of that name, such as mlirGetPassPluginInfo; null
/// if it has none in memory. Those for dialects return the same.
static mlirplug_stock_information (*entry_find(void *handle,
                                               const char *name))(void) {
  mlirplug_stock_information (*entry)(void) = NULL;
  struct segments segments;
  void *found = dlsym(handle, name);
  if (found && segments_find(handle, &segments) &&
      segments_hold(&segments, found, 1, PF_X))
    memcpy(&entry, &found, sizeof entry);
  return entry;
}

static mlirplug_status plugin_begin(const mlirplug_host *host,
                                    const struct file *file, void *handle,
                                    const struct cxx_request *request,
                                    mlirplug_error **error) {
  mlirplug_stock_information (*entry)(void) =
      entry_find(handle, request->entry);
  if (!entry && request->registry)
    return cxx_refuse(file->path, error_text("it has no %s", request->entry),
                      "a dialect plugin of MLIR",
                      "for passes: --load-pass-plugin", error);
  if (!entry)
    return cxx_refuse(file->path,
                      error_text("its %s is not in memory", request->entry),
                      NULL, "load it again; if that fails, rebuild it", error);
  mlirplug_stock_information information = entry();
  if (information.api_version != 1 || !information.register_passes)
    return cxx_refuse(file->path,
                      error_text("its plugin interface has the version %u",
                                 (unsigned)information.api_version),
                      "1, as MLIR_PLUGIN_API_VERSION is up to 22", "rebuild it",
                      error);
  host_log(host, "C++ plugin %s: %s %s, for %s", file->path,
           information.name ? information.name : "(no name)",
           information.version ? information.version : "(no version)",
           binding_description(host->binding));
  if (request->registry)
    ((void (*)(void *))information.register_passes)(request->registry);
  else
    information.register_passes();
  return MLIRPLUG_OK;
}

/// The MLIR is in no library of its own.
static mlirplug_status library_refuse(const char *path,
                                      const struct binding *binding,
                                      const struct cxx_request *request,
                                      mlirplug_error **error) {
  const char *description = binding_description(binding);
  if (request->registry)
    return cxx_refuse(
        path, error_text("%s has no C++ that a plugin could call", description),
        "an MLIR that is a library of its own, as for mlir-opt",
        "use --provider=shared", error);
  return cxx_refuse(
      path,
      error_text("by its symbol mlirGetPassPluginInfo it is an MLIR pass "
                 "plugin written in C++, and %s has no C++ that one could call",
                 description),
      "an MLIR that is a library of its own",
      "use --provider=shared, or give it to mlir-opt of the same build with "
      "--load-pass-plugin=FILE",
      error);
}

/// With the parts of the host's MLIR among `list`.
static mlirplug_status file_load(const mlirplug_host *host,
                                 const struct file *file,
                                 const struct mapped_list *list,
                                 const struct cxx_request *request,
                                 mlirplug_error **error) {
  const struct library *library = binding_library(host->binding);
  const struct mapped *mlir = library_find_part(library, list, MLIR_LIBRARY);
  bool is_linked;
  if (!mlir)
    return library_refuse(file->path, host->binding, request, error);
  if (file_check(file, mlir->path, host->binding, &is_linked, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!is_linked) {
    library_show(library_find_part(library, list, LLVM_LIBRARY));
    library_show(mlir);
  }
  void *handle = object_load(host, file, error);
  return handle ? plugin_begin(host, file, handle, request, error)
                : MLIRPLUG_FAILED;
}

static mlirplug_status cxx_load(const mlirplug_host *host, const char *path,
                                const struct cxx_request *request,
                                mlirplug_error **error) {
  struct file file;
  struct mapped_list list;
  if (!host->binding)
    return cxx_refuse(path, "no provider is attached", NULL,
                      "call mlirplug_host_attach_library first", error);
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = file_trust(host, &file, error);
  if (status == MLIRPLUG_OK)
    status = mapped_list_make(&list, error);
  if (status == MLIRPLUG_OK) {
    status = file_load(host, &file, &list, request, error);
    mapped_list_release(&list);
  }
  file_close(&file);
  return status;
}

mlirplug_status mlirplug_host_load_cxx_plugin(const mlirplug_host *host,
                                              const char *path,
                                              mlirplug_error **error) {
  const struct cxx_request request = {.entry = "mlirGetPassPluginInfo"};
  return cxx_load(host, path, &request, error);
}

mlirplug_status mlirplug_host_load_dialect_plugin(const mlirplug_host *host,
                                                  const char *path,
                                                  MlirDialectRegistry registry,
                                                  mlirplug_error **error) {
  const struct cxx_request request = {.entry = "mlirGetDialectPluginInfo",
                                      .registry = registry.ptr};
  return cxx_load(host, path, &request, error);
}
