// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DenseElementsAttr: constants of tensors, from and to arrays of numbers.

#include "buffer.h"
#include "ir_kind.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// From a buffer
//===----------------------------------------------------------------------===//

/// The type of an array's elements; null with an exception set if there is
/// none.
static MlirType element_type(const struct ir_context *context,
                             const struct python_buffer *view, bool signless) {
  const struct ir_api *api = context->api;
  const char *format = view->format ? view->format : "B";
  // Native order, in all ways it can be written.
  if (strchr("@=<", *format))
    ++format;
  unsigned width = (unsigned)(8 * view->itemsize);
  if (*format && !format[1]) {
    if (*format == 'e')
      return api->mlirF16TypeGet(context->context);
    if (*format == 'f')
      return api->mlirF32TypeGet(context->context);
    if (*format == 'd')
      return api->mlirF64TypeGet(context->context);
    if (strchr("bhilq", *format))
      return signless ? api->mlirIntegerTypeGet(context->context, width)
                      : api->mlirIntegerTypeSignedGet(context->context, width);
    if (strchr("BHILQ", *format))
      return signless
                 ? api->mlirIntegerTypeGet(context->context, width)
                 : api->mlirIntegerTypeUnsignedGet(context->context, width);
  }
  PyErr_Format(PyExc_TypeError,
               "there is no type of elements for the array's format '%s'; use "
               "a list of attributes",
               format);
  return (MlirType){NULL};
}

/// Bytes of an element of this type, or 0 if C cannot say.
static Py_ssize_t element_size(const struct ir_api *api, MlirType type) {
  unsigned width = 0;
  if (api->mlirTypeIsAIndex(type))
    width = 64;
  else if (api->mlirTypeIsAInteger(type))
    width = api->mlirIntegerTypeGetWidth(type);
  else if (api->mlirTypeIsAFloat(type) && IR_HAS(api, mlirFloatTypeGetWidth))
    width = api->mlirFloatTypeGetWidth(type);
  return width % 8 ? 0 : width / 8;
}

static MlirType tensor_type(struct ir_context *context, MlirType element,
                            const int64_t *shape, Py_ssize_t rank) {
  return context->api->mlirRankedTensorTypeGetChecked(
      context->api->mlirLocationUnknownGet(context->context), rank, shape,
      element, (MlirAttribute){NULL});
}

/// The shaped type for an array: `type` may be null, of elements, or all of it.
static bool array_type(struct ir_context *context,
                       const struct python_buffer *view, bool signless,
                       PyObject *type, PyObject *shape, MlirType *result) {
  const struct ir_api *api = context->api;
  MlirType element = {NULL};
  if (type && type != Py_None) {
    if (!ir_type_argument(type, context, &element))
      return false;
    if (api->mlirTypeIsAShaped(element)) {
      *result = element;
      return true;
    }
  } else {
    element = element_type(context, view, signless);
    if (!element.ptr)
      return false;
  }
  int64_t *sizes = NULL;
  Py_ssize_t rank = view->ndim;
  bool given = shape && shape != Py_None;
  if (given) {
    if (!ir_integers(shape, "a sequence of sizes", &sizes, &rank))
      return false;
  } else {
    sizes = ir_array_new(rank, sizeof(*sizes));
    for (Py_ssize_t i = 0; sizes && i < rank; ++i)
      sizes[i] = view->shape[i];
  }
  if (sizes)
    *result = tensor_type(context, element, sizes, rank);
  PyMem_Free(sizes);
  if (sizes && !result->ptr)
    PyErr_SetString(PyExc_ValueError, "no tensor has this shape and elements");
  return sizes && result->ptr;
}

