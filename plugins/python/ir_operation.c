// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes Operation and OpView.

#include "ir_operation.h"

#include "ir_walk.h"

#define OPERATION(self)                                                        \
  struct ir_handle *handle = ir_handle_check(self);                            \
  if (!handle)                                                                 \
    return NULL;                                                               \
  const struct ir_api *api = handle->tree->context->api;                       \
  MlirOperation operation = {handle->pointer}

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

static PyObject *get_name(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  return ir_string_new(
      api->mlirIdentifierStr(api->mlirOperationGetName(operation)));
}

static PyObject *get_parent(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  return ir_operation_new(handle->tree,
                          api->mlirOperationGetParentOperation(operation));
}

static PyObject *get_block(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  return ir_block_new(handle->tree, api->mlirOperationGetBlock(operation));
}

static PyObject *get_location(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  return ir_location_new(handle->tree->context,
                         api->mlirOperationGetLocation(operation));
}

static int set_location(PyObject *self, PyObject *value, void *closure) {
  (void)closure;
  struct ir_handle *handle = ir_handle_check_inside(self);
  if (!handle)
    return -1;
  const struct ir_context *context = handle->tree->context;
  struct ir_unique *location = ir_unique_argument(
      value ? value : Py_None, context->types->location, context, "a Location");
  if (!location || !IR_NEED(context->api, mlirOperationSetLocation))
    return -1;
  context->api->mlirOperationSetLocation((MlirOperation){handle->pointer},
                                         (MlirLocation){location->pointer});
  return 0;
}

static PyObject *get_result(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  intptr_t count = api->mlirOperationGetNumResults(operation);
  if (count == 1)
    return ir_value_new(handle->tree,
                        api->mlirOperationGetResult(operation, 0));
  PyObject *name = ir_string_new(
      api->mlirIdentifierStr(api->mlirOperationGetName(operation)));
  if (name)
    PyErr_Format(PyExc_ValueError,
                 "cannot call .result on operation %U which has %zd results",
                 name, (Py_ssize_t)count);
  Py_XDECREF(name);
  return NULL;
}

/// `closure` points to a kind.
static PyObject *get_list(PyObject *self, void *closure) {
  struct ir_handle *handle = ir_handle_check(self);
  return handle ? ir_list_new((PyObject *)handle,
                              *(const enum ir_list_kind *)closure)
                : NULL;
}

static PyObject *get_attributes(PyObject *self, void *closure) {
  (void)closure;
  struct ir_handle *handle = ir_handle_check(self);
  return handle ? ir_attribute_map_new((PyObject *)handle) : NULL;
}

static PyObject *get_attached(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  return PyBool_FromLong(api->mlirOperationGetBlock(operation).ptr != NULL);
}

static PyObject *get_operation(PyObject *self, void *closure) {
  (void)closure;
  return ir_operation_of(self);
}

/// The object of the class that was registered for the operation's name.
static PyObject *get_view(PyObject *self, void *closure) {
  (void)closure;
  OPERATION(self);
  struct ir_types *types = handle->tree->context->types;
  PyObject *name = ir_string_new(
      api->mlirIdentifierStr(api->mlirOperationGetName(operation)));
  PyObject *class = name ? PyDict_GetItemWithError(types->views, name) : NULL;
  Py_XDECREF(name);
  if (!class && PyErr_Occurred())
    return NULL;
  if (!class)
    class = (PyObject *)types->op_view;
  struct ir_handle *view = ir_object_new((PyTypeObject *)class);
  if (!view)
    return NULL;
  Py_INCREF(handle);
  view->pointer = handle;
  return (PyObject *)view;
}

PyObject *ir_operation_of(PyObject *object) {
  struct ir_types *types = module_ir_types();
  if (PyObject_TypeCheck(object, types->module))
    return ir_module_operation(object);
  if (!PyObject_TypeCheck(object, types->operation_base)) {
    PyErr_Format(PyExc_TypeError, "expected an Operation or a Module, not %R",
                 (PyObject *)Py_TYPE(object));
    return NULL;
  }
  struct ir_handle *handle = (struct ir_handle *)object;
  if (!handle->tree)
    object = handle->pointer;
  Py_INCREF(object);
  return object;
}

int ir_is_operation(PyObject *object) {
  struct ir_types *types = module_ir_types();
  return PyObject_TypeCheck(object, types->module) ||
         PyObject_TypeCheck(object, types->operation_base);
}

int ir_operation_get(PyObject *object, struct ir_api **api, PyObject **context,
                     MlirOperation *operation) {
  PyObject *inner = ir_operation_of(object);
  struct ir_handle *handle = inner ? ir_handle_check(inner) : NULL;
  Py_XDECREF(inner);
  if (!handle)
    return -1;
  *api = handle->tree->context->api;
  *operation = (MlirOperation){handle->pointer};
  if (context) {
    *context = (PyObject *)handle->tree->context;
    Py_INCREF(*context);
  }
  return 0;
}

PyObject *ir_operation_wrap(PyObject *object, MlirOperation operation) {
  struct ir_context *context = (struct ir_context *)object;
  if (!ir_context_check(context))
    return NULL;
  struct ir_tree *tree = ir_tree_new(context->own, operation, false);
  PyObject *wrapped = tree ? ir_operation_new(tree, operation) : NULL;
  if (tree)
    ir_tree_release(tree);
  return wrapped;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

static PyObject *view_make(PyTypeObject *class, PyObject *arguments,
                           PyObject *keywords) {
  static char *names[] = {"operation", NULL};
  PyObject *object;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:OpView", names,
                                   &object))
    return NULL;
  PyObject *operation = ir_operation_of(object);
  if (!operation || !ir_handle_check(operation)) {
    Py_XDECREF(operation);
    return NULL;
  }
  struct ir_handle *view = ir_object_new(class);
  if (!view) {
    Py_DECREF(operation);
    return NULL;
  }
  view->pointer = operation;
  return (PyObject *)view;
}

