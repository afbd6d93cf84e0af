// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "columns.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static PyObject *text_of(const struct ir_api *api, MlirAttribute attribute) {
  struct ir_text text = {0};
  api->mlirAttributePrint(attribute, ir_text_append, &text);
  return ir_text_take(&text);
}

/// Of more than 64 bits: the number is what its text begins with.
static PyObject *wide_integer(const struct ir_api *api,
                              MlirAttribute attribute) {
  PyObject *text = text_of(api, attribute);
  PyObject *parts = text ? PyObject_CallMethod(text, "split", NULL) : NULL;
  PyObject *first = parts ? PyList_GetItem(parts, 0) : NULL;
  PyObject *number =
      first
          ? PyObject_CallFunctionObjArgs((PyObject *)&PyLong_Type, first, NULL)
          : NULL;
  Py_XDECREF(text);
  Py_XDECREF(parts);
  return number;
}

static PyObject *integer(const struct ir_api *api, MlirAttribute attribute) {
  MlirType type = api->mlirAttributeGetType(attribute);
  bool is_index = api->mlirTypeIsAIndex(type);
  if (!is_index && api->mlirIntegerTypeGetWidth(type) > 64)
    return wide_integer(api, attribute);
  if (is_index || api->mlirIntegerTypeIsSignless(type))
    return PyLong_FromLongLong(api->mlirIntegerAttrGetValueInt(attribute));
  if (api->mlirIntegerTypeIsSigned(type))
    return PyLong_FromLongLong(api->mlirIntegerAttrGetValueSInt(attribute));
  return PyLong_FromUnsignedLongLong(
      api->mlirIntegerAttrGetValueUInt(attribute));
}

/// A str, bool, int or float if the attribute is such; else its text.
static PyObject *value_of(const struct ir_api *api, MlirAttribute attribute) {
  if (api->mlirAttributeIsAString(attribute))
    return ir_string_new(api->mlirStringAttrGetValue(attribute));
  if (api->mlirAttributeIsABool(attribute))
    return PyBool_FromLong(api->mlirBoolAttrGetValue(attribute));
  if (api->mlirAttributeIsAInteger(attribute))
    return integer(api, attribute);
  if (api->mlirAttributeIsAFloat(attribute))
    return PyFloat_FromDouble(api->mlirFloatAttrGetValueDouble(attribute));
  if (api->mlirAttributeIsAFlatSymbolRef(attribute))
    return ir_string_new(api->mlirFlatSymbolRefAttrGetValue(attribute));
  if (api->mlirAttributeIsAUnit(attribute))
    return PyBool_FromLong(true);
  return text_of(api, attribute);
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static PyObject *identifier_of(const struct ir_api *api, const void *key) {
  return ir_string_new(api->mlirIdentifierStr((MlirIdentifier){(void *)key}));
}

static PyObject *attribute_of(const struct ir_api *api, const void *key) {
  return value_of(api, (MlirAttribute){key});
}

static PyObject *
list_of(const struct ir_api *api, const struct column_codes *codes,
        PyObject *(*make)(const struct ir_api *api, const void *key)) {
  PyObject *list = PyList_New((Py_ssize_t)codes->count);
  for (size_t i = 0; list && i < codes->count; ++i) {
    PyObject *item = make(api, codes->keys[i]);
    if (!item || PyList_SetItem(list, (Py_ssize_t)i, item) < 0)
      Py_CLEAR(list);
  }
  return list;
}

PyObject *column_identifiers(const struct ir_api *api,
                             const struct column_codes *codes) {
  return list_of(api, codes, identifier_of);
}

PyObject *column_values(const struct ir_api *api,
                        const struct column_codes *codes) {
  return list_of(api, codes, attribute_of);
}