/// Of `view`, whose bytes are what MLIR keeps, too.
static PyObject *from_view(struct ir_context *context,
                           const struct python_buffer *view, MlirType type) {
  const struct ir_api *api = context->api;
  if (!api->mlirShapedTypeHasRank(type) ||
      !api->mlirShapedTypeHasStaticShape(type)) {
    PyErr_SetString(PyExc_ValueError, "the shape must be static");
    return NULL;
  }
  int64_t count = 1;
  for (int64_t i = 0; i < api->mlirShapedTypeGetRank(type); ++i)
    count *= api->mlirShapedTypeGetDimSize(type, i);
  Py_ssize_t size = element_size(api, api->mlirShapedTypeGetElementType(type));
  if (!size || size != view->itemsize ||
      (view->len != count * size && view->len != size)) {
    PyErr_SetString(PyExc_ValueError,
                    "the array's elements or their number do not fit the type");
    return NULL;
  }
  MlirAttribute attribute = api->mlirDenseElementsAttrRawBufferGet(
      type, (size_t)view->len, view->buf);
  if (!attribute.ptr) {
    PyErr_SetString(PyExc_ValueError,
                    "MLIR does not take this array for the type");
    return NULL;
  }
  return ir_attribute_new(context, attribute);
}

//===----------------------------------------------------------------------===//
// From attributes
//===----------------------------------------------------------------------===//

/// Whether `attribute` can be an element of that type; raises if not.
static bool is_element(const struct ir_api *api, MlirAttribute attribute,
                       MlirType element) {
  bool good = (api->mlirAttributeIsAInteger(attribute) ||
               api->mlirAttributeIsAFloat(attribute)) &&
              api->mlirAttributeGetType(attribute).ptr == element.ptr;
  if (!good)
    PyErr_SetString(PyExc_ValueError,
                    "the elements have to be IntegerAttr or FloatAttr of the "
                    "element type");
  return good;
}

static bool is_static(const struct ir_api *api, MlirType type) {
  if (api->mlirTypeIsAShaped(type) && api->mlirShapedTypeHasRank(type) &&
      api->mlirShapedTypeHasStaticShape(type) && !api->mlirTypeIsAMemRef(type))
    return true;
  PyErr_SetString(PyExc_ValueError,
                  "Expected a static ShapedType for the shaped_type parameter");
  return false;
}

static PyObject *from_attributes(struct ir_context *context, PyObject *items,
                                 PyObject *type_object) {
  const struct ir_api *api = context->api;
  Py_ssize_t count = PyTuple_Size(items);
  MlirAttribute *elements = ir_array_new(count, sizeof(*elements));
  bool good = elements != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i)
    good =
        ir_attribute_argument(PyTuple_GetItem(items, i), context, &elements[i]);
  MlirType type = {NULL};
  if (good && count == 0) {
    PyErr_SetString(PyExc_ValueError, "Attributes list must be non-empty");
    good = false;
  }
  if (good && type_object && type_object != Py_None) {
    good = ir_type_argument(type_object, context, &type);
  } else if (good) {
    int64_t size = count;
    MlirType element = api->mlirAttributeGetType(elements[0]);
    if (element.ptr)
      type = tensor_type(context, element, &size, 1);
    good = type.ptr != NULL;
    if (!good)
      PyErr_SetString(PyExc_ValueError, "the elements have no type");
  }
  good = good && is_static(api, type);
  int64_t total = 1;
  for (int64_t i = 0; good && i < api->mlirShapedTypeGetRank(type); ++i)
    total *= api->mlirShapedTypeGetDimSize(type, i);
  if (good && count != 1 && count != total) {
    PyErr_SetString(PyExc_ValueError,
                    "there must be as many attributes as elements");
    good = false;
  }
  for (Py_ssize_t i = 0; good && i < count; ++i)
    good =
        is_element(api, elements[i], api->mlirShapedTypeGetElementType(type));
  PyObject *attribute = NULL;
  if (good)
    attribute = ir_attribute_new(
        context, api->mlirDenseElementsAttrGet(type, count, elements));
  PyMem_Free(elements);
  return attribute;
}

static PyObject *dense_get(PyObject *class, PyObject *arguments,
                           PyObject *keywords) {
  (void)class;
  static char *names[] = {"array", "signless", "type",
                          "shape", "context",  NULL};
  PyObject *array, *signless = NULL, *type = NULL, *shape = NULL;
  PyObject *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OOOO:get", names,
                                   &array, &signless, &type, &shape, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context)
    return NULL;
  // get(attributes, type) has its type in the second place.
  if (PyList_Check(array) || PyTuple_Check(array)) {
    if (signless && PyObject_TypeCheck(signless, context->types->type))
      type = signless;
    PyObject *items = ir_sequence(array, "a list of Attributes");
    PyObject *attribute = items ? from_attributes(context, items, type) : NULL;
    Py_XDECREF(items);
    return attribute;
  }
  int plain = signless ? PyObject_IsTrue(signless) : 1;
  struct python_buffer view;
  if (plain < 0 || !IR_NEED(context->api, mlirDenseElementsAttrRawBufferGet) ||
      python_buffer_get(array, &view,
                        PYTHON_BUFFER_C_CONTIGUOUS | PYTHON_BUFFER_FORMAT) < 0)
    return NULL;
  MlirType shaped = {NULL};
  PyObject *attribute = NULL;
  if (array_type(context, &view, plain, type, shape, &shaped))
    attribute = from_view(context, &view, shaped);
  python_buffer_release(&view);
  return attribute;
}

