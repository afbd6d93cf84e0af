// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host.h"
#include "pass.h"

#include <stdlib.h>
#include <string.h>

// Hosts in this process, and what was loaded into all of them. With the GIL.
static struct python_host *hosts;
static mlirplug_host *unattached;

struct loaded {
  struct loaded *next;
  enum load_kind kind;
  char path[];
};
static struct loaded *first_loaded;

//===----------------------------------------------------------------------===//
// Plugins
//===----------------------------------------------------------------------===//

/// A warning of the host, as one of Python's. Called without the GIL.
static void on_warn(const char *line, void *unused) {
  (void)unused;
  PyGILState_STATE gil = PyGILState_Ensure();
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  // Where warnings are errors, there is nobody to catch it.
  if (PyErr_WarnEx(PyExc_RuntimeWarning, line, 1) != 0)
    PyErr_WriteUnraisable(NULL);
  PyErr_Restore(type, value, traceback);
  PyGILState_Release(gil);
}

static mlirplug_status path_add(mlirplug_host *host, const char *path,
                                enum load_kind kind, mlirplug_error **error) {
  mlirplug_status status;
  Py_BEGIN_ALLOW_THREADS;
  switch (kind) {
  case LOAD_DIRECTORY:
    status = mlirplug_host_add_directory(host, path, error);
    break;
  case LOAD_PACKAGES:
    status = mlirplug_host_add_packages(host, path, error);
    break;
  default:
    status = mlirplug_host_add_plugin(host, path, NULL, error);
  }
  Py_END_ALLOW_THREADS;
  return status;
}

/// A host with what was loaded so far; null with an exception.
static mlirplug_host *plain_host_make(void) {
  const mlirplug_host_configuration configuration = {
      .size = sizeof configuration, .warn = on_warn};
  mlirplug_host *made = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_host_create(&configuration, &made, &error) != MLIRPLUG_OK) {
    module_raise(error);
    return NULL;
  }
  for (const struct loaded *loaded = first_loaded; loaded;
       loaded = loaded->next)
    if (path_add(made, loaded->path, loaded->kind, &error) != MLIRPLUG_OK) {
      module_raise(error);
      mlirplug_host_destroy(made);
      return NULL;
    }
  return made;
}

mlirplug_host *host_get_unattached(void) {
  if (!unattached)
    unattached = plain_host_make();
  return unattached;
}

static int loaded_enter(const char *path, enum load_kind kind) {
  struct loaded **end = &first_loaded;
  for (; *end; end = &(*end)->next)
    if ((*end)->kind == kind && strcmp((*end)->path, path) == 0)
      return 0;
  size_t length = strlen(path) + 1;
  struct loaded *made = calloc(1, sizeof *made + length);
  if (!made) {
    PyErr_NoMemory();
    return -1;
  }
  made->kind = kind;
  memcpy(made->path, path, length);
  *end = made;
  return 0;
}

int host_load(const char *path, enum load_kind kind) {
  mlirplug_error *error = NULL;
  mlirplug_host *first = host_get_unattached();
  if (!first)
    return -1;
  mlirplug_status status = path_add(first, path, kind, &error);
  for (struct python_host *host = hosts; host && status == MLIRPLUG_OK;
       host = host->next)
    status = path_add(host->host, path, kind, &error);
  if (status != MLIRPLUG_OK) {
    module_raise(error);
    return -1;
  }
  return loaded_enter(path, kind);
}

//===----------------------------------------------------------------------===//
// Copies of MLIR
//===----------------------------------------------------------------------===//

static mlirplug_status host_attach(mlirplug_host *host, const char *package,
                                   mlirplug_error **error) {
  mlirplug_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = package ? mlirplug_host_attach_package(host, package, error)
                   : mlirplug_host_attach_library(host, "static", error);
  Py_END_ALLOW_THREADS;
  return status;
}

static bool is_for(const struct python_host *host, const char *package) {
  return host->package && package ? strcmp(host->package, package) == 0
                                  : !host->package && !package;
}

static struct python_host *host_find(const char *package) {
  struct python_host *host = hosts;
  while (host && !is_for(host, package))
    host = host->next;
  return host;
}

struct python_host *host_get(const char *package) {
  struct python_host *found = host_find(package);
  if (found)
    return found;
  mlirplug_error *error = NULL;
  mlirplug_host *made = plain_host_make();
  if (!made)
    return NULL;
  if (host_attach(made, package, &error) != MLIRPLUG_OK) {
    module_raise(error);
    mlirplug_host_destroy(made);
    return NULL;
  }
  // Another thread may have been faster, without the GIL.
  if ((found = host_find(package))) {
    mlirplug_host_destroy(made);
    return found;
  }
  found = calloc(1, sizeof *found);
  char *name = found && package ? strdup(package) : NULL;
  if (!found || (package && !name) ||
      (package && pass_package_enter(made, package) != 0)) {
    free(name);
    free(found);
    mlirplug_host_destroy(made);
    if (!PyErr_Occurred())
      PyErr_NoMemory();
    return NULL;
  }
  *found = (struct python_host){hosts, made, name, NULL};
  hosts = found;
  return found;
}

struct ir_api *host_api(struct python_host *host) {
  mlirplug_error *error = NULL;
  if (!host->api && !(host->api = ir_api_create(host->host, &error)))
    module_raise(error);
  return host->api;
}

struct ir_api *module_default_api(void) {
  struct python_host *host = host_get(NULL);
  return host ? host_api(host) : NULL;
}

struct python_host *host_of_api(const struct ir_api *api) {
  struct python_host *host = hosts;
  while (host && host->api != api)
    host = host->next;
  if (!host)
    PyErr_SetString(PyExc_ValueError,
                    "the operation belongs to a pass that is running on it; "
                    "pipelines cannot run inside of passes");
  return host;
}
