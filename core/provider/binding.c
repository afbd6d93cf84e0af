// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/binding.h"

#include "base/text.h"
#include "provider/installed.h"
#include "provider/resolve.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct binding {
  struct binding *next;
  struct library library;
  struct resolution resolution;
  char *version;             // "MLIR 22.1.8"
  char *description;         // the same with the path
  const char *const *hidden; // what it pretends not to have; may be null
  struct provider_api api;
};

// Every copy of MLIR that was ever attached, newest first. A process-wide fact,
// since libraries and plugins are loaded once per process.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct binding *bindings;

/// A function of LLVM's, also in the LLVM that the library was linked with.
static void (*llvm_find(const struct library *library,
                        const char *name))(void) {
  void (*function)(void) = library_find(library, name);
  void *handle = library->tool ? library->tool : library->handle;
  void *found = function ? NULL : dlsym(handle, name);
  if (found)
    memcpy(&function, &found, sizeof function);
  return function;
}

/// A function of the library's own.
static void (*own_find(const void *provider, const char *name))(void) {
  const struct binding *binding = provider;
  for (const char *const *hidden = binding->hidden; hidden && *hidden; ++hidden)
    if (strcmp(*hidden, name) == 0)
      return NULL;
  return strncmp(name, "LLVM", 4) == 0 ? llvm_find(&binding->library, name)
                                       : library_find(&binding->library, name);
}

/// Fills the table with what there is.
static void api_fill(struct binding *binding) {
  struct provider_api *api = &binding->api;
#define FIND(member, name)                                                     \
  api->member = (__typeof__(api->member))resolution_find_for_core(             \
      &binding->resolution, name);
#define FILL(name) FIND(name, #name)
  PROVIDER_API(FILL)
  PROVIDER_PASS_API(FILL)
  PROVIDER_OPTIONAL_API(FILL)
  api->tries_quietly =
      !resolution_adapts(&binding->resolution, "mlirOpPassManagerAddPipeline");
  FIND(emit_warning, "mlirEmitWarning")
  FIND(emit_remark, "mlirEmitRemark")
  FIND(emit, "mlirplugExtEmit")
  FIND(emit_with_notes, "mlirplugExtEmitWithNotes")
  FIND(operation_traits, "mlirplugExtOperationTraits")
  FIND(register_pass, "mlirplugExtRegisterPass")
  FIND(has_pass, "mlirplugExtHasPass")
  FIND(watch_passes, "mlirplugExtWatchPasses")
  FIND(dump_ir, "mlirplugExtDumpIR")
  FIND(timing_create, "mlirplugExtTimingCreate")
  FIND(timing_begin, "mlirplugExtTimingBegin")
  FIND(timing_end, "mlirplugExtTimingEnd")
  FIND(timing_attach, "mlirplugExtTimingAttach")
  FIND(timing_finish, "mlirplugExtTimingFinish")
  FIND(measure, "mlirplugExtMeasure")
  FIND(last_pass, "mlirplugExtLastPass")
#undef FILL
#undef FIND
}

static mlirplug_status api_check(const struct provider_api *api,
                                 const char *path, mlirplug_error **error) {
  struct text absent = {0};
#define CHECK(name)                                                            \
  if (!api->name)                                                              \
    text_format(&absent, "%s%s", absent.length ? ", " : "", #name);
  PROVIDER_API(CHECK)
#undef CHECK
  mlirplug_status status = MLIRPLUG_OK;
  if (absent.length)
    status = error_set(
        error, &(mlirplug_error){
                   .doing = "cannot attach the provider",
                   .subject = path,
                   .found = error_text("it does not have %s", absent.bytes),
                   .expected = "a library with the C API of MLIR",
                   .remedy = "use --provider=static"});
  text_release(&absent);
  return status;
}

static void binding_release(struct binding *binding) {
  resolution_release(&binding->resolution);
  library_release(&binding->library);
  free(binding->version);
  free(binding->description);
  free(binding);
}

/// Takes `library`, whether it fails or not.
static struct binding *binding_create(struct library *library,
                                      const char *const *hidden,
                                      mlirplug_error **error) {
  struct binding *binding = calloc(1, sizeof *binding);
  if (!binding) {
    library_release(library);
    error_set_memory(error);
    return NULL;
  }
  binding->library = *library;
  *library = (struct library){0};
  binding->hidden = hidden;
  const char *path = binding->library.path;
  struct own_functions own = {own_find, binding};
  if (resolution_make(&binding->resolution, &own, path, error) != MLIRPLUG_OK) {
    binding_release(binding);
    return NULL;
  }
  api_fill(binding);
  if (api_check(&binding->api, path, error) != MLIRPLUG_OK) {
    binding_release(binding);
    return NULL;
  }
  binding->version = version_text(&binding->resolution.version);
  struct text description = {0};
  text_format(&description, "%s (%s)", binding->version ? binding->version : "",
              path);
  binding->description = text_take(&description);
  if (!binding->version || !binding->description) {
    binding_release(binding);
    error_set_memory(error);
    return NULL;
  }
  return binding;
}

/// With the lock held.
static struct binding *binding_for(struct library *library,
                                   const char *const *hidden,
                                   mlirplug_error **error) {
  for (struct binding *known = bindings; known; known = known->next)
    if (known->library.handle == library->handle && known->hidden == hidden) {
      library_release(library);
      return known;
    }
  struct binding *made = binding_create(library, hidden, error);
  if (made) {
    made->next = bindings;
    bindings = made;
  }
  return made;
}

static mlirplug_status library_bind(struct library *library,
                                    const char *const *hidden,
                                    const struct binding **binding,
                                    mlirplug_error **error) {
  pthread_mutex_lock(&lock);
  const struct binding *found = binding_for(library, hidden, error);
  pthread_mutex_unlock(&lock);
  if (!found)
    return MLIRPLUG_FAILED;
  *binding = found;
  return MLIRPLUG_OK;
}

mlirplug_status binding_take(struct library *library,
                             const struct binding **binding,
                             mlirplug_error **error) {
  return library_bind(library, NULL, binding, error);
}

mlirplug_status binding_open(const char *library,
                             const struct binding **binding,
                             mlirplug_error **error) {
  return binding_open_without(library, NULL, binding, error);
}

mlirplug_status binding_open_without(const char *library,
                                     const char *const *hidden,
                                     const struct binding **binding,
                                     mlirplug_error **error) {
  char *path = installed_provider_path(library, error);
  if (!path)
    return MLIRPLUG_FAILED;
  struct library opened;
  mlirplug_status status = library_open(path, &opened, error);
  free(path);
  return status == MLIRPLUG_OK ? library_bind(&opened, hidden, binding, error)
                               : status;
}

void (*binding_find(const struct binding *binding, const char *name))(void) {
  return resolution_find(&binding->resolution, name);
}

bool binding_has_passes(const struct binding *binding) {
  const struct provider_api *api = &binding->api;
#define HAS(name) &&api->name
  return true PROVIDER_PASS_API(HAS);
#undef HAS
}

const struct library *binding_library(const struct binding *binding) {
  return &binding->library;
}

const struct provider_api *binding_api(const struct binding *binding) {
  return &binding->api;
}

const char *binding_description(const struct binding *binding) {
  return binding->description;
}

const char *binding_path(const struct binding *binding) {
  return binding->library.path;
}

const char *binding_version(const struct binding *binding) {
  return binding->version;
}

const struct provider_api *binding_only_api(void) {
  pthread_mutex_lock(&lock);
  const struct binding *only = bindings && !bindings->next ? bindings : NULL;
  pthread_mutex_unlock(&lock);
  return only ? &only->api : NULL;
}