static PyObject *dense_get_splat(PyObject *class, PyObject *arguments,
                                 PyObject *keywords) {
  (void)class;
  static char *names[] = {"shaped_type", "element_attr", NULL};
  PyObject *type_object, *element_object;
  MlirType type;
  MlirAttribute element;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO:get_splat", names,
                                   &type_object, &element_object) ||
      !ir_type_argument(type_object, NULL, &type))
    return NULL;
  struct ir_context *context = ((struct ir_unique *)type_object)->context;
  const struct ir_api *api = context->api;
  if (!ir_attribute_argument(element_object, context, &element) ||
      !is_static(api, type) ||
      !is_element(api, element, api->mlirShapedTypeGetElementType(type)))
    return NULL;
  return ir_attribute_new(context,
                          api->mlirDenseElementsAttrSplatGet(type, element));
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static Py_ssize_t dense_length(PyObject *self) {
  struct ir_unique *unique = ir_unique_check(self);
  return unique ? unique->context->api->mlirElementsAttrGetNumElements(
                      (MlirAttribute){unique->pointer})
                : -1;
}

static PyObject *splat_value(struct ir_context *context,
                             MlirAttribute attribute) {
  if (!context->api->mlirDenseElementsAttrIsSplat(attribute)) {
    PyErr_SetString(PyExc_ValueError,
                    "get_splat_value called on a non-splat attribute");
    return NULL;
  }
  return ir_attribute_new(
      context, context->api->mlirDenseElementsAttrGetSplatValue(attribute));
}

IR_ATTRIBUTE_GETTER(
    dense_is_splat,
    PyBool_FromLong(api->mlirDenseElementsAttrIsSplat(attribute)))

static PyObject *dense_splat_value(PyObject *self, PyObject *ignored) {
  (void)ignored;
  IR_ATTRIBUTE(self);
  return splat_value(context, attribute);
}

static PyObject *number_at(const struct ir_api *api, MlirAttribute attribute,
                           MlirType element, intptr_t index) {
  if (api->mlirTypeIsAF32(element))
    return PyFloat_FromDouble(
        api->mlirDenseElementsAttrGetFloatValue(attribute, index));
  if (api->mlirTypeIsAF64(element))
    return PyFloat_FromDouble(
        api->mlirDenseElementsAttrGetDoubleValue(attribute, index));
  if (api->mlirTypeIsAIndex(element) &&
      IR_NEED(api, mlirDenseElementsAttrGetIndexValue))
    return PyLong_FromUnsignedLongLong(
        api->mlirDenseElementsAttrGetIndexValue(attribute, index));
  unsigned width = api->mlirTypeIsAInteger(element)
                       ? api->mlirIntegerTypeGetWidth(element)
                       : 0;
  bool is_unsigned = width && api->mlirIntegerTypeIsUnsigned(element);
  switch (is_unsigned ? width + 1 : width) {
  case 1:
  case 2:
    if (width == 1)
      return PyLong_FromLong(
          api->mlirDenseElementsAttrGetBoolValue(attribute, index));
    break;
  case 8:
    return PyLong_FromLong(
        api->mlirDenseElementsAttrGetInt8Value(attribute, index));
  case 9:
    return PyLong_FromLong(
        api->mlirDenseElementsAttrGetUInt8Value(attribute, index));
  case 16:
    return PyLong_FromLong(
        api->mlirDenseElementsAttrGetInt16Value(attribute, index));
  case 17:
    return PyLong_FromLong(
        api->mlirDenseElementsAttrGetUInt16Value(attribute, index));
  case 32:
    return PyLong_FromLong(
        api->mlirDenseElementsAttrGetInt32Value(attribute, index));
  case 33:
    return PyLong_FromUnsignedLong(
        api->mlirDenseElementsAttrGetUInt32Value(attribute, index));
  case 64:
    return PyLong_FromLongLong(
        api->mlirDenseElementsAttrGetInt64Value(attribute, index));
  case 65:
    return PyLong_FromUnsignedLongLong(
        api->mlirDenseElementsAttrGetUInt64Value(attribute, index));
  default:
    break;
  }
  if (!PyErr_Occurred())
    PyErr_SetString(PyExc_TypeError,
                    "Unsupported element type: read the text instead");
  return NULL;
}

