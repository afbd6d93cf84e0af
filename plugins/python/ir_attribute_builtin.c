// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers, floats, strings, types and unit as attributes.

#include "ir_kind.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// IntegerAttr, BoolAttr
//===----------------------------------------------------------------------===//

/// Numbers of more than 64 bits go through text, which C has functions for.
static PyObject *wide_get(struct ir_context *context, MlirType type,
                          PyObject *value) {
  PyObject *object = ir_type_new(context, type);
  PyObject *text =
      object ? PyUnicode_FromFormat("%S : %S", value, object) : NULL;
  PyObject *attribute =
      text ? PyObject_CallMethod((PyObject *)context->types->attribute, "parse",
                                 "OO", text, context)
           : NULL;
  Py_XDECREF(object);
  Py_XDECREF(text);
  return attribute;
}

static PyObject *wide_value(const struct ir_api *api, MlirAttribute attribute) {
  struct ir_text text = {0};
  api->mlirAttributePrint(attribute, ir_text_append, &text);
  ir_text_append((MlirStringRef){"", 1}, &text); // A zero byte at the end.
  char *end = text.failed ? NULL : strchr(text.data, ' ');
  if (end)
    *end = 0;
  PyObject *value =
      end ? PyLong_FromString(text.data, NULL, 10) : PyErr_NoMemory();
  PyObject *rest = ir_text_take(&text);
  Py_XDECREF(rest);
  return value;
}

/// Bits of an integer or index type; 0 with an exception set for others.
static unsigned width_of(const struct ir_api *api, MlirType type) {
  if (api->mlirTypeIsAIndex(type))
    return 64;
  if (api->mlirTypeIsAInteger(type))
    return api->mlirIntegerTypeGetWidth(type);
  PyErr_SetString(PyExc_ValueError,
                  "the type of an integer attribute is an integer or index");
  return 0;
}

/// The bits of `value` in `width` of them, which is 1 to 64.
static bool bits_get(PyObject *value, unsigned width, int64_t *bits) {
  int overflow;
  long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (number == -1 && !overflow && PyErr_Occurred())
    return false;
  *bits = number;
  bool fits = !overflow && (width == 64 || (number >= -(1LL << (width - 1)) &&
                                            number < (1LL << (width - 1)) * 2));
  if (overflow > 0 && width == 64) {
    unsigned long long large = PyLong_AsUnsignedLongLong(value);
    fits = !PyErr_Occurred();
    PyErr_Clear();
    *bits = (int64_t)large;
  }
  if (!fits)
    PyErr_Format(PyExc_OverflowError, "%R does not fit into %u bits", value,
                 width);
  return fits;
}

static PyObject *integer_get(PyObject *class, PyObject *arguments,
                             PyObject *keywords) {
  (void)class;
  static char *names[] = {"type", "value", NULL};
  PyObject *object, *number;
  MlirType type;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO:get", names,
                                   &object, &number) ||
      !ir_type_argument(object, NULL, &type))
    return NULL;
  struct ir_context *context = ((struct ir_unique *)object)->context;
  unsigned width = width_of(context->api, type);
  PyObject *value = width || !PyErr_Occurred() ? PyNumber_Index(number) : NULL;
  PyObject *attribute = NULL;
  int64_t bits;
  if (value && width > 64)
    attribute = wide_get(context, type, value);
  else if (value && width == 0)
    PyErr_SetString(PyExc_ValueError, "i0 has no attributes here");
  else if (value && bits_get(value, width, &bits))
    attribute =
        ir_attribute_new(context, context->api->mlirIntegerAttrGet(type, bits));
  Py_XDECREF(value);
  return attribute;
}

static PyObject *integer_number(const struct ir_api *api,
                                MlirAttribute attribute) {
  MlirType type = api->mlirAttributeGetType(attribute);
  bool is_index = api->mlirTypeIsAIndex(type);
  if (!is_index && api->mlirIntegerTypeGetWidth(type) > 64)
    return wide_value(api, attribute);
  if (is_index || api->mlirIntegerTypeIsSignless(type))
    return PyLong_FromLongLong(api->mlirIntegerAttrGetValueInt(attribute));
  if (api->mlirIntegerTypeIsSigned(type))
    return PyLong_FromLongLong(api->mlirIntegerAttrGetValueSInt(attribute));
  return PyLong_FromUnsignedLongLong(
      api->mlirIntegerAttrGetValueUInt(attribute));
}

