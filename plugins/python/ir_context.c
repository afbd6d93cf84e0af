// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Context.

#include "ir_object.h"

#include "ir_diagnostic.h"

#include <pythread.h>

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

static struct ir_context *context_new(struct ir_types *types,
                                      PyTypeObject *class, struct ir_api *api,
                                      MlirContext handle, bool owned) {
  struct ir_context *context = ir_object_new(class);
  if (!context)
    return NULL;
  context->types = types;
  context->api = ir_api_retain(api);
  context->context = handle;
  context->alive = true;
  context->threaded = true;
  context->own = ir_scope_new(context);
  if (!context->own) {
    context->alive = false;
    Py_DECREF(context);
    return NULL;
  }
  context->owned = owned;
  context->next = types->contexts;
  types->contexts = context;
  return context;
}

PyObject *ir_context_wrap(struct ir_api *api, MlirContext handle) {
  struct ir_types *types = module_ir_types();
  for (struct ir_context *context = types->contexts; context;
       context = context->next)
    if (context->alive && context->context.ptr == handle.ptr) {
      Py_INCREF(context);
      return (PyObject *)context;
    }
  return (PyObject *)context_new(types, types->context, api, handle, false);
}

/// With nothing more in it than in upstream's: all dialects, and all passes.
static bool context_fill(struct ir_api *api, MlirContext handle) {
  if (!IR_NEED(api, mlirRegisterAllDialects) ||
      !IR_NEED(api, mlirDialectRegistryCreate))
    return false;
  MlirDialectRegistry registry = api->mlirDialectRegistryCreate();
  api->mlirRegisterAllDialects(registry);
  api->mlirContextAppendDialectRegistry(handle, registry);
  api->mlirDialectRegistryDestroy(registry);
  api->mlirContextLoadAllAvailableDialects(handle);
  api->mlirRegisterAllLLVMTranslations(handle);
  if (!api->passes_registered)
    api->mlirRegisterAllPasses();
  api->passes_registered = true;
  return true;
}

static PyObject *context_make(PyTypeObject *class, PyObject *arguments,
                              PyObject *keywords) {
  static char *names[] = {NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, ":Context", names))
    return NULL;
  struct ir_api *api = module_default_api();
  if (!api || !IR_NEED(api, mlirContextCreateWithThreading))
    return NULL;
  MlirContext handle = api->mlirContextCreateWithThreading(true);
  struct ir_context *context = NULL;
  if (context_fill(api, handle))
    context = context_new(module_ir_types(), class, api, handle, true);
  if (!context)
    api->mlirContextDestroy(handle);
  return (PyObject *)context;
}

void ir_context_close(PyObject *object) {
  struct ir_context *context = (struct ir_context *)object;
  if (context->owned)
    return;
  ir_scope_close(context->own);
  context->alive = false;
}

static void context_dealloc(PyObject *self) {
  struct ir_context *context = (struct ir_context *)self;
  if (context->types)
    for (struct ir_context **link = &context->types->contexts; *link;
         link = &(*link)->next)
      if (*link == context) {
        *link = context->next;
        break;
      }
  if (context->own)
    ir_scope_release(context->own);
  if (context->owned) {
    ir_orphans_destroy(context);
    // Destroying takes a while: LLVM's memory is given back.
    context->api->mlirContextDestroy(context->context);
  }
  ir_api_release(context->api);
  ir_object_free(self);
}

bool ir_context_check(const struct ir_context *context) {
  if (!context->alive) {
    PyErr_SetString(PyExc_RuntimeError,
                    "the MLIR context that this belongs to is gone; keep text "
                    "or numbers instead of objects of mlirplug.ir");
    return false;
  }
  if (context->runs && !context->threaded &&
      context->runner != PyThread_get_thread_ident()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "another thread runs passes in this context, which has "
                    "multithreading disabled; wait for it");
    return false;
  }
  return true;
}

int ir_context_get(PyObject *object, struct ir_api **api,
                   MlirContext *context) {
  struct ir_context *found = ir_context_default(object);
  if (!found)
    return -1;
  *api = found->api;
  *context = found->context;
  return 0;
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

#define CONTEXT(self)                                                          \
  struct ir_context *context = (struct ir_context *)(self);                    \
  if (!ir_context_check(context))                                              \
    return NULL;                                                               \
  struct ir_api *api = context->api

/// For what changes the context itself: not while passes run in it.
static bool is_idle(const struct ir_context *context) {
  if (!context->runs && !context->scopes)
    return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "cannot change the context while passes run in it");
  return false;
}

