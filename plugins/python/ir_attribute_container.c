// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays, dictionaries, symbols, layouts and affine maps as attributes.

#include "ir_kind.h"

//===----------------------------------------------------------------------===//
// ArrayAttr
//===----------------------------------------------------------------------===//

static PyObject *array_new(struct ir_context *context, PyObject *object) {
  PyObject *items = ir_sequence(object, "a sequence of Attributes");
  Py_ssize_t count = items ? PyTuple_Size(items) : 0;
  MlirAttribute *attributes =
      items ? ir_array_new(count, sizeof(*attributes)) : NULL;
  bool good = attributes != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i)
    good = ir_attribute_argument(PyTuple_GetItem(items, i), context,
                                 &attributes[i]);
  PyObject *array = NULL;
  if (good)
    array = ir_attribute_new(context, context->api->mlirArrayAttrGet(
                                          context->context, count, attributes));
  PyMem_Free(attributes);
  Py_XDECREF(items);
  return array;
}

static PyObject *array_get(PyObject *class, PyObject *arguments,
                           PyObject *keywords) {
  (void)class;
  static char *names[] = {"attributes", "context", NULL};
  PyObject *attributes, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get", names,
                                   &attributes, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context ? array_new(context, attributes) : NULL;
}

static Py_ssize_t array_length(PyObject *self) {
  struct ir_unique *unique = ir_unique_check(self);
  return unique ? unique->context->api->mlirArrayAttrGetNumElements(
                      (MlirAttribute){unique->pointer})
                : -1;
}

static PyObject *array_item(PyObject *self, Py_ssize_t index) {
  IR_ATTRIBUTE(self);
  if (index < 0 || index >= api->mlirArrayAttrGetNumElements(attribute)) {
    PyErr_SetString(PyExc_IndexError, "ArrayAttribute index out of range");
    return NULL;
  }
  return ir_attribute_new(context,
                          api->mlirArrayAttrGetElement(attribute, index));
}

static PyObject *array_add(PyObject *self, PyObject *other) {
  IR_ATTRIBUTE(self);
  PyObject *first = PySequence_List(self);
  PyObject *second = first ? PySequence_List(other) : NULL;
  PyObject *both = second ? PySequence_Concat(first, second) : NULL;
  PyObject *array = both ? array_new(context, both) : NULL;
  Py_XDECREF(first);
  Py_XDECREF(second);
  Py_XDECREF(both);
  return array;
}

//===----------------------------------------------------------------------===//
// DictAttr
//===----------------------------------------------------------------------===//

static PyObject *dict_get(PyObject *class, PyObject *arguments,
                          PyObject *keywords) {
  (void)class;
  static char *names[] = {"value", "context", NULL};
  PyObject *value = NULL, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OO:get", names,
                                   &value, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  PyObject *items = !context ? NULL
                    : value  ? PyMapping_Items(value)
                             : PyList_New(0);
  Py_ssize_t count = items ? PyList_Size(items) : 0;
  MlirNamedAttribute *named =
      items ? ir_array_new(count, sizeof(*named)) : NULL;
  bool good = named != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    PyObject *key, *element;
    MlirStringRef name;
    PyObject *name_bytes IR_KEPT = NULL;
    good = PyArg_ParseTuple(PyList_GetItem(items, i), "OO", &key, &element) &&
           ir_string_argument(key, &name, &name_bytes) &&
           ir_attribute_argument(element, context, &named[i].attribute);
    if (good)
      named[i].name = context->api->mlirIdentifierGet(context->context, name);
  }
  PyObject *attribute = NULL;
  if (good)
    attribute = ir_attribute_new(context, context->api->mlirDictionaryAttrGet(
                                              context->context, count, named));
  PyMem_Free(named);
  Py_XDECREF(items);
  return attribute;
}