static PyObject *dense_item(PyObject *self, Py_ssize_t index) {
  IR_ATTRIBUTE(self);
  (void)context;
  if (index < 0 || index >= api->mlirElementsAttrGetNumElements(attribute)) {
    PyErr_SetString(PyExc_IndexError,
                    "attempt to access out of bounds element");
    return NULL;
  }
  return number_at(
      api, attribute,
      api->mlirShapedTypeGetElementType(api->mlirAttributeGetType(attribute)),
      index);
}

/// What numpy.array reads: the numbers where they are, for as long as the
/// attribute, which the array keeps.
static PyObject *array_interface(PyObject *self, void *closure) {
  (void)closure;
  IR_ATTRIBUTE(self);
  (void)context;
  MlirType type = api->mlirAttributeGetType(attribute);
  MlirType element = api->mlirShapedTypeGetElementType(type);
  Py_ssize_t size = element_size(api, element);
  int kind = api->mlirTypeIsAFloat(element) ? 'f'
             : api->mlirTypeIsAInteger(element) &&
                     api->mlirIntegerTypeIsUnsigned(element)
                 ? 'u'
                 : 'i';
  if (!size || size > 8 || (size & (size - 1)) ||
      api->mlirTypeIsABF16(element) || (kind == 'f' && size < 2) ||
      !IR_NEED(api, mlirDenseElementsAttrGetRawData)) {
    PyErr_Clear();
    PyErr_SetString(PyExc_AttributeError,
                    "numpy has no numbers like these elements");
    return NULL;
  }
  bool splat = api->mlirDenseElementsAttrIsSplat(attribute);
  int64_t rank = api->mlirShapedTypeGetRank(type);
  PyObject *shape = PyTuple_New(rank), *strides = PyTuple_New(rank);
  int64_t stride = size;
  for (int64_t i = rank; shape && strides && i-- > 0;) {
    int64_t extent = api->mlirShapedTypeGetDimSize(type, i);
    PyObject *one = PyLong_FromLongLong(extent);
    PyObject *two = PyLong_FromLongLong(splat ? 0 : stride);
    stride *= extent;
    if (!one || !two || PyTuple_SetItem(shape, i, one) < 0 ||
        PyTuple_SetItem(strides, i, two) < 0)
      Py_CLEAR(shape);
  }
  PyObject *result = NULL;
  if (shape && strides) {
    PyObject *letter = PyUnicode_FromFormat("<%c%zd", kind, size);
    PyObject *data = PyLong_FromVoidPtr(
        (void *)api->mlirDenseElementsAttrGetRawData(attribute));
    if (letter && data)
      result = Py_BuildValue("{sisOsOsOs(OO)}", "version", 3, "shape", shape,
                             "strides", strides, "typestr", letter, "data",
                             data, Py_True);
    Py_XDECREF(letter);
    Py_XDECREF(data);
  }
  Py_XDECREF(shape);
  Py_XDECREF(strides);
  return result;
}

static PyMethodDef methods[] = {
    {"get", IR_FUNCTION(dense_get), IR_STATIC,
     "Of an array (anything with a buffer), or of a list of attributes."},
    {"get_splat", IR_FUNCTION(dense_get_splat), IR_STATIC, NULL},
    {"get_splat_value", dense_splat_value, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"is_splat", dense_is_splat, NULL, NULL, NULL},
    {"__array_interface__", array_interface, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_dense_elements_slots[] = {
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_sq_length, dense_length},
    {0, NULL},
};

const PyType_Slot ir_dense_number_slots[] = {
    {Py_sq_item, dense_item},
    {0, NULL},
};
