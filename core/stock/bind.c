// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C API for the copy of MLIR that a tool has.

#include "base/location.h"
#include "provider/version.h"
#include "stock/tool.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static mlirplug_status bind_refuse(const struct tool *tool, const char *found,
                                   const char *expected, const char *remedy,
                                   mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){.doing = "cannot run passes on the MLIR of",
                               .subject = tool->path,
                               .found = found,
                               .expected = expected,
                               .remedy = remedy});
}

static const void *tool_code(const struct tool *tool) {
  const void *code;
  memcpy(&code, &tool->register_pipeline, sizeof code);
  return code;
}

/// LLVM's major version by LLVMGetVersion of the LLVM that the object uses.
static unsigned llvm_version(const struct mapped *object) {
  void *handle = mapped_open(object);
  void *address = handle ? dlsym(handle, "LLVMGetVersion") : NULL;
  void (*get_version)(unsigned *, unsigned *, unsigned *);
  unsigned major = 0, minor = 0, patch = 0;
  if (!address)
    return 0;
  memcpy(&get_version, &address, sizeof address);
  get_version(&major, &minor, &patch);
  return major;
}

/// Whether the object's LLVM keeps more in its objects than releases do, as
/// builds with assertions do unless they are told not to.
static bool has_checks(const struct mapped *object) {
  void *handle = mapped_open(object);
  return handle && dlsym(handle, "_ZN4llvm23EnableABIBreakingChecksE");
}

/// The path of the C API for such an MLIR; null with an error if it cannot be
/// told. Freed by the caller.
static char *api_path(unsigned version, bool checks, mlirplug_error **error) {
  char *directory = location_of_core();
  char *path = NULL;
  if (!directory || asprintf(&path, "%smlirplug/libmlirplug-ir%u%s.so",
                             directory, version, checks ? "-checks" : "") < 0)
    path = NULL;
  free(directory);
  if (!path)
    error_set_memory(error);
  return path;
}

#define LINK_API                                                               \
  "link it from the libMLIRCAPI*.a of that MLIR, see docs/stock-tools.md"

/// Makes what is wrong with the C API at `path` an error of the tool's.
static mlirplug_status api_refuse(const struct tool *tool, const char *path,
                                  mlirplug_error *problem,
                                  mlirplug_error **error) {
  const char *found = problem->found ? problem->found : problem->message;
  bind_refuse(tool, error_text("'%s' does not fit it: %s", path, found),
              "the C API of this very build", LINK_API, error);
  mlirplug_error_destroy(problem);
  return MLIRPLUG_FAILED;
}

static mlirplug_status file_bind(const struct tool *tool, const char *path,
                                 const struct binding **binding,
                                 mlirplug_error **error) {
  struct library library;
  mlirplug_error *problem = NULL;
  if (library_open_for(path, tool_code(tool), &library, &problem) !=
          MLIRPLUG_OK ||
      binding_take(&library, binding, &problem) != MLIRPLUG_OK)
    return api_refuse(tool, path, problem, error);
  return MLIRPLUG_OK;
}

/// A C API that calls the tool's MLIR. `own` is why that has none itself.
static mlirplug_status api_open(const struct tool *tool,
                                const struct mapped *object, const char *own,
                                const struct binding **binding,
                                mlirplug_error **error) {
  unsigned version = llvm_version(object);
  if (!version)
    return bind_refuse(tool,
                       error_text("%s, and no LLVMGetVersion tells which "
                                  "version of MLIR it is",
                                  own),
                       "a tool whose MLIR has the C API, or tells its version",
                       "run the plugin with 'mlirplug opt'", error);
  bool checks = has_checks(object);
  char *path = api_path(version, checks, error);
  if (!path)
    return MLIRPLUG_FAILED;
  mlirplug_status status =
      access(path, F_OK) == 0
          ? file_bind(tool, path, binding, error)
          : bind_refuse(tool,
                        error_text("it is MLIR %u%s; %s, and there is no '%s'",
                                   version,
                                   checks ? " with ABI-breaking checks" : "",
                                   own, path),
                        "the C API for it", LINK_API, error);
  free(path);
  return status;
}

static mlirplug_status object_bind(const struct tool *tool,
                                   const struct mapped_list *list,
                                   const struct binding **binding,
                                   mlirplug_error **error) {
  const struct mapped *object = mapped_at(list, tool_code(tool));
  struct library library;
  struct error_buffer own = {{0}};
  if (!object)
    return bind_refuse(tool, "it is not in the process any more", NULL, NULL,
                       error);
  if (library_look(object, true, &library, &own) == LIBRARY_NONE)
    return api_open(tool, object, own.bytes, binding, error);
  if (library_check(&library, list, error) == MLIRPLUG_OK)
    return binding_take(&library, binding, error);
  library_release(&library);
  return MLIRPLUG_FAILED;
}

/// What passes need beyond what every binding has.
static mlirplug_status binding_check(const struct tool *tool,
                                     const struct binding *binding,
                                     mlirplug_error **error) {
  if (binding_has_passes(binding) &&
      binding_find(binding, "mlirPrintPassPipeline"))
    return MLIRPLUG_OK;
  return bind_refuse(
      tool,
      error_text("the C API of %s takes no passes", binding_version(binding)),
      "mlirCreateExternalPass and its kin",
      "run the plugin with 'mlirplug opt'", error);
}

mlirplug_status tool_bind(const struct tool *tool,
                          const struct binding **binding,
                          mlirplug_error **error) {
  struct mapped_list list;
  const struct binding *found = NULL;
  if (mapped_list_make(&list, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = object_bind(tool, &list, &found, error);
  mapped_list_release(&list);
  if (status != MLIRPLUG_OK || binding_check(tool, found, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  *binding = found;
  return MLIRPLUG_OK;
}