static Py_ssize_t dict_length(PyObject *self) {
  struct ir_unique *unique = ir_unique_check(self);
  return unique ? unique->context->api->mlirDictionaryAttrGetNumElements(
                      (MlirAttribute){unique->pointer})
                : -1;
}

/// New; null without an exception if the name is not there.
static PyObject *dict_find(PyObject *self, PyObject *key) {
  MlirStringRef name;
  PyObject *name_bytes IR_KEPT = NULL;
  IR_ATTRIBUTE(self);
  if (!ir_string_argument(key, &name, &name_bytes))
    return NULL;
  MlirAttribute found =
      api->mlirDictionaryAttrGetElementByName(attribute, name);
  return found.ptr ? ir_attribute_new(context, found) : NULL;
}

static PyObject *dict_at(PyObject *self, Py_ssize_t index) {
  IR_ATTRIBUTE(self);
  if (index < 0 || index >= api->mlirDictionaryAttrGetNumElements(attribute)) {
    PyErr_SetString(PyExc_IndexError, "index out of range");
    return NULL;
  }
  MlirNamedAttribute named =
      api->mlirDictionaryAttrGetElement(attribute, index);
  PyObject *name = ir_string_new(api->mlirIdentifierStr(named.name));
  PyObject *value = ir_attribute_new(context, named.attribute);
  PyObject *object =
      name && value ? PyObject_CallMethod(context->types->support,
                                          "NamedAttribute", "OO", name, value)
                    : NULL;
  Py_XDECREF(name);
  Py_XDECREF(value);
  return object;
}

static PyObject *dict_subscript(PyObject *self, PyObject *key) {
  if (PyLong_Check(key)) {
    Py_ssize_t index = PyLong_AsSsize_t(key);
    return index == -1 && PyErr_Occurred() ? NULL : dict_at(self, index);
  }
  PyObject *found = dict_find(self, key);
  if (!found && !PyErr_Occurred())
    PyErr_SetObject(PyExc_KeyError, key);
  return found;
}

static int dict_contains(PyObject *self, PyObject *key) {
  PyObject *found = dict_find(self, key);
  Py_XDECREF(found);
  return found ? 1 : PyErr_Occurred() ? -1 : 0;
}

//===----------------------------------------------------------------------===//
// SymbolRefAttr, FlatSymbolRefAttr
//===----------------------------------------------------------------------===//

static PyObject *symbol_get(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  (void)class;
  static char *names[] = {"symbols", "context", NULL};
  PyObject *symbols, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get", names,
                                   &symbols, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  PyObject *items =
      context ? ir_sequence(symbols, "a sequence of names") : NULL;
  Py_ssize_t count = items ? PyTuple_Size(items) : 0;
  MlirStringRef root, name;
  PyObject *name_bytes IR_KEPT = NULL;
  PyObject *root_bytes IR_KEPT = NULL;
  MlirAttribute *nested = items ? ir_array_new(count, sizeof(*nested)) : NULL;
  bool good = nested != NULL;
  if (good && count == 0) {
    PyErr_SetString(PyExc_RuntimeError,
                    "SymbolRefAttr must be composed of at least one symbol.");
    good = false;
  }
  good =
      good && ir_string_argument(PyTuple_GetItem(items, 0), &root, &root_bytes);
  for (Py_ssize_t i = 1; good && i < count; ++i) {
    good = ir_string_argument(PyTuple_GetItem(items, i), &name, &name_bytes);
    if (good)
      nested[i - 1] =
          context->api->mlirFlatSymbolRefAttrGet(context->context, name);
  }
  PyObject *attribute = NULL;
  if (good)
    attribute = ir_attribute_new(
        context, context->api->mlirSymbolRefAttrGet(context->context, root,
                                                    count - 1, nested));
  PyMem_Free(nested);
  Py_XDECREF(items);
  return attribute;
}