IR_ATTRIBUTE_GETTER(integer_value, integer_number(api, attribute))

static PyObject *integer_int(PyObject *self) {
  return integer_value(self, NULL);
}

static PyObject *bool_get(PyObject *class, PyObject *arguments,
                          PyObject *keywords) {
  (void)class;
  static char *names[] = {"value", "context", NULL};
  PyObject *object = NULL;
  int value;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "p|O:get", names,
                                   &value, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context ? ir_attribute_new(context, context->api->mlirBoolAttrGet(
                                                 context->context, value))
                 : NULL;
}

IR_ATTRIBUTE_GETTER(bool_value,
                    PyBool_FromLong(api->mlirBoolAttrGetValue(attribute)))

static int bool_truth(PyObject *self) {
  struct ir_unique *unique = ir_unique_check(self);
  return unique ? unique->context->api->mlirBoolAttrGetValue(
                      (MlirAttribute){unique->pointer})
                : -1;
}

//===----------------------------------------------------------------------===//
// FloatAttr
//===----------------------------------------------------------------------===//

static PyObject *float_new(struct ir_context *context, MlirType type,
                           double value, PyObject *loc) {
  MlirLocation location;
  if (!context->api->mlirTypeIsAFloat(type)) {
    PyErr_SetString(PyExc_ValueError,
                    "the type of a float attribute is a float type");
    return NULL;
  }
  if (!ir_location_for(context, loc, &location))
    return NULL;
  return ir_attribute_new(context, context->api->mlirFloatAttrDoubleGetChecked(
                                       location, type, value));
}

static PyObject *float_get(PyObject *class, PyObject *arguments,
                           PyObject *keywords) {
  (void)class;
  static char *names[] = {"type", "value", "loc", NULL};
  PyObject *object, *loc = NULL;
  MlirType type;
  double value;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "Od|O:get", names,
                                   &object, &value, &loc) ||
      !ir_type_argument(object, NULL, &type))
    return NULL;
  return float_new(((struct ir_unique *)object)->context, type, value, loc);
}

static PyObject *float_of(PyObject *arguments, PyObject *keywords, bool wide) {
  static char *names[] = {"value", "context", NULL};
  PyObject *object = NULL;
  double value;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "d|O", names, &value,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context)
    return NULL;
  MlirType type = wide ? context->api->mlirF64TypeGet(context->context)
                       : context->api->mlirF32TypeGet(context->context);
  return float_new(context, type, value, NULL);
}

static PyObject *float_get_f32(PyObject *class, PyObject *arguments,
                               PyObject *keywords) {
  (void)class;
  return float_of(arguments, keywords, false);
}

static PyObject *float_get_f64(PyObject *class, PyObject *arguments,
                               PyObject *keywords) {
  (void)class;
  return float_of(arguments, keywords, true);
}

IR_ATTRIBUTE_GETTER(
    float_value,
    PyFloat_FromDouble(api->mlirFloatAttrGetValueDouble(attribute)))

static PyObject *float_float(PyObject *self) { return float_value(self, NULL); }

//===----------------------------------------------------------------------===//
// StringAttr, TypeAttr, UnitAttr
//===----------------------------------------------------------------------===//

static PyObject *string_get(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  (void)class;
  static char *names[] = {"value", "context", NULL};
  PyObject *value, *object = NULL;
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get", names,
                                   &value, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context && ir_string_argument(value, &text, &text_bytes)
             ? ir_attribute_new(context, context->api->mlirStringAttrGet(
                                             context->context, text))
             : NULL;
}

static PyObject *string_get_typed(PyObject *class, PyObject *arguments,
                                  PyObject *keywords) {
  (void)class;
  static char *names[] = {"type", "value", NULL};
  PyObject *object, *value;
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  MlirType type;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO:get_typed", names,
                                   &object, &value) ||
      !ir_type_argument(object, NULL, &type) ||
      !ir_string_argument(value, &text, &text_bytes))
    return NULL;
  struct ir_context *context = ((struct ir_unique *)object)->context;
  return ir_attribute_new(context,
                          context->api->mlirStringAttrTypedGet(type, text));
}

