// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "engine.h"

#include "host.h"
#include "ir_object.h"

typedef struct MlirExecutionEngine {
  void *ptr;
} MlirExecutionEngine;

/// As declared in mlir-c/ExecutionEngine.h of MLIR 22.
struct engine_api {
  MlirExecutionEngine (*create)(MlirModule module, int level, int count,
                                const MlirStringRef *libraries, bool dump,
                                bool pic);
  void (*destroy)(MlirExecutionEngine engine);
  void *(*lookup)(MlirExecutionEngine engine, MlirStringRef name);
  void (*symbol)(MlirExecutionEngine engine, MlirStringRef name, void *address);
  void (*dump)(MlirExecutionEngine engine, MlirStringRef file);
};

struct engine_object {
  PyObject_HEAD;
  struct engine_api api;
  MlirExecutionEngine engine;
};

static int api_bind(struct engine_api *api, const struct ir_api *owner) {
  mlirplug_import imports[] = {{"mlirExecutionEngineCreate", NULL},
                               {"mlirExecutionEngineDestroy", NULL},
                               {"mlirExecutionEngineLookupPacked", NULL},
                               {"mlirExecutionEngineRegisterSymbol", NULL},
                               {"mlirExecutionEngineDumpToObjectFile", NULL}};
  struct python_host *host = host_of_api(owner);
  if (!host)
    return -1;
  if (host->package) {
    PyErr_Format(PyExc_ValueError,
                 "the module belongs to the MLIR of %s, which has no execution "
                 "engine that is known: parse its text with mlirplug.ir",
                 host->package);
    return -1;
  }
  mlirplug_error *error = NULL;
  if (mlirplug_host_bind(host->host, imports, imports + 5, &error) !=
      MLIRPLUG_OK) {
    module_raise(error);
    return -1;
  }
  *api = (struct engine_api){
      .create = (__typeof__(api->create))imports[0].function,
      .destroy = (__typeof__(api->destroy))imports[1].function,
      .lookup = (__typeof__(api->lookup))imports[2].function,
      .symbol = (__typeof__(api->symbol))imports[3].function,
      .dump = (__typeof__(api->dump))imports[4].function,
  };
  return 0;
}

//===----------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------===//

struct request {
  PyObject *module;
  int level;
  PyObject *libraries; ///< A tuple of str.
  int dump;
  int pic;
};

static MlirExecutionEngine engine_compile(const struct engine_api *api,
                                          MlirModule module,
                                          const struct request *request) {
  MlirExecutionEngine none = {NULL};
  Py_ssize_t count = PyTuple_Size(request->libraries);
  if (count < 0)
    return none;
  MlirStringRef *paths = ir_array_new(count, sizeof *paths);
  PyObject **kept = paths ? ir_array_new(count, sizeof *kept) : NULL;
  if (!kept) {
    PyMem_Free(paths);
    return none;
  }
  Py_ssize_t filled = 0;
  for (; filled < count; ++filled) {
    kept[filled] = NULL;
    if (!ir_string_argument(PyTuple_GetItem(request->libraries, filled),
                            &paths[filled], &kept[filled]))
      break;
  }
  MlirExecutionEngine engine = none;
  if (filled == count)
    engine = api->create(module, request->level, (int)count, paths,
                         request->dump, request->pic);
  for (Py_ssize_t i = 0; i < filled; ++i)
    Py_XDECREF(kept[i]);
  PyMem_Free(kept);
  PyMem_Free(paths);
  return engine;
}

static int engine_fill(struct engine_object *self,
                       const struct request *request) {
  struct ir_api *api;
  PyObject *context = NULL;
  MlirOperation operation;
  if (ir_operation_get(request->module, &api, &context, &operation) != 0)
    return -1;
  int result = api_bind(&self->api, api);
  MlirModule module = {NULL};
  if (result == 0) {
    module = api->mlirModuleFromOperation(operation);
    if (!module.ptr)
      PyErr_SetString(PyExc_TypeError, "expected a builtin.module");
  }
  if (module.ptr) {
    struct ir_capture *capture = ir_capture_begin(context, false);
    if (capture) {
      self->engine = engine_compile(&self->api, module, request);
      if (self->engine.ptr || PyErr_Occurred())
        ir_capture_drop(capture);
      else
        ir_capture_raise(capture, "Failure while creating the ExecutionEngine");
    }
  }
  Py_XDECREF(context);
  return self->engine.ptr ? 0 : -1;
}

