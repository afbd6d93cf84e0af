// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer, float, complex, function, tuple and opaque types.

#include "ir_kind.h"

//===----------------------------------------------------------------------===//
// IntegerType
//===----------------------------------------------------------------------===//

enum { WIDEST = (1 << 24) - 1 };

static PyObject *integer_get(PyObject *arguments, PyObject *keywords,
                             char signedness) {
  static char *names[] = {"width", "context", NULL};
  PyObject *object = NULL;
  Py_ssize_t width;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "n|O", names, &width,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context)
    return NULL;
  if (width < 0 || width > WIDEST) {
    PyErr_Format(PyExc_ValueError, "an integer type has 0 to %d bits", WIDEST);
    return NULL;
  }
  const struct ir_api *api = context->api;
  unsigned bits = (unsigned)width;
  return ir_type_new(
      context, signedness == 's'
                   ? api->mlirIntegerTypeSignedGet(context->context, bits)
               : signedness == 'u'
                   ? api->mlirIntegerTypeUnsignedGet(context->context, bits)
                   : api->mlirIntegerTypeGet(context->context, bits));
}

static PyObject *get_signless(PyObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)class;
  return integer_get(arguments, keywords, 'n');
}

static PyObject *get_signed(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  (void)class;
  return integer_get(arguments, keywords, 's');
}

static PyObject *get_unsigned(PyObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)class;
  return integer_get(arguments, keywords, 'u');
}

IR_TYPE_GETTER(integer_width,
               PyLong_FromUnsignedLong(api->mlirIntegerTypeGetWidth(type)))
IR_TYPE_GETTER(integer_signless,
               PyBool_FromLong(api->mlirIntegerTypeIsSignless(type)))
IR_TYPE_GETTER(integer_signed,
               PyBool_FromLong(api->mlirIntegerTypeIsSigned(type)))
IR_TYPE_GETTER(integer_unsigned,
               PyBool_FromLong(api->mlirIntegerTypeIsUnsigned(type)))