static PyObject *context_enter(PyObject *self, PyObject *ignored) {
  (void)ignored;
  struct ir_context *context = (struct ir_context *)self;
  if (!ir_context_check(context) ||
      ir_frame_push(context->types, self, NULL, NULL) < 0)
    return NULL;
  Py_INCREF(self);
  return self;
}

static PyObject *context_exit(PyObject *self, PyObject *arguments) {
  (void)arguments;
  if (ir_frame_pop(((struct ir_context *)self)->types, self) < 0)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *context_current(PyObject *self, PyObject *ignored) {
  (void)self;
  (void)ignored;
  PyObject *context = (PyObject *)ir_frame_context(module_ir_types());
  if (!context) {
    PyErr_SetString(PyExc_ValueError, "no current Context");
    return NULL;
  }
  Py_INCREF(context);
  return context;
}

static PyObject *context_load_all(PyObject *self, PyObject *ignored) {
  (void)ignored;
  CONTEXT(self);
  if (!is_idle(context) || !IR_NEED(api, mlirContextLoadAllAvailableDialects))
    return NULL;
  api->mlirContextLoadAllAvailableDialects(context->context);
  Py_RETURN_NONE;
}

static PyObject *context_load(PyObject *self, PyObject *name) {
  CONTEXT(self);
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  if (!ir_string_argument(name, &text, &text_bytes) || !is_idle(context))
    return NULL;
  if (!api->mlirContextGetOrLoadDialect(context->context, text).ptr) {
    PyErr_Format(PyExc_ValueError, "this copy of MLIR has no dialect %R", name);
    return NULL;
  }
  Py_RETURN_NONE;
}

static PyObject *context_is_registered(PyObject *self, PyObject *name) {
  CONTEXT(self);
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  if (!ir_string_argument(name, &text, &text_bytes))
    return NULL;
  return PyBool_FromLong(
      api->mlirContextIsRegisteredOperation(context->context, text));
}

static PyObject *context_set_threading(PyObject *self, PyObject *value) {
  CONTEXT(self);
  int enable = PyObject_IsTrue(value);
  if (enable < 0 || !is_idle(context) ||
      !IR_NEED(api, mlirContextEnableMultithreading))
    return NULL;
  api->mlirContextEnableMultithreading(context->context, enable);
  context->threaded = enable;
  Py_RETURN_NONE;
}

static PyObject *context_attach(PyObject *self, PyObject *callback) {
  CONTEXT(self);
  (void)api;
  if (!context->owned) {
    PyErr_SetString(PyExc_RuntimeError,
                    "diagnostic handlers can be attached to contexts that "
                    "were made by mlirplug.ir.Context() only");
    return NULL;
  }
  return is_idle(context) ? ir_handler_attach(context, callback) : NULL;
}

static PyObject *get_allow(PyObject *self, void *closure) {
  (void)closure;
  CONTEXT(self);
  return PyBool_FromLong(
      api->mlirContextGetAllowUnregisteredDialects(context->context));
}

static int set_allow(PyObject *self, PyObject *value, void *closure) {
  (void)closure;
  struct ir_context *context = (struct ir_context *)self;
  int allow = value ? PyObject_IsTrue(value) : 0;
  if (allow < 0 || !ir_context_check(context) || !is_idle(context))
    return -1;
  context->api->mlirContextSetAllowUnregisteredDialects(context->context,
                                                        allow);
  return 0;
}

static PyMethodDef methods[] = {
    {"__enter__", context_enter, METH_NOARGS, NULL},
    {"__exit__", context_exit, METH_VARARGS, NULL},
    {"attach_diagnostic_handler", context_attach, METH_O,
     "Calls callback(diagnostic) for each diagnostic that it returns True for, "
     "and is not passed on."},
    {"enable_multithreading", context_set_threading, METH_O,
     "Whether passes may run on several threads."},
    {"is_registered_operation", context_is_registered, METH_O,
     "Whether the operation of this name is known and its dialect loaded."},
    {"load_all_available_dialects", context_load_all, METH_NOARGS,
     "Loads every dialect that this copy of MLIR has."},
    {"get_or_load_dialect", context_load, METH_O,
     "Loads the dialect of this name; ValueError if there is none."},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef current = {"current", context_current, METH_NOARGS, NULL};

static PyGetSetDef properties[] = {
    {"allow_unregistered_dialects", get_allow, set_allow,
     "Whether operations of unknown dialects are taken.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "What all IR lives in; with Context(): makes it the default."},
    {Py_tp_new, context_make},
    {Py_tp_dealloc, context_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_register_context(PyObject *module, struct ir_types *types) {
  types->context =
      ir_class_make(module, "Context", sizeof(struct ir_context), NULL, slots);
  if (!types->context || ir_class_property(types, types->context, &current) < 0)
    return -1;
  return ir_handler_register(module, types);
}