static PyObject *engine_new(PyTypeObject *class, PyObject *arguments,
                            PyObject *keywords) {
  static char *names[] = {"module", "level", "libraries", "dump", "pic", NULL};
  struct request request;
  if (!PyArg_ParseTupleAndKeywords(
          arguments, keywords, "OiO!pp", names, &request.module, &request.level,
          &PyTuple_Type, &request.libraries, &request.dump, &request.pic))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(class, Py_tp_alloc);
  struct engine_object *self = (struct engine_object *)allocate(class, 0);
  if (self && engine_fill(self, &request) != 0)
    Py_CLEAR(self);
  return (PyObject *)self;
}

static void engine_dealloc(PyObject *object) {
  struct engine_object *self = (struct engine_object *)object;
  if (self->engine.ptr)
    self->api.destroy(self->engine);
  PyTypeObject *class = Py_TYPE(object);
  ((freefunc)PyType_GetSlot(class, Py_tp_free))(object);
  Py_DECREF(class);
}

//===----------------------------------------------------------------------===//
// Methods
//===----------------------------------------------------------------------===//

/// lookup(name): the address, or 0.
static PyObject *on_lookup(PyObject *object, PyObject *arguments) {
  struct engine_object *self = (struct engine_object *)object;
  const char *name;
  if (!PyArg_ParseTuple(arguments, "s", &name))
    return NULL;
  void *address;
  Py_BEGIN_ALLOW_THREADS;
  address = self->api.lookup(self->engine, ir_string(name));
  Py_END_ALLOW_THREADS;
  return PyLong_FromVoidPtr(address);
}

/// symbol(name, address)
static PyObject *on_symbol(PyObject *object, PyObject *arguments) {
  struct engine_object *self = (struct engine_object *)object;
  const char *name;
  PyObject *number;
  if (!PyArg_ParseTuple(arguments, "sO", &name, &number))
    return NULL;
  void *address = PyLong_AsVoidPtr(number);
  if (PyErr_Occurred())
    return NULL;
  self->api.symbol(self->engine, ir_string(name), address);
  Py_RETURN_NONE;
}

/// dump(path)
static PyObject *on_dump(PyObject *object, PyObject *arguments) {
  struct engine_object *self = (struct engine_object *)object;
  const char *path;
  if (!PyArg_ParseTuple(arguments, "s", &path))
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  self->api.dump(self->engine, ir_string(path));
  Py_END_ALLOW_THREADS;
  Py_RETURN_NONE;
}

/// is_threaded(context): whether MLIR has threads for it.
static PyObject *on_threaded(PyObject *module, PyObject *context) {
  (void)module;
  if (!PyObject_TypeCheck(context, module_ir_types()->context)) {
    PyErr_SetString(PyExc_TypeError, "expected a Context");
    return NULL;
  }
  return PyBool_FromLong(((struct ir_context *)context)->threaded);
}

int engine_register(PyObject *module) {
  static PyMethodDef functions[] = {
      {"is_threaded", on_threaded, METH_O, NULL},
      {NULL, NULL, 0, NULL},
  };
  if (PyModule_AddFunctions(module, functions) != 0)
    return -1;
  static PyMethodDef methods[] = {
      {"lookup", on_lookup, METH_VARARGS, NULL},
      {"symbol", on_symbol, METH_VARARGS, NULL},
      {"dump", on_dump, METH_VARARGS, NULL},
      {NULL, NULL, 0, NULL},
  };
  static PyType_Slot slots[] = {
      {Py_tp_doc, "A module, compiled to memory."},
      {Py_tp_new, engine_new},
      {Py_tp_dealloc, engine_dealloc},
      {Py_tp_methods, methods},
      {0, NULL},
  };
  static PyType_Spec spec = {
      .name = "mlirplug._mlirplug.Engine",
      .basicsize = sizeof(struct engine_object),
      .flags = Py_TPFLAGS_DEFAULT,
      .slots = slots,
  };
  PyObject *type = PyType_FromSpec(&spec);
  if (!type || PyModule_AddObject(module, "Engine", type) != 0) {
    Py_XDECREF(type);
    return -1;
  }
  return engine_function_register(module);
}
