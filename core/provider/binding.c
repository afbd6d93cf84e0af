// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/binding.h"

#include "base/segments.h"
#include "base/text.h"
#include "provider/file.h"
#include "provider/installed.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct binding {
  struct binding *next;
  void *library;            // from dlopen; never closed
  struct segments segments; // of the library
  char *version;            // "MLIR 22.1.8"
  char *path;               // that it was opened by first
  char *description;        // both
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

/// A function of the library itself; null if it has none of this name. dlsym
/// looks through what the library depends on too, where a C API could be
/// another copy's.
static void (*own_symbol_find(const struct binding *binding,
                              const char *name))(void) {
  void (*function)(void) = symbol_find(binding->library, name);
  void *address;
  memcpy(&address, &function, sizeof address);
  return address && segments_hold(&binding->segments, address, 1, PF_X)
             ? function
             : NULL;
}

static mlirplug_status api_fill(struct binding *binding, const char *path,
                                mlirplug_error **error) {
  struct provider_api *api = &binding->api;
  struct text absent = {0};
#define FILL(name)                                                             \
  {                                                                            \
    void (*function)(void) = own_symbol_find(binding, #name);                  \
    if (function)                                                              \
      api->name = (__typeof__(api->name))function;                             \
    else                                                                       \
      text_format(&absent, "%s%s", absent.length ? ", " : "", #name);          \
  }
  PROVIDER_API(FILL)
#undef FILL
  api->emit =
      (__typeof__(api->emit))own_symbol_find(binding, "mlirplugExtEmit");
  api->operation_traits = (__typeof__(api->operation_traits))own_symbol_find(
      binding, "mlirplugExtOperationTraits");
  api->operation_is_function =
      (__typeof__(api->operation_is_function))own_symbol_find(
          binding, "mlirplugExtOperationIsFunction");
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
  free(binding->path);
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
  // An object that cannot be made out has no functions of its own.
  if (!segments_find(library, &binding->segments))
    binding->segments.count = 0;
  if (api_fill(binding, path, error) != MLIRPLUG_OK) {
    binding_release(binding);
    return NULL;
  }
  binding->version = version_text(library);
  binding->path = strdup(path);
  struct text description = {0};
  text_format(&description, "%s (%s)", binding->version ? binding->version : "",
              path);
  binding->description = text_take(&description);
  if (!binding->version || !binding->path || !binding->description) {
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
  if (provider_file_check(path, error) != MLIRPLUG_OK) {
    free(path);
    return MLIRPLUG_FAILED;
  }
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
  return own_symbol_find(binding, name);
}

const struct provider_api *binding_api(const struct binding *binding) {
  return &binding->api;
}

const char *binding_description(const struct binding *binding) {
  return binding->description;
}

const char *binding_path(const struct binding *binding) {
  return binding->path;
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
