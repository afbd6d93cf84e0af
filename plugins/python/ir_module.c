// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Module.

#include "ir_operation.h"

struct module {
  PyObject_HEAD;
  PyObject *operation;
};

static PyObject *module_new(PyTypeObject *class, PyObject *operation) {
  struct module *module = operation ? ir_object_new(class) : NULL;
  if (!module) {
    Py_XDECREF(operation);
    return NULL;
  }
  module->operation = operation;
  return (PyObject *)module;
}

/// A Module that owns `handle`.
static PyObject *module_take(PyTypeObject *class, struct ir_context *context,
                             MlirModule handle) {
  MlirOperation root = context->api->mlirModuleGetOperation(handle);
  struct ir_tree *tree = ir_tree_new(ir_scope_current(context), root, true);
  if (!tree) {
    context->api->mlirModuleDestroy(handle);
    return NULL;
  }
  tree->module = handle;
  PyObject *operation = ir_operation_new(tree, root);
  ir_tree_release(tree);
  return module_new(class, operation);
}

PyObject *ir_module_operation(PyObject *self) {
  PyObject *operation = ((struct module *)self)->operation;
  Py_INCREF(operation);
  return operation;
}

static PyObject *parse(PyObject *class, PyObject *arguments,
                       PyObject *keywords) {
  static char *names[] = {"asm", "context", NULL};
  PyObject *source, *object = NULL;
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:parse", names,
                                   &source, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context || !IR_NEED(context->api, mlirModuleCreateParse) ||
      !ir_string_argument(source, &text, &text_bytes))
    return NULL;
  struct ir_capture *capture = ir_capture_begin((PyObject *)context, false);
  if (!capture)
    return NULL;
  struct ir_pause pause = ir_pause_begin(context, NULL);
  MlirModule module =
      context->api->mlirModuleCreateParse(context->context, text);
  ir_pause_end(pause);
  if (!module.ptr) {
    ir_capture_raise(capture, "Unable to parse module assembly");
    return NULL;
  }
  ir_capture_drop(capture);
  return module_take((PyTypeObject *)class, context, module);
}

static PyObject *parse_file(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  static char *names[] = {"path", "context", NULL};
  PyObject *path, *object = NULL;
  char *text;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O&|O:parseFile", names,
                                   PyUnicode_FSConverter, &path, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  struct ir_capture *capture =
      context && IR_NEED(context->api, mlirModuleCreateParseFromFile) &&
              PyBytes_AsStringAndSize(path, &text, NULL) == 0
          ? ir_capture_begin((PyObject *)context, false)
          : NULL;
  PyObject *result = NULL;
  if (capture) {
    struct ir_pause pause = ir_pause_begin(context, NULL);
    MlirModule module = context->api->mlirModuleCreateParseFromFile(
        context->context, ir_string(text));
    ir_pause_end(pause);
    if (module.ptr) {
      ir_capture_drop(capture);
      result = module_take((PyTypeObject *)class, context, module);
    } else {
      ir_capture_raise(capture, "Unable to parse module assembly");
    }
  }
  Py_DECREF(path);
  return result;
}

static PyObject *create(PyObject *class, PyObject *arguments,
                        PyObject *keywords) {
  static char *names[] = {"loc", NULL};
  PyObject *loc = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:create", names,
                                   &loc))
    return NULL;
  struct ir_unique *location = ir_location_default(loc);
  if (!location || !IR_NEED(location->context->api, mlirModuleCreateEmpty))
    return NULL;
  return module_take((PyTypeObject *)class, location->context,
                     location->context->api->mlirModuleCreateEmpty(
                         (MlirLocation){location->pointer}));
}

/// Module(operation): one for a builtin.module that is there already.
static PyObject *module_make(PyTypeObject *class, PyObject *arguments,
                             PyObject *keywords) {
  static char *names[] = {"operation", NULL};
  PyObject *object;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:Module", names,
                                   &object))
    return NULL;
  PyObject *operation = ir_operation_of(object);
  struct ir_handle *handle = operation ? ir_handle_check(operation) : NULL;
  if (handle && !handle->tree->context->api
                     ->mlirModuleFromOperation((MlirOperation){handle->pointer})
                     .ptr) {
    PyErr_SetString(PyExc_ValueError, "the operation is no builtin.module");
    handle = NULL;
  }
  if (!handle) {
    Py_XDECREF(operation);
    return NULL;
  }
  return module_new(class, operation);
}

static PyObject *get_operation(PyObject *self, void *closure) {
  (void)closure;
  return ir_module_operation(self);
}

static PyObject *get_context(PyObject *self, void *closure) {
  return ir_handle_context(((struct module *)self)->operation, closure);
}

static PyObject *get_body(PyObject *self, void *closure) {
  (void)closure;
  struct ir_handle *handle =
      ir_handle_check(((struct module *)self)->operation);
  if (!handle)
    return NULL;
  const struct ir_api *api = handle->tree->context->api;
  MlirRegion region =
      api->mlirOperationGetFirstRegion((MlirOperation){handle->pointer});
  return ir_block_new(handle->tree, api->mlirRegionGetFirstBlock(region));
}

static PyObject *module_string(PyObject *self) {
  return ir_operation_string(((struct module *)self)->operation);
}

static PyObject *dump(PyObject *self, PyObject *ignored) {
  (void)ignored;
  return PyObject_CallMethod(module_ir_types()->support, "dump", "O", self);
}

static PyObject *module_compare(PyObject *self, PyObject *other,
                                int operation) {
  if (!PyObject_TypeCheck(other, module_ir_types()->module))
    Py_RETURN_NOTIMPLEMENTED;
  return ir_handle_compare(((struct module *)self)->operation,
                           ((struct module *)other)->operation, operation);
}

static Py_hash_t module_hash(PyObject *self) {
  return ir_handle_hash(((struct module *)self)->operation);
}

static void module_dealloc(PyObject *self) {
  PyObject *operation = ((struct module *)self)->operation;
  ir_object_free(self);
  Py_XDECREF(operation);
}

static PyMethodDef methods[] = {
    {"parse", (PyCFunction)(void (*)(void))parse,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "Makes the module that the text describes, or raises MLIRError."},
    {"parseFile", (PyCFunction)(void (*)(void))parse_file,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS, "The same for a file."},
    {"create", (PyCFunction)(void (*)(void))create,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS, "Makes an empty module."},
    {"dump", dump, METH_NOARGS, "Prints it to stderr."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"operation", get_operation, NULL, NULL, NULL},
    {"body", get_body, NULL, "Its block.", NULL},
    {"context", get_context, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "A builtin.module."},
    {Py_tp_new, module_make},
    {Py_tp_dealloc, module_dealloc},
    {Py_tp_str, module_string},
    {Py_tp_hash, module_hash},
    {Py_tp_richcompare, module_compare},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_register_module(PyObject *module, struct ir_types *types) {
  types->module =
      ir_class_make(module, "Module", sizeof(struct module), NULL, slots);
  return types->module ? 0 : -1;
}
