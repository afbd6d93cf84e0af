// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/binding.h"

#include "base/text.h"
#include "provider/installed.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct binding {
  struct binding *next;
  void *library;     // from dlopen; never closed
  char *version;     // "MLIR 22.1.8"
  char *description; // the same with the path
  struct provider_api api;
};

// Every copy of MLIR that was ever attached, newest first. A process-wide fact,
// since libraries and plugins are loaded once per process.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct binding *bindings;

static void (*symbol_find(void *library, const char *name))(void) {
  void *found = dlsym(library, name);
  void (*function)(void);
  memcpy(&function, &found, sizeof function);
  return function;
}

/// True if `function` lies in the library itself. dlsym looks through what the
/// library depends on too, where a C API could be another copy's.
static bool symbol_is_own(void *library, void (*function)(void)) {
  Dl_info information;
  struct link_map *owner;
  void *address;
  memcpy(&address, &function, sizeof address);
  return dladdr1(address, &information, (void **)&owner, RTLD_DL_LINKMAP) &&
         owner == library; // glibc's handles are link maps
}

static mlirplug_status api_fill(struct provider_api *api, void *library,
                                const char *path, mlirplug_error **error) {
  struct text absent = {0};
#define FILL(name)                                                             \
  {                                                                            \
    void (*function)(void) = symbol_find(library, #name);                      \
    if (function && symbol_is_own(library, function))                          \
      api->name = (__typeof__(api->name))function;                             \
    else                                                                       \
      text_format(&absent, "%s%s", absent.length ? ", " : "", #name);          \
  }
  PROVIDER_API(FILL)
#undef FILL
  api->emit = (__typeof__(api->emit))symbol_find(library, "mlirplugExtEmit");
  api->operation_traits = (__typeof__(api->operation_traits))symbol_find(
      library, "mlirplugExtOperationTraits");
  api->operation_is_function =
      (__typeof__(api->operation_is_function))symbol_find(
          library, "mlirplugExtOperationIsFunction");
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

/// "MLIR 22.1.8" by LLVM's own word, "MLIR of unknown version" without it.
static char *version_text(void *library) {
  typedef void (*version_function)(unsigned *, unsigned *, unsigned *);
  version_function get_version =
      (version_function)symbol_find(library, "LLVMGetVersion");
  struct text text = {0};
  unsigned major, minor, patch;
  if (get_version) {
    get_version(&major, &minor, &patch);
    text_format(&text, "MLIR %u.%u.%u", major, minor, patch);
  } else {
    text_add(&text, "MLIR of unknown version");
  }
  return text_take(&text);
}

static void binding_release(struct binding *binding) {
  free(binding->version);
  free(binding->description);
  free(binding);
}

static struct binding *binding_create(void *library, const char *path,
                                      mlirplug_error **error) {
  struct binding *binding = calloc(1, sizeof *binding);
  if (!binding) {
    error_set_memory(error);
    return NULL;
  }
  binding->library = library;
  if (api_fill(&binding->api, library, path, error) != MLIRPLUG_OK) {
    binding_release(binding);
    return NULL;
  }
  binding->version = version_text(library);
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
static struct binding *binding_for(void *library, const char *path,
                                   mlirplug_error **error) {
  for (struct binding *known = bindings; known; known = known->next)
    if (known->library == library)
      return known;
  struct binding *made = binding_create(library, path, error);
  if (made) {
    made->next = bindings;
    bindings = made;
  }
  return made;
}

mlirplug_status binding_open(const char *library,
                             const struct binding **binding,
                             mlirplug_error **error) {
  char *path = installed_provider_path(library, error);
  if (!path)
    return MLIRPLUG_FAILED;
  mlirplug_status status = MLIRPLUG_FAILED;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) {
    error_set(error, &(mlirplug_error){
                         .doing = "cannot attach the provider",
                         .subject = path,
                         .found = dlerror(),
                         .expected = "a library with the C API of MLIR",
                         .remedy = "reinstall mlirplug, or name another one "
                                   "with --provider=PATH"});
  } else {
    pthread_mutex_lock(&lock);
    const struct binding *found = binding_for(handle, path, error);
    pthread_mutex_unlock(&lock);
    if (found) {
      *binding = found;
      status = MLIRPLUG_OK;
    }
  }
  free(path);
  return status;
}

void (*binding_find(const struct binding *binding, const char *name))(void) {
  void (*function)(void) = symbol_find(binding->library, name);
  return function && symbol_is_own(binding->library, function) ? function
                                                               : NULL;
}

const struct provider_api *binding_api(const struct binding *binding) {
  return &binding->api;
}

const char *binding_description(const struct binding *binding) {
  return binding->description;
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
