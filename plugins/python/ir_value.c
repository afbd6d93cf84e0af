// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes Value, OpResult and BlockArgument.

#include "ir_object.h"

#define VALUE(self, check)                                                     \
  struct ir_handle *handle = check(self);                                      \
  if (!handle)                                                                 \
    return NULL;                                                               \
  const struct ir_api *api = handle->tree->context->api;                       \
  MlirValue value = {handle->pointer}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static PyObject *get_type(PyObject *self, void *closure) {
  (void)closure;
  VALUE(self, ir_handle_check);
  return ir_type_new(handle->tree->context, api->mlirValueGetType(value));
}

static PyObject *get_owner(PyObject *self, void *closure) {
  (void)closure;
  VALUE(self, ir_handle_check);
  if (api->mlirValueIsABlockArgument(value))
    return ir_block_new(handle->tree, api->mlirBlockArgumentGetOwner(value));
  return ir_operation_new(handle->tree, api->mlirOpResultGetOwner(value));
}

static PyObject *get_location(PyObject *self, void *closure) {
  (void)closure;
  VALUE(self, ir_handle_check);
  if (!api->mlirValueIsABlockArgument(value))
    return ir_location_new(
        handle->tree->context,
        api->mlirOperationGetLocation(api->mlirOpResultGetOwner(value)));
  if (!IR_NEED(api, mlirValueGetLocation))
    return NULL;
  return ir_location_new(handle->tree->context,
                         api->mlirValueGetLocation(value));
}

static PyObject *get_result_number(PyObject *self, void *closure) {
  (void)closure;
  VALUE(self, ir_handle_check);
  return PyLong_FromSsize_t(api->mlirOpResultGetResultNumber(value));
}

static PyObject *get_argument_number(PyObject *self, void *closure) {
  (void)closure;
  VALUE(self, ir_handle_check);
  return PyLong_FromSsize_t(api->mlirBlockArgumentGetArgNumber(value));
}

/// A list of what there is now: the loop may change it.
static PyObject *get_uses(PyObject *self, void *closure) {
  (void)closure;
  VALUE(self, ir_handle_check_inside);
  PyObject *list = PyList_New(0);
  for (MlirOpOperand use = api->mlirValueGetFirstUse(value);
       list && !api->mlirOpOperandIsNull(use);
       use = api->mlirOpOperandGetNextUse(use)) {
    PyObject *owner =
        ir_operation_find(handle->tree, api->mlirOpOperandGetOwner(use));
    PyObject *item =
        owner ? PyObject_CallMethod(handle->tree->context->types->support,
                                    "OpOperand", "OI", owner,
                                    api->mlirOpOperandGetOperandNumber(use))
              : NULL;
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(owner);
    Py_XDECREF(item);
  }
  PyObject *iterator = list ? PyObject_GetIter(list) : NULL;
  Py_XDECREF(list);
  return iterator;
}

static PyObject *value_string(PyObject *self) {
  VALUE(self, ir_handle_check_inside);
  int can_print =
      ir_operation_can_print(handle->tree, ir_value_operation(api, value));
  if (can_print < 0 || !IR_NEED(api, mlirValuePrint))
    return NULL;
  if (!can_print && !api->mlirValueIsABlockArgument(value))
    return ir_operation_generic(handle);
  struct ir_text text = {0};
  struct ir_pause pause = ir_pause_begin(handle->tree->context, handle->tree);
  api->mlirValuePrint(value, ir_text_append, &text);
  ir_pause_end(pause);
  return ir_text_take_as(&text, self);
}

static PyObject *get_name(PyObject *self, PyObject *arguments,
                          PyObject *keywords) {
  static char *names[] = {"use_local_scope", "use_name_loc_as_prefix", NULL};
  int local = 0, prefix = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|pp:get_name", names,
                                   &local, &prefix))
    return NULL;
  VALUE(self, ir_handle_check_inside);
  int can_print =
      ir_operation_can_print(handle->tree, ir_value_operation(api, value));
  if (can_print < 0 || !IR_NEED(api, mlirAsmStateCreateForValue))
    return NULL;
  MlirOpPrintingFlags flags = api->mlirOpPrintingFlagsCreate();
  api->mlirOpPrintingFlagsAssumeVerified(flags);
  if (!can_print)
    api->mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (local)
    api->mlirOpPrintingFlagsUseLocalScope(flags);
  if (prefix)
    api->mlirOpPrintingFlagsPrintNameLocAsPrefix(flags);
  MlirAsmState state = api->mlirAsmStateCreateForValue(value, flags);
  struct ir_text text = {0};
  api->mlirValuePrintAsOperand(value, state, ir_text_append, &text);
  api->mlirAsmStateDestroy(state);
  api->mlirOpPrintingFlagsDestroy(flags);
  return ir_text_take(&text);
}

//===----------------------------------------------------------------------===//
// Changing
//===----------------------------------------------------------------------===//

static PyObject *set_type(PyObject *self, PyObject *object) {
  VALUE(self, ir_handle_check_inside);
  MlirType type;
  if (!ir_type_argument(object, handle->tree->context, &type) ||
      !IR_NEED(api, mlirValueSetType))
    return NULL;
  handle->tree->scope->edited = true;
  api->mlirValueSetType(value, type);
  Py_RETURN_NONE;
}

static PyObject *set_location(PyObject *self, PyObject *object) {
  VALUE(self, ir_handle_check_inside);
  struct ir_unique *location =
      ir_unique_argument(object, handle->tree->context->types->location,
                         handle->tree->context, "a Location");
  if (!location || !IR_NEED(api, mlirBlockArgumentSetLocation))
    return NULL;
  api->mlirBlockArgumentSetLocation(value, (MlirLocation){location->pointer});
  Py_RETURN_NONE;
}

