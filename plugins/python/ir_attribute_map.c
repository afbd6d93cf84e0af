// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of an operation, by name and by index.

#include "ir_operation.h"

struct map {
  PyObject_HEAD;
  PyObject *owner; ///< An Operation.
};

#define MAP(self)                                                              \
  struct ir_handle *handle = ir_handle_check(((struct map *)(self))->owner);   \
  if (!handle)                                                                 \
    return NULL;                                                               \
  const struct ir_api *api = handle->tree->context->api;                       \
  MlirOperation operation = {handle->pointer}

static PyObject *named_new(const struct ir_handle *handle,
                           MlirNamedAttribute named) {
  struct ir_context *context = handle->tree->context;
  PyObject *name = ir_string_new(context->api->mlirIdentifierStr(named.name));
  PyObject *attribute = ir_attribute_new(context, named.attribute);
  PyObject *object =
      name && attribute
          ? PyObject_CallMethod(context->types->support, "NamedAttribute", "OO",
                                name, attribute)
          : NULL;
  Py_XDECREF(name);
  Py_XDECREF(attribute);
  return object;
}

static Py_ssize_t map_length(PyObject *self) {
  struct ir_handle *handle = ir_handle_check(((struct map *)self)->owner);
  return handle ? handle->tree->context->api->mlirOperationGetNumAttributes(
                      (MlirOperation){handle->pointer})
                : -1;
}

/// The attribute of this name: new; null without an exception if there is none.
static PyObject *map_find(PyObject *self, PyObject *key) {
  MlirStringRef name;
  PyObject *name_bytes IR_KEPT = NULL;
  if (!ir_string_argument(key, &name, &name_bytes))
    return NULL;
  MAP(self);
  MlirAttribute attribute =
      api->mlirOperationGetAttributeByName(operation, name);
  return attribute.ptr ? ir_attribute_new(handle->tree->context, attribute)
                       : NULL;
}

static PyObject *map_subscript(PyObject *self, PyObject *key) {
  if (PyLong_Check(key)) {
    Py_ssize_t index = PyLong_AsSsize_t(key);
    if (index == -1 && PyErr_Occurred())
      return NULL;
    MAP(self);
    intptr_t count = api->mlirOperationGetNumAttributes(operation);
    if (index < 0)
      index += count;
    if (index < 0 || index >= count) {
      PyErr_SetString(PyExc_IndexError,
                      "attempt to access out-of-bounds attribute");
      return NULL;
    }
    return named_new(handle, api->mlirOperationGetAttribute(operation, index));
  }
  PyObject *attribute = map_find(self, key);
  if (!attribute && !PyErr_Occurred())
    PyErr_SetObject(PyExc_KeyError, key);
  return attribute;
}

static int map_assign(PyObject *self, PyObject *key, PyObject *value) {
  MlirStringRef name;
  PyObject *name_bytes IR_KEPT = NULL;
  MlirAttribute attribute = {NULL};
  if (!ir_string_argument(key, &name, &name_bytes))
    return -1;
  struct ir_handle *handle =
      ir_handle_check_inside(((struct map *)self)->owner);
  if (!handle)
    return -1;
  const struct ir_context *context = handle->tree->context;
  MlirOperation operation = {handle->pointer};
  if (value && !ir_attribute_argument(value, context, &attribute))
    return -1;
  handle->tree->scope->edited = true;
  if (value) {
    context->api->mlirOperationSetAttributeByName(operation, name, attribute);
    return 0;
  }
  if (!context->api->mlirOperationRemoveAttributeByName(operation, name)) {
    PyErr_SetObject(PyExc_KeyError, key);
    return -1;
  }
  return 0;
}

static int map_contains(PyObject *self, PyObject *key) {
  PyObject *attribute = map_find(self, key);
  Py_XDECREF(attribute);
  return attribute ? 1 : PyErr_Occurred() ? -1 : 0;
}

static PyObject *map_get(PyObject *self, PyObject *arguments) {
  PyObject *key, *otherwise = Py_None;
  if (!PyArg_ParseTuple(arguments, "O|O:get", &key, &otherwise))
    return NULL;
  PyObject *attribute = map_find(self, key);
  if (!attribute && !PyErr_Occurred()) {
    Py_INCREF(otherwise);
    attribute = otherwise;
  }
  return attribute;
}

enum part { KEYS, VALUES, ITEMS };

static PyObject *map_list(PyObject *self, enum part part) {
  MAP(self);
  intptr_t count = api->mlirOperationGetNumAttributes(operation);
  PyObject *list = PyList_New(0);
  for (intptr_t i = 0; list && i < count; ++i) {
    MlirNamedAttribute named = api->mlirOperationGetAttribute(operation, i);
    PyObject *name = ir_string_new(api->mlirIdentifierStr(named.name));
    PyObject *value = ir_attribute_new(handle->tree->context, named.attribute);
    PyObject *item = NULL;
    if (name && value)
      item = part == KEYS     ? Py_BuildValue("O", name)
             : part == VALUES ? Py_BuildValue("O", value)
                              : PyTuple_Pack(2, name, value);
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(name);
    Py_XDECREF(value);
    Py_XDECREF(item);
  }
  return list;
}

static PyObject *map_keys(PyObject *self, PyObject *ignored) {
  (void)ignored;
  return map_list(self, KEYS);
}

static PyObject *map_values(PyObject *self, PyObject *ignored) {
  (void)ignored;
  return map_list(self, VALUES);
}

static PyObject *map_items(PyObject *self, PyObject *ignored) {
  (void)ignored;
  return map_list(self, ITEMS);
}

static PyObject *map_iterate(PyObject *self) {
  PyObject *keys = map_list(self, KEYS);
  PyObject *iterator = keys ? PyObject_GetIter(keys) : NULL;
  Py_XDECREF(keys);
  return iterator;
}

PyObject *ir_attribute_map_new(PyObject *owner) {
  struct ir_types *types = ((struct ir_handle *)owner)->tree->context->types;
  struct map *map = ir_object_new(types->attribute_map);
  if (!map)
    return NULL;
  Py_INCREF(owner);
  map->owner = owner;
  return (PyObject *)map;
}

static void map_dealloc(PyObject *self) {
  PyObject *owner = ((struct map *)self)->owner;
  ir_object_free(self);
  Py_XDECREF(owner);
}

static PyMethodDef methods[] = {
    {"get", map_get, METH_VARARGS, NULL},
    {"keys", map_keys, METH_NOARGS, NULL},
    {"values", map_values, METH_NOARGS, NULL},
    {"items", map_items, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "The attributes of an operation: by name, or by index."},
    {Py_tp_new, ir_handle_make},
    {Py_tp_dealloc, map_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_iter, map_iterate},
    {Py_sq_contains, map_contains},
    {Py_mp_length, map_length},
    {Py_mp_subscript, map_subscript},
    {Py_mp_ass_subscript, map_assign},
    {0, NULL},
};

int ir_attribute_map_register(PyObject *module, struct ir_types *types) {
  types->attribute_map =
      ir_class_make(module, "OpAttributeMap", sizeof(struct map), NULL, slots);
  return types->attribute_map ? 0 : -1;
}