static PyObject *symbol_list(const struct ir_api *api,
                             MlirAttribute attribute) {
  intptr_t count = api->mlirSymbolRefAttrGetNumNestedReferences(attribute);
  PyObject *list = PyList_New(0);
  for (intptr_t i = -1; list && i < count; ++i) {
    PyObject *name = ir_string_new(
        i < 0 ? api->mlirSymbolRefAttrGetRootReference(attribute)
              : api->mlirSymbolRefAttrGetRootReference(
                    api->mlirSymbolRefAttrGetNestedReference(attribute, i)));
    if (!name || PyList_Append(list, name) < 0)
      Py_CLEAR(list);
    Py_XDECREF(name);
  }
  return list;
}

IR_ATTRIBUTE_GETTER(symbol_value, symbol_list(api, attribute))

static PyObject *flat_get(PyObject *class, PyObject *arguments,
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
             ? ir_attribute_new(context, context->api->mlirFlatSymbolRefAttrGet(
                                             context->context, text))
             : NULL;
}

IR_ATTRIBUTE_GETTER(
    flat_value, ir_string_new(api->mlirFlatSymbolRefAttrGetValue(attribute)))

//===----------------------------------------------------------------------===//
// StridedLayoutAttr, AffineMapAttr, OpaqueAttr
//===----------------------------------------------------------------------===//

static PyObject *strided_get(PyObject *class, PyObject *arguments,
                             PyObject *keywords) {
  (void)class;
  static char *names[] = {"offset", "strides", "context", NULL};
  PyObject *strides, *object = NULL;
  long long offset;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "LO|O:get", names,
                                   &offset, &strides, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  int64_t *numbers;
  Py_ssize_t count;
  if (!context || !IR_NEED(context->api, mlirStridedLayoutAttrGet) ||
      !ir_integers(strides, "a sequence of strides", &numbers, &count))
    return NULL;
  PyObject *attribute =
      ir_attribute_new(context, context->api->mlirStridedLayoutAttrGet(
                                    context->context, offset, count, numbers));
  PyMem_Free(numbers);
  return attribute;
}

static PyObject *strided_dynamic(PyObject *class, PyObject *arguments,
                                 PyObject *keywords) {
  (void)class;
  static char *names[] = {"rank", "context", NULL};
  PyObject *object = NULL;
  Py_ssize_t rank;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "n|O", names, &rank,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context || !IR_NEED(context->api, mlirStridedLayoutAttrGet))
    return NULL;
  if (rank < 0 || rank > 1 << 16) {
    PyErr_SetString(PyExc_ValueError, "no such rank");
    return NULL;
  }
  int64_t *numbers = ir_array_new(rank, sizeof(*numbers));
  if (!numbers)
    return NULL;
  for (Py_ssize_t i = 0; i < rank; ++i)
    numbers[i] = INT64_MIN;
  PyObject *attribute = ir_attribute_new(
      context, context->api->mlirStridedLayoutAttrGet(
                   context->context, INT64_MIN, rank, numbers));
  PyMem_Free(numbers);
  return attribute;
}

static PyObject *strides_list(const struct ir_api *api,
                              MlirAttribute attribute) {
  intptr_t count = api->mlirStridedLayoutAttrGetNumStrides(attribute);
  PyObject *list = PyList_New(0);
  for (intptr_t i = 0; list && i < count; ++i) {
    PyObject *stride =
        PyLong_FromLongLong(api->mlirStridedLayoutAttrGetStride(attribute, i));
    if (!stride || PyList_Append(list, stride) < 0)
      Py_CLEAR(list);
    Py_XDECREF(stride);
  }
  return list;
}

IR_ATTRIBUTE_GETTER(
    strided_offset,
    PyLong_FromLongLong(api->mlirStridedLayoutAttrGetOffset(attribute)))
IR_ATTRIBUTE_GETTER(strided_strides, strides_list(api, attribute))

static PyObject *map_get(PyObject *class, PyObject *object) {
  (void)class;
  struct ir_unique *map = ir_unique_argument(
      object, module_ir_types()->affine_map, NULL, "an AffineMap");
  return map ? ir_attribute_new(map->context,
                                map->context->api->mlirAffineMapAttrGet(
                                    (MlirAffineMap){map->pointer}))
             : NULL;
}