static PyMethodDef integer_methods[] = {
    {"get_signless", IR_FUNCTION(get_signless), IR_STATIC, NULL},
    {"get_signed", IR_FUNCTION(get_signed), IR_STATIC, NULL},
    {"get_unsigned", IR_FUNCTION(get_unsigned), IR_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef integer_properties[] = {
    {"width", integer_width, NULL, NULL, NULL},
    {"is_signless", integer_signless, NULL, NULL, NULL},
    {"is_signed", integer_signed, NULL, NULL, NULL},
    {"is_unsigned", integer_unsigned, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_integer_type_slots[] = {
    {Py_tp_methods, integer_methods},
    {Py_tp_getset, integer_properties},
    {0, NULL},
};

//===----------------------------------------------------------------------===//
// FloatType, ComplexType
//===----------------------------------------------------------------------===//

IR_TYPE_GETTER(float_width,
               IR_NEED(api, mlirFloatTypeGetWidth)
                   ? PyLong_FromUnsignedLong(api->mlirFloatTypeGetWidth(type))
                   : NULL)

static PyGetSetDef float_properties[] = {
    {"width", float_width, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_float_type_slots[] = {
    {Py_tp_getset, float_properties},
    {0, NULL},
};

static PyObject *complex_get(PyObject *class, PyObject *object) {
  (void)class;
  MlirType element;
  if (!ir_type_argument(object, NULL, &element))
    return NULL;
  struct ir_context *context = ((struct ir_unique *)object)->context;
  if (!context->api->mlirTypeIsAInteger(element) &&
      !context->api->mlirTypeIsAFloat(element)) {
    PyErr_SetString(PyExc_ValueError, "invalid element type for complex: it "
                                      "is neither an integer nor a float");
    return NULL;
  }
  return ir_type_new(context, context->api->mlirComplexTypeGet(element));
}

IR_TYPE_GETTER(complex_element,
               ir_type_new(context, api->mlirComplexTypeGetElementType(type)))

static PyMethodDef complex_methods[] = {
    {"get", complex_get, METH_O | METH_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef complex_properties[] = {
    {"element_type", complex_element, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_complex_type_slots[] = {
    {Py_tp_methods, complex_methods},
    {Py_tp_getset, complex_properties},
    {0, NULL},
};

//===----------------------------------------------------------------------===//
// FunctionType, TupleType
//===----------------------------------------------------------------------===//

/// Types of `context`, by PyMem_Malloc.
static MlirType *types_get(PyObject *object, const struct ir_context *context,
                           Py_ssize_t *count) {
  PyObject *items = ir_sequence(object, "a sequence of Types");
  if (!items)
    return NULL;
  *count = PyTuple_Size(items);
  MlirType *types = ir_array_new(*count, sizeof(*types));
  for (Py_ssize_t i = 0; types && i < *count; ++i)
    if (!ir_type_argument(PyTuple_GetItem(items, i), context, &types[i])) {
      PyMem_Free(types);
      types = NULL;
    }
  Py_DECREF(items);
  return types;
}

/// A list of types, each by `get`.
static PyObject *types_list(struct ir_context *context, MlirType type,
                            intptr_t count,
                            MlirType (*get)(MlirType type, intptr_t index)) {
  PyObject *list = PyList_New(0);
  for (intptr_t i = 0; list && i < count; ++i) {
    PyObject *item = ir_type_new(context, get(type, i));
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject *function_get(PyObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)class;
  static char *names[] = {"inputs", "results", "context", NULL};
  PyObject *inputs, *results, *object = NULL;
  Py_ssize_t input_count, result_count;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O:get", names,
                                   &inputs, &results, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  MlirType *input_types =
      context ? types_get(inputs, context, &input_count) : NULL;
  MlirType *result_types =
      input_types ? types_get(results, context, &result_count) : NULL;
  PyObject *type = NULL;
  if (result_types)
    type = ir_type_new(context, context->api->mlirFunctionTypeGet(
                                    context->context, input_count, input_types,
                                    result_count, result_types));
  PyMem_Free(input_types);
  PyMem_Free(result_types);
  return type;
}

IR_TYPE_GETTER(function_inputs,
               types_list(context, type,
                          api->mlirFunctionTypeGetNumInputs(type),
                          api->mlirFunctionTypeGetInput))
IR_TYPE_GETTER(function_results,
               types_list(context, type,
                          api->mlirFunctionTypeGetNumResults(type),
                          api->mlirFunctionTypeGetResult))

static PyMethodDef function_methods[] = {
    {"get", IR_FUNCTION(function_get), IR_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef function_properties[] = {
    {"inputs", function_inputs, NULL, NULL, NULL},
    {"results", function_results, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_function_type_slots[] = {
    {Py_tp_methods, function_methods},
    {Py_tp_getset, function_properties},
    {0, NULL},
};

static PyObject *tuple_get(PyObject *class, PyObject *arguments,
                           PyObject *keywords) {
  (void)class;
  static char *names[] = {"elements", "context", NULL};
  PyObject *elements, *object = NULL;
  Py_ssize_t count;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get_tuple", names,
                                   &elements, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  MlirType *types = context ? types_get(elements, context, &count) : NULL;
  PyObject *type = NULL;
  if (types)
    type = ir_type_new(context, context->api->mlirTupleTypeGet(context->context,
                                                               count, types));
  PyMem_Free(types);
  return type;
}

static PyObject *tuple_type(PyObject *self, PyObject *number) {
  Py_ssize_t index = PyNumber_AsSsize_t(number, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred())
    return NULL;
  IR_TYPE(self);
  if (index < 0 || index >= api->mlirTupleTypeGetNumTypes(type)) {
    PyErr_SetString(PyExc_IndexError, "the tuple has no such element");
    return NULL;
  }
  return ir_type_new(context, api->mlirTupleTypeGetType(type, index));
}

IR_TYPE_GETTER(tuple_count,
               PyLong_FromSsize_t(api->mlirTupleTypeGetNumTypes(type)))

static PyMethodDef tuple_methods[] = {
    {"get_tuple", IR_FUNCTION(tuple_get), IR_STATIC, NULL},
    {"get_type", tuple_type, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef tuple_properties[] = {
    {"num_types", tuple_count, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_tuple_type_slots[] = {
    {Py_tp_methods, tuple_methods},
    {Py_tp_getset, tuple_properties},
    {0, NULL},
};

//===----------------------------------------------------------------------===//
// OpaqueType
//===----------------------------------------------------------------------===//

IR_TYPE_GETTER(opaque_namespace,
               ir_string_new(api->mlirOpaqueTypeGetDialectNamespace(type)))
IR_TYPE_GETTER(opaque_data, ir_string_new(api->mlirOpaqueTypeGetData(type)))

static PyGetSetDef opaque_properties[] = {
    {"dialect_namespace", opaque_namespace, NULL, NULL, NULL},
    {"data", opaque_data, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_opaque_type_slots[] = {
    {Py_tp_getset, opaque_properties},
    {0, NULL},
};
