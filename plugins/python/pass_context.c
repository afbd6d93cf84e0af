// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All under the GIL.

#include "pass.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT_KEY "mlirOperationGetName"

/// The functions of a copy of MLIR that passes run on. What it goes by is the
/// address of one of them: copies of MLIR are never unloaded.
struct known_api {
  struct known_api *next;
  mlirplug_address key;
  struct ir_api *api;
};

struct pass_context {
  struct pass_context *next;
  MlirContext context;
  mlirplug_address key;
  PyObject *object; ///< The Context.
  size_t users;
};

/// A Python package whose modules a host's pipelines run on.
struct package {
  struct package *next;
  const mlirplug_host *host;
  char *name;         ///< "jaxlib.mlir"
  char *capsule_name; ///< "jaxlib.mlir.ir.Operation._CAPIPtr", for ever.
  PyObject *operation_class;
};

static struct known_api *apis;
static struct pass_context *contexts;
static struct package *packages;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

static struct ir_api *api_get(mlirplug_host *host, mlirplug_address key) {
  for (const struct known_api *known = apis; known; known = known->next)
    if (known->key == key)
      return known->api;
  mlirplug_error *error = NULL;
  struct ir_api *api = ir_api_create(host, &error);
  struct known_api *made = api ? malloc(sizeof *made) : NULL;
  if (!made) {
    ir_api_release(api);
    if (api)
      PyErr_NoMemory();
    else
      module_raise(error);
    return NULL;
  }
  *made = (struct known_api){apis, key, api};
  apis = made;
  return api;
}

static struct pass_context *
context_get(mlirplug_host *host, mlirplug_address key, MlirContext context) {
  for (struct pass_context *known = contexts; known; known = known->next)
    if (known->context.ptr == context.ptr && known->key == key)
      return pass_context_retain(known);
  struct ir_api *api = api_get(host, key);
  PyObject *object = api ? ir_context_wrap(api, context) : NULL;
  if (!object)
    return NULL;
  struct pass_context *made = malloc(sizeof *made);
  if (!made) {
    Py_DECREF(object);
    PyErr_NoMemory();
    return NULL;
  }
  *made = (struct pass_context){contexts, context, key, object, 1};
  contexts = made;
  return made;
}

struct pass_context *pass_context_get(const mlirplug_run *run,
                                      MlirContext context) {
  const struct python_services *services = pass_of(run)->services;
  return context_get(services->run_host(run),
                     services->lookup(run, CONTEXT_KEY), context);
}

struct pass_context *pass_context_get_for(mlirplug_host *host,
                                          MlirContext context) {
  mlirplug_import import = {CONTEXT_KEY, NULL};
  mlirplug_error *error = NULL;
  if (mlirplug_host_bind(host, &import, &import + 1, &error) == MLIRPLUG_OK)
    return context_get(host, import.function, context);
  module_raise(error);
  return NULL;
}

struct pass_context *pass_context_retain(struct pass_context *context) {
  if (context)
    ++context->users;
  return context;
}

void pass_context_release(struct pass_context *context) {
  if (!context || --context->users)
    return;
  struct pass_context **link = &contexts;
  while (*link != context)
    link = &(*link)->next;
  *link = context->next;
  // From now on its owner may destroy it.
  ir_context_close(context->object);
  Py_DECREF(context->object);
  free(context);
}

MlirContext pass_context_mlir(const struct pass_context *context) {
  return context->context;
}

PyObject *pass_context_object(const struct pass_context *context) {
  return context->object;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

int pass_package_enter(const mlirplug_host *host, const char *package) {
  struct package *made = calloc(1, sizeof *made);
  char *name = made ? strdup(package) : NULL;
  if (!name ||
      asprintf(&made->capsule_name, "%s.ir.Operation._CAPIPtr", package) < 0) {
    free(name);
    free(made);
    PyErr_NoMemory();
    return -1;
  }
  made->name = name;
  made->host = host;
  made->next = packages;
  packages = made;
  return 0;
}

/// Operation of the package's module `ir`, borrowed.
static PyObject *class_get(struct package *package) {
  if (package->operation_class)
    return package->operation_class;
  PyObject *name = PyUnicode_FromFormat("%s.ir", package->name);
  PyObject *module = name ? PyImport_Import(name) : NULL;
  if (module)
    package->operation_class = PyObject_GetAttrString(module, "Operation");
  Py_XDECREF(module);
  Py_XDECREF(name);
  return package->operation_class;
}

PyObject *pass_package_operation(const mlirplug_run *run, MlirOperation root) {
  const mlirplug_host *host = pass_of(run)->services->run_host(run);
  struct package *package = packages;
  while (package && package->host != host)
    package = package->next;
  if (!package) {
    PyErr_Format(
        PyExc_TypeError,
        "pass '%s' wants objects of the Python package whose module it "
        "runs on, and it does not run on one; run it by mlirplug.run, "
        "or leave objects=\"package\" out",
        run->pass->name);
    return NULL;
  }
  PyObject *class = class_get(package);
  PyObject *capsule =
      class ? PyCapsule_New(root.ptr, package->capsule_name, NULL) : NULL;
  PyObject *made =
      capsule ? PyObject_CallMethod(class, "_CAPICreate", "O", capsule) : NULL;
  Py_XDECREF(capsule);
  return made;
}