static PyObject *operation_repr(PyObject *self) {
  struct ir_handle *handle = (struct ir_handle *)self;
  if (!handle->tree)
    handle = handle->pointer;
  if (!handle->pointer)
    return PyUnicode_FromString("<mlirplug.ir.Operation: gone>");
  PyObject *name = get_name(self, NULL);
  if (!name) {
    PyErr_Clear();
    return PyUnicode_FromString("<mlirplug.ir.Operation: not usable here>");
  }
  PyObject *text = PyUnicode_FromFormat("<mlirplug.ir.Operation: %U>", name);
  Py_DECREF(name);
  return text;
}

static const enum ir_list_kind kinds[] = {IR_LIST_OPERANDS, IR_LIST_RESULTS,
                                          IR_LIST_REGIONS, IR_LIST_SUCCESSORS};

static PyGetSetDef properties[] = {
    {"name", get_name, NULL, "\"func.func\"", NULL},
    {"operands", get_list, NULL, NULL, (void *)&kinds[0]},
    {"results", get_list, NULL, NULL, (void *)&kinds[1]},
    {"result", get_result, NULL, "Of an operation that has one.", NULL},
    {"regions", get_list, NULL, NULL, (void *)&kinds[2]},
    {"successors", get_list, NULL, NULL, (void *)&kinds[3]},
    {"attributes", get_attributes, NULL, NULL, NULL},
    {"parent", get_parent, NULL, "The operation it is in, or None.", NULL},
    {"block", get_block, NULL, "The block it is in, or None.", NULL},
    {"location", get_location, set_location, NULL, NULL},
    {"context", ir_handle_context, NULL, NULL, NULL},
    {"attached", get_attached, NULL, "Whether it is in a block.", NULL},
    {"operation", get_operation, NULL, NULL, NULL},
    {"opview", get_view, NULL,
     "As an object of the class registered for its name.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"walk", (PyCFunction)(void (*)(void))ir_operation_walk,
     METH_VARARGS | METH_KEYWORDS,
     "Calls callback(op) for it and all operations in it, innermost first "
     "unless walk_order says otherwise."},
    {"erase", ir_operation_erase, METH_NOARGS,
     "Destroys it and all in it; its results must be unused."},
    {"clone", (PyCFunction)(void (*)(void))ir_operation_clone,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"detach_from_parent", ir_operation_detach, METH_NOARGS,
     "Takes it out of its block."},
    {"move_before", ir_operation_move_before, METH_O, NULL},
    {"move_after", ir_operation_move_after, METH_O, NULL},
    {"is_before_in_block", ir_operation_is_before, METH_O, NULL},
    {"replace_uses_of_with", ir_operation_replace_uses, METH_VARARGS,
     "Puts the second value in the place of the first among its operands."},
    {"verify", ir_operation_verify, METH_NOARGS,
     "True, or an MLIRError with what is wrong."},
    {"print", (PyCFunction)(void (*)(void))ir_operation_print,
     METH_VARARGS | METH_KEYWORDS, "Prints it to `file`, or sys.stdout."},
    {"get_asm", (PyCFunction)(void (*)(void))ir_operation_get_asm,
     METH_VARARGS | METH_KEYWORDS, "Its text."},
    {"write_bytecode", (PyCFunction)(void (*)(void))ir_operation_write_bytecode,
     METH_VARARGS | METH_KEYWORDS, "Writes it to a binary file or path."},
    {NULL, NULL, 0, NULL},
};

static const PyType_Slot base_slots[] = {
    {Py_tp_doc, "What Operation and OpView share."},
    {Py_tp_new, ir_handle_make},
    {Py_tp_dealloc, ir_handle_dealloc},
    {Py_tp_hash, ir_handle_hash},
    {Py_tp_richcompare, ir_handle_compare},
    {Py_tp_str, ir_operation_string},
    {Py_tp_repr, operation_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

static PyMethodDef static_methods[] = {
    {"create", (PyCFunction)(void (*)(void))ir_operation_create,
     METH_VARARGS | METH_KEYWORDS | METH_STATIC, "Makes an operation."},
    {"parse", (PyCFunction)(void (*)(void))ir_operation_parse,
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "Makes the operation that the text describes."},
    {NULL, NULL, 0, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "An operation in the IR."},
    {Py_tp_new, ir_handle_make},
    {Py_tp_methods, static_methods},
    {0, NULL},
};

static const PyType_Slot view_slots[] = {
    {Py_tp_doc, "An operation, as its dialect's class sees it."},
    {Py_tp_new, view_make},
    {0, NULL},
};

int ir_register_operation(PyObject *module, struct ir_types *types) {
  types->operation_base = ir_class_make(
      module, "_OperationBase", sizeof(struct ir_handle), NULL, base_slots);
  if (!types->operation_base)
    return -1;
  types->operation =
      ir_class_make(module, "Operation", sizeof(struct ir_handle),
                    types->operation_base, slots);
  types->op_view = ir_class_make(module, "OpView", sizeof(struct ir_handle),
                                 types->operation_base, view_slots);
  return types->operation && types->op_view ? 0 : -1;
}