static PyObject *replace_all(PyObject *self, PyObject *object) {
  VALUE(self, ir_handle_check_inside);
  MlirValue with;
  if (!ir_value_argument(object, handle->tree->scope, &with) ||
      !IR_NEED(api, mlirValueReplaceAllUsesOfWith))
    return NULL;
  handle->tree->scope->tainted = handle->tree->scope->edited = true;
  if (with.ptr != value.ptr)
    api->mlirValueReplaceAllUsesOfWith(value, with);
  Py_RETURN_NONE;
}

/// Whether `operation` is one of `exceptions`, a tuple; -1 with an exception.
static int is_except(MlirOperation operation, PyObject *exceptions) {
  Py_ssize_t count = PyTuple_Size(exceptions);
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *inner = ir_operation_of(PyTuple_GetItem(exceptions, i));
    struct ir_handle *handle = inner ? ir_handle_check(inner) : NULL;
    Py_XDECREF(inner);
    if (!handle)
      return -1;
    if (handle->pointer == operation.ptr)
      return 1;
  }
  return 0;
}

static PyObject *replace_except(PyObject *self, PyObject *arguments) {
  PyObject *object, *exceptions;
  if (!PyArg_ParseTuple(arguments, "OO:replace_all_uses_except", &object,
                        &exceptions))
    return NULL;
  exceptions = ir_is_operation(exceptions)
                   ? PyTuple_Pack(1, exceptions)
                   : ir_sequence(exceptions, "a sequence of Operations");
  struct ir_handle *handle = exceptions ? ir_handle_check_inside(self) : NULL;
  MlirValue with;
  if (!handle || !ir_value_argument(object, handle->tree->scope, &with)) {
    Py_XDECREF(exceptions);
    return NULL;
  }
  const struct ir_api *api = handle->tree->context->api;
  handle->tree->scope->tainted = handle->tree->scope->edited = true;
  int excepted = 0;
  MlirOpOperand use = api->mlirValueGetFirstUse((MlirValue){handle->pointer});
  while (excepted >= 0 && with.ptr != handle->pointer &&
         !api->mlirOpOperandIsNull(use)) {
    MlirOperation user = api->mlirOpOperandGetOwner(use);
    unsigned number = api->mlirOpOperandGetOperandNumber(use);
    use = api->mlirOpOperandGetNextUse(use); // It leaves the list.
    excepted = is_except(user, exceptions);
    if (excepted == 0)
      api->mlirOperationSetOperand(user, number, with);
  }
  Py_DECREF(exceptions);
  if (excepted < 0)
    return NULL;
  Py_RETURN_NONE;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// `OpResult(value)`: the same object, if it is one.
static PyObject *value_make(PyTypeObject *class, PyObject *arguments,
                            PyObject *keywords) {
  static char *names[] = {"value", NULL};
  PyObject *object;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:Value", names,
                                   &object))
    return NULL;
  if (!PyObject_TypeCheck(object, class)) {
    PyErr_Format(
        PyObject_TypeCheck(object, module_ir_types()->value) ? PyExc_ValueError
                                                             : PyExc_TypeError,
        "Cannot cast value to %R (from %R)", (PyObject *)class, object);
    return NULL;
  }
  Py_INCREF(object);
  return object;
}

static PyObject *is_instance(PyObject *class, PyObject *object) {
  return PyBool_FromLong(PyObject_TypeCheck(object, (PyTypeObject *)class));
}

static PyObject *downcast(PyObject *self, PyObject *ignored) {
  (void)ignored;
  Py_INCREF(self);
  return self;
}

static PyGetSetDef properties[] = {
    {"type", get_type, NULL, NULL, NULL},
    {"owner", get_owner, NULL, "The operation, or of an argument the block.",
     NULL},
    {"uses", get_uses, NULL, "The operands it is: OpOperand.", NULL},
    {"location", get_location, NULL, NULL, NULL},
    {"context", ir_handle_context, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef result_properties[] = {
    {"result_number", get_result_number, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef argument_properties[] = {
    {"arg_number", get_argument_number, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef methods[] = {
    {"get_name", (PyCFunction)(void (*)(void))get_name,
     METH_VARARGS | METH_KEYWORDS, "\"%0\""},
    {"set_type", set_type, METH_O, NULL},
    {"replace_all_uses_with", replace_all, METH_O, NULL},
    {"replace_all_uses_except", replace_except, METH_VARARGS,
     "The same, but in these operations."},
    {"maybe_downcast", downcast, METH_NOARGS, NULL},
    {"isinstance", is_instance, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef argument_methods[] = {
    {"set_location", set_location, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "A result of an operation, or an argument of a block."},
    {Py_tp_new, value_make},
    {Py_tp_dealloc, ir_handle_dealloc},
    {Py_tp_hash, ir_handle_hash},
    {Py_tp_richcompare, ir_handle_compare},
    {Py_tp_str, value_string},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

static const PyType_Slot result_slots[] = {
    {Py_tp_doc, "A result of an operation."},
    {Py_tp_getset, result_properties},
    {0, NULL},
};

static const PyType_Slot argument_slots[] = {
    {Py_tp_doc, "An argument of a block."},
    {Py_tp_methods, argument_methods},
    {Py_tp_getset, argument_properties},
    {0, NULL},
};

int ir_register_value(PyObject *module, struct ir_types *types) {
  size_t size = sizeof(struct ir_handle);
  types->value = ir_class_make(module, "Value", size, NULL, slots);
  if (!types->value)
    return -1;
  types->op_result =
      ir_class_make(module, "OpResult", size, types->value, result_slots);
  types->block_argument = ir_class_make(module, "BlockArgument", size,
                                        types->value, argument_slots);
  return types->op_result && types->block_argument ? 0 : -1;
}