IR_ATTRIBUTE_GETTER(
    map_value,
    ir_affine_map_new(context, api->mlirAffineMapAttrGetValue(attribute)))
IR_ATTRIBUTE_GETTER(
    opaque_namespace,
    ir_string_new(api->mlirOpaqueAttrGetDialectNamespace(attribute)))

static PyObject *opaque_bytes(MlirStringRef text) {
  return PyBytes_FromStringAndSize(text.data, (Py_ssize_t)text.length);
}

IR_ATTRIBUTE_GETTER(opaque_data,
                    opaque_bytes(api->mlirOpaqueAttrGetData(attribute)))

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

GET_ONLY(array_methods, array_get);
GET_ONLY(symbol_methods, symbol_get);
GET_ONLY(flat_methods, flat_get);
VALUE_ONLY(symbol_properties, symbol_value);
VALUE_ONLY(flat_properties, flat_value);
VALUE_ONLY(map_properties, map_value);

static PyObject *dict_get_item(PyObject *self, PyObject *arguments);

/// DictAttr.get is a function to make one.
static PyMethodDef dict_methods[] = {
    {"get", IR_FUNCTION(dict_get), IR_STATIC, NULL},
    {"lookup", dict_get_item, METH_VARARGS,
     "The attribute of this name, or the second argument (None)."},
    {NULL, NULL, 0, NULL},
};

static PyObject *dict_get_item(PyObject *self, PyObject *arguments) {
  PyObject *key, *otherwise = Py_None;
  if (!PyArg_ParseTuple(arguments, "O|O:lookup", &key, &otherwise))
    return NULL;
  PyObject *found = dict_find(self, key);
  if (!found && !PyErr_Occurred()) {
    Py_INCREF(otherwise);
    found = otherwise;
  }
  return found;
}

static PyMethodDef strided_methods[] = {
    {"get", IR_FUNCTION(strided_get), IR_STATIC, NULL},
    {"get_fully_dynamic", IR_FUNCTION(strided_dynamic), IR_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef strided_properties[] = {
    {"offset", strided_offset, NULL, NULL, NULL},
    {"strides", strided_strides, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef map_methods[] = {
    {"get", map_get, METH_O | METH_STATIC, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef opaque_properties[] = {
    {"dialect_namespace", opaque_namespace, NULL, NULL, NULL},
    {"data", opaque_data, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_array_attr_slots[] = {
    {Py_tp_methods, array_methods},
    {Py_sq_length, array_length},
    {Py_sq_item, array_item},
    {Py_sq_concat, array_add},
    {0, NULL},
};

const PyType_Slot ir_dict_attr_slots[] = {
    {Py_tp_methods, dict_methods},
    {Py_mp_length, dict_length},
    {Py_mp_subscript, dict_subscript},
    {Py_sq_contains, dict_contains},
    {Py_sq_item, dict_at},
    {0, NULL},
};

const PyType_Slot ir_symbol_attr_slots[] = {
    {Py_tp_methods, symbol_methods},
    {Py_tp_getset, symbol_properties},
    {0, NULL},
};

const PyType_Slot ir_flat_symbol_attr_slots[] = {
    {Py_tp_methods, flat_methods},
    {Py_tp_getset, flat_properties},
    {0, NULL},
};

const PyType_Slot ir_strided_attr_slots[] = {
    {Py_tp_methods, strided_methods},
    {Py_tp_getset, strided_properties},
    {0, NULL},
};

const PyType_Slot ir_map_attr_slots[] = {
    {Py_tp_methods, map_methods},
    {Py_tp_getset, map_properties},
    {0, NULL},
};

const PyType_Slot ir_opaque_attr_slots[] = {
    {Py_tp_getset, opaque_properties},
    {0, NULL},
};