static PyObject *bytes_new(MlirStringRef text) {
  return PyBytes_FromStringAndSize(text.data, (Py_ssize_t)text.length);
}

IR_ATTRIBUTE_GETTER(string_value,
                    ir_string_new(api->mlirStringAttrGetValue(attribute)))
IR_ATTRIBUTE_GETTER(string_bytes,
                    bytes_new(api->mlirStringAttrGetValue(attribute)))

static PyObject *type_get(PyObject *class, PyObject *arguments,
                          PyObject *keywords) {
  (void)class;
  static char *names[] = {"value", "context", NULL};
  PyObject *value, *ignored = NULL;
  MlirType type;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get", names,
                                   &value, &ignored) ||
      !ir_type_argument(value, NULL, &type))
    return NULL;
  struct ir_context *context = ((struct ir_unique *)value)->context;
  return ir_attribute_new(context, context->api->mlirTypeAttrGet(type));
}

IR_ATTRIBUTE_GETTER(type_value,
                    ir_type_new(context, api->mlirTypeAttrGetValue(attribute)))

static PyObject *unit_get(PyObject *class, PyObject *arguments,
                          PyObject *keywords) {
  (void)class;
  static char *names[] = {"context", NULL};
  PyObject *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:get", names,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context ? ir_attribute_new(
                       context, context->api->mlirUnitAttrGet(context->context))
                 : NULL;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

#define GET_ONLY(name, function)                                               \
  static PyMethodDef name[] = {                                                \
      {"get", IR_FUNCTION(function), IR_STATIC, NULL},                         \
      {NULL, NULL, 0, NULL},                                                   \
  }
#define VALUE_ONLY(name, getter)                                               \
  static PyGetSetDef name[] = {                                                \
      {"value", getter, NULL, NULL, NULL},                                     \
      {NULL, NULL, NULL, NULL, NULL},                                          \
  }

GET_ONLY(integer_methods, integer_get);
GET_ONLY(bool_methods, bool_get);
GET_ONLY(type_methods, type_get);
GET_ONLY(unit_methods, unit_get);
VALUE_ONLY(integer_properties, integer_value);
VALUE_ONLY(bool_properties, bool_value);
VALUE_ONLY(float_properties, float_value);
VALUE_ONLY(type_properties, type_value);

static PyMethodDef float_methods[] = {
    {"get", IR_FUNCTION(float_get), IR_STATIC, NULL},
    {"get_f32", IR_FUNCTION(float_get_f32), IR_STATIC, NULL},
    {"get_f64", IR_FUNCTION(float_get_f64), IR_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyMethodDef string_methods[] = {
    {"get", IR_FUNCTION(string_get), IR_STATIC, NULL},
    {"get_typed", IR_FUNCTION(string_get_typed), IR_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef string_properties[] = {
    {"value", string_value, NULL, NULL, NULL},
    {"value_bytes", string_bytes, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_integer_attr_slots[] = {
    {Py_tp_methods, integer_methods},
    {Py_tp_getset, integer_properties},
    {Py_nb_int, integer_int},
    {0, NULL},
};

const PyType_Slot ir_bool_attr_slots[] = {
    {Py_tp_methods, bool_methods},
    {Py_tp_getset, bool_properties},
    {Py_nb_bool, bool_truth},
    {0, NULL},
};

const PyType_Slot ir_float_attr_slots[] = {
    {Py_tp_methods, float_methods},
    {Py_tp_getset, float_properties},
    {Py_nb_float, float_float},
    {0, NULL},
};

const PyType_Slot ir_string_attr_slots[] = {
    {Py_tp_methods, string_methods},
    {Py_tp_getset, string_properties},
    {0, NULL},
};

const PyType_Slot ir_type_attr_slots[] = {
    {Py_tp_methods, type_methods},
    {Py_tp_getset, type_properties},
    {0, NULL},
};

const PyType_Slot ir_unit_attr_slots[] = {
    {Py_tp_methods, unit_methods},
    {0, NULL},
};
