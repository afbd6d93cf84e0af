// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor, memref and vector types.

#include "ir_kind.h"

//===----------------------------------------------------------------------===//
// ShapedType
//===----------------------------------------------------------------------===//

static bool needs_rank(const struct ir_api *api, MlirType type) {
  if (api->mlirShapedTypeHasRank(type))
    return true;
  PyErr_SetString(PyExc_ValueError,
                  "calling this method requires that the type has a rank");
  return false;
}

static PyObject *shape_list(const struct ir_api *api, MlirType type) {
  if (!needs_rank(api, type))
    return NULL;
  int64_t rank = api->mlirShapedTypeGetRank(type);
  PyObject *list = PyList_New(0);
  for (int64_t i = 0; list && i < rank; ++i) {
    PyObject *item =
        PyLong_FromLongLong(api->mlirShapedTypeGetDimSize(type, i));
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

IR_TYPE_GETTER(shaped_element,
               ir_type_new(context, api->mlirShapedTypeGetElementType(type)))
IR_TYPE_GETTER(shaped_has_rank,
               PyBool_FromLong(api->mlirShapedTypeHasRank(type)))
IR_TYPE_GETTER(shaped_rank,
               needs_rank(api, type)
                   ? PyLong_FromLongLong(api->mlirShapedTypeGetRank(type))
                   : NULL)
IR_TYPE_GETTER(shaped_static,
               PyBool_FromLong(api->mlirShapedTypeHasStaticShape(type)))
IR_TYPE_GETTER(shaped_shape, shape_list(api, type))

/// The size of dimension `number`; -1 with an exception set if there is none.
static bool dimension_get(PyObject *self, PyObject *number, int64_t *size) {
  Py_ssize_t index = PyNumber_AsSsize_t(number, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred())
    return false;
  struct ir_unique *unique = ir_unique_check(self);
  if (!unique)
    return false;
  const struct ir_api *api = unique->context->api;
  MlirType type = {unique->pointer};
  if (!needs_rank(api, type))
    return false;
  if (index < 0 || index >= api->mlirShapedTypeGetRank(type)) {
    PyErr_SetString(PyExc_IndexError, "the type has no such dimension");
    return false;
  }
  *size = api->mlirShapedTypeGetDimSize(type, index);
  return true;
}

static PyObject *shaped_dimension(PyObject *self, PyObject *number) {
  int64_t size;
  return dimension_get(self, number, &size) ? PyLong_FromLongLong(size) : NULL;
}

static PyObject *shaped_is_dynamic(PyObject *self, PyObject *number) {
  int64_t size;
  return dimension_get(self, number, &size) ? PyBool_FromLong(size < 0) : NULL;
}

static PyObject *shaped_is_static(PyObject *self, PyObject *number) {
  int64_t size;
  return dimension_get(self, number, &size) ? PyBool_FromLong(size >= 0) : NULL;
}

/// What MLIR writes for a size that is not known, since version 16.
static PyObject *dynamic_size(PyObject *class, PyObject *ignored) {
  (void)class;
  (void)ignored;
  return PyLong_FromLongLong(INT64_MIN);
}

static PyObject *is_dynamic_size(PyObject *class, PyObject *number) {
  (void)class;
  long long size = PyLong_AsLongLong(number);
  return size == -1 && PyErr_Occurred() ? NULL
                                        : PyBool_FromLong(size == INT64_MIN);
}

static PyMethodDef shaped_methods[] = {
    {"get_dim_size", shaped_dimension, METH_O, NULL},
    {"is_dynamic_dim", shaped_is_dynamic, METH_O, NULL},
    {"is_static_dim", shaped_is_static, METH_O, NULL},
    {"get_dynamic_size", dynamic_size, METH_NOARGS | METH_STATIC, NULL},
    {"get_dynamic_stride_or_offset", dynamic_size, METH_NOARGS | METH_STATIC,
     NULL},
    {"is_dynamic_size", is_dynamic_size, METH_O | METH_STATIC, NULL},
    {"is_dynamic_stride_or_offset", is_dynamic_size, METH_O | METH_STATIC,
     NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef shaped_properties[] = {
    {"element_type", shaped_element, NULL, NULL, NULL},
    {"has_rank", shaped_has_rank, NULL, NULL, NULL},
    {"rank", shaped_rank, NULL, NULL, NULL},
    {"has_static_shape", shaped_static, NULL, NULL, NULL},
    {"shape", shaped_shape, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_shaped_type_slots[] = {
    {Py_tp_methods, shaped_methods},
    {Py_tp_getset, shaped_properties},
    {0, NULL},
};

//===----------------------------------------------------------------------===//
// Making them
//===----------------------------------------------------------------------===//

/// The parts of a shaped type, converted and checked.
struct shaped {
  struct ir_context *context;
  MlirType element;
  MlirLocation location;
  MlirAttribute first, second; ///< Encoding; or layout and memory space.
  int64_t *shape;
  Py_ssize_t rank;
};

static bool optional_attribute(PyObject *object,
                               const struct ir_context *context,
                               MlirAttribute *attribute) {
  *attribute = (MlirAttribute){NULL};
  return !object || object == Py_None ||
         ir_attribute_argument(object, context, attribute);
}

/// `shape` is null for types without a rank.
static bool shaped_get(struct shaped *shaped, PyObject *shape,
                       PyObject *element, PyObject *first, PyObject *second,
                       PyObject *loc) {
  *shaped = (struct shaped){0};
  if (shape &&
      !ir_integers(shape, "a sequence of sizes", &shaped->shape, &shaped->rank))
    return false;
  if (!ir_type_argument(element, NULL, &shaped->element))
    return false;
  shaped->context = ((struct ir_unique *)element)->context;
  return optional_attribute(first, shaped->context, &shaped->first) &&
         optional_attribute(second, shaped->context, &shaped->second) &&
         ir_location_for(shaped->context, loc, &shaped->location);
}

/// Makes `expression` with diagnostics kept, and frees `shaped`.
#define SHAPED_FINISH(shaped, expression)                                      \
  struct ir_capture *capture =                                                 \
      ir_capture_begin((PyObject *)(shaped).context, false);                   \
  MlirType made = capture ? (expression) : (MlirType){NULL};                   \
  return shaped_finish(&(shaped), capture, made)

static PyObject *shaped_finish(struct shaped *shaped,
                               struct ir_capture *capture, MlirType type) {
  PyMem_Free(shaped->shape);
  if (!capture)
    return NULL;
  if (!type.ptr) {
    ir_capture_raise(capture, "Invalid type");
    return NULL;
  }
  ir_capture_drop(capture);
  return ir_type_new(shaped->context, type);
}

static PyObject *shaped_fail(struct shaped *shaped) {
  PyMem_Free(shaped->shape);
  return NULL;
}

static PyObject *tensor_get(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  (void)class;
  static char *names[] = {"shape", "element_type", "encoding", "loc", NULL};
  PyObject *shape, *element, *encoding = NULL, *loc = NULL;
  struct shaped shaped;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|OO:get", names,
                                   &shape, &element, &encoding, &loc))
    return NULL;
  if (!shaped_get(&shaped, shape, element, encoding, NULL, loc))
    return shaped_fail(&shaped);
  SHAPED_FINISH(shaped, shaped.context->api->mlirRankedTensorTypeGetChecked(
                            shaped.location, shaped.rank, shaped.shape,
                            shaped.element, shaped.first));
}

static PyObject *unranked_tensor_get(PyObject *class, PyObject *arguments,
                                     PyObject *keywords) {
  (void)class;
  static char *names[] = {"element_type", "loc", NULL};
  PyObject *element, *loc = NULL;
  struct shaped shaped;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:get", names,
                                   &element, &loc))
    return NULL;
  if (!shaped_get(&shaped, NULL, element, NULL, NULL, loc))
    return shaped_fail(&shaped);
  SHAPED_FINISH(shaped, shaped.context->api->mlirUnrankedTensorTypeGetChecked(
                            shaped.location, shaped.element));
}

static PyObject *memref_get(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  (void)class;
  static char *names[] = {"shape",        "element_type", "layout",
                          "memory_space", "loc",          NULL};
  PyObject *shape, *element, *layout = NULL, *space = NULL, *loc = NULL;
  struct shaped shaped;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|OOO:get", names,
                                   &shape, &element, &layout, &space, &loc))
    return NULL;
  if (!shaped_get(&shaped, shape, element, layout, space, loc))
    return shaped_fail(&shaped);
  const struct ir_api *api = shaped.context->api;
  if (shaped.first.ptr && !api->mlirAttributeIsAAffineMap(shaped.first) &&
      !api->mlirAttributeIsAStridedLayout(shaped.first)) {
    PyErr_SetString(PyExc_ValueError,
                    "the layout of a memref is an AffineMapAttr or a "
                    "StridedLayoutAttr");
    return shaped_fail(&shaped);
  }
  SHAPED_FINISH(shaped, api->mlirMemRefTypeGetChecked(
                            shaped.location, shaped.element, shaped.rank,
                            shaped.shape, shaped.first, shaped.second));
}

static PyObject *unranked_memref_get(PyObject *class, PyObject *arguments,
                                     PyObject *keywords) {
  (void)class;
  static char *names[] = {"element_type", "memory_space", "loc", NULL};
  PyObject *element, *space = NULL, *loc = NULL;
  struct shaped shaped;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:get", names,
                                   &element, &space, &loc))
    return NULL;
  if (!shaped_get(&shaped, NULL, element, NULL, space, loc))
    return shaped_fail(&shaped);
  SHAPED_FINISH(shaped, shaped.context->api->mlirUnrankedMemRefTypeGetChecked(
                            shaped.location, shaped.element, shaped.second));
}

/// Which dimensions are scalable: `flags`, a sequence of bool, or `dimensions`,
/// of numbers. By PyMem_Malloc.
static bool *scalable_get(PyObject *flags, PyObject *dimensions,
                          Py_ssize_t rank) {
  int64_t *numbers = NULL;
  Py_ssize_t count;
  bool by_flag = flags && flags != Py_None;
  if (!ir_integers(by_flag ? flags : dimensions, "a sequence", &numbers,
                   &count))
    return NULL;
  bool *scalable = ir_array_new(rank, sizeof(*scalable));
  bool good = scalable && (!by_flag || count == rank);
  for (Py_ssize_t i = 0; scalable && i < rank; ++i)
    scalable[i] = by_flag && good && numbers[i];
  for (Py_ssize_t i = 0; good && !by_flag && i < count; ++i) {
    good = numbers[i] >= 0 && numbers[i] < rank;
    if (good)
      scalable[numbers[i]] = true;
  }
  PyMem_Free(numbers);
  if (scalable && !good) {
    PyErr_SetString(PyExc_ValueError,
                    by_flag ? "Expected len(scalable) == len(shape)."
                            : "Scalable dimension index out of bounds.");
    PyMem_Free(scalable);
    scalable = NULL;
  }
  return scalable;
}

static PyObject *vector_get(PyObject *class, PyObject *arguments,
                            PyObject *keywords) {
  (void)class;
  static char *names[] = {"shape",         "element_type", "scalable",
                          "scalable_dims", "loc",          NULL};
  PyObject *shape, *element, *flags = NULL, *dimensions = NULL, *loc = NULL;
  struct shaped shaped;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|$OOO:get", names,
                                   &shape, &element, &flags, &dimensions, &loc))
    return NULL;
  if (!shaped_get(&shaped, shape, element, NULL, NULL, loc))
    return shaped_fail(&shaped);
  const struct ir_api *api = shaped.context->api;
  bool plain =
      (!flags || flags == Py_None) && (!dimensions || dimensions == Py_None);
  if (plain) {
    SHAPED_FINISH(shaped,
                  api->mlirVectorTypeGetChecked(shaped.location, shaped.rank,
                                                shaped.shape, shaped.element));
  }
  bool *scalable = IR_NEED(api, mlirVectorTypeGetScalableChecked)
                       ? scalable_get(flags, dimensions, shaped.rank)
                       : NULL;
  if (!scalable)
    return shaped_fail(&shaped);
  struct ir_capture *capture =
      ir_capture_begin((PyObject *)shaped.context, false);
  MlirType type = {NULL};
  if (capture)
    type = api->mlirVectorTypeGetScalableChecked(
        shaped.location, shaped.rank, shaped.shape, scalable, shaped.element);
  PyMem_Free(scalable);
  return shaped_finish(&shaped, capture, type);
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

/// None for a null attribute.
static PyObject *attribute_or_none(struct ir_context *context,
                                   MlirAttribute attribute) {
  if (!attribute.ptr)
    Py_RETURN_NONE;
  return ir_attribute_new(context, attribute);
}

IR_TYPE_GETTER(tensor_encoding,
               attribute_or_none(context,
                                 api->mlirRankedTensorTypeGetEncoding(type)))
IR_TYPE_GETTER(memref_layout,
               ir_attribute_new(context, api->mlirMemRefTypeGetLayout(type)))
IR_TYPE_GETTER(memref_map,
               ir_affine_map_new(context,
                                 api->mlirMemRefTypeGetAffineMap(type)))
IR_TYPE_GETTER(memref_space,
               attribute_or_none(context,
                                 api->mlirMemRefTypeGetMemorySpace(type)))
IR_TYPE_GETTER(unranked_space,
               attribute_or_none(context,
                                 api->mlirUnrankedMemrefGetMemorySpace(type)))

static PyObject *memref_strides(PyObject *self, PyObject *ignored) {
  (void)ignored;
  IR_TYPE(self);
  if (!IR_NEED(api, mlirMemRefTypeGetStridesAndOffset))
    return NULL;
  int64_t rank = api->mlirShapedTypeGetRank(type);
  int64_t *strides = ir_array_new(rank, sizeof(*strides));
  int64_t offset = 0;
  PyObject *list = strides ? PyList_New(0) : NULL;
  if (list && mlirLogicalResultIsFailure(api->mlirMemRefTypeGetStridesAndOffset(
                  type, strides, &offset))) {
    PyErr_SetString(PyExc_RuntimeError,
                    "the layout of the memref is not a strided one");
    Py_CLEAR(list);
  }
  for (int64_t i = 0; list && i < rank; ++i) {
    PyObject *item = PyLong_FromLongLong(strides[i]);
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  PyMem_Free(strides);
  PyObject *pair = list ? Py_BuildValue("OL", list, (long long)offset) : NULL;
  Py_XDECREF(list);
  return pair;
}

static PyObject *scalable_list(const struct ir_api *api, MlirType type) {
  if (!IR_NEED(api, mlirVectorTypeIsDimScalable))
    return NULL;
  int64_t rank = api->mlirShapedTypeGetRank(type);
  PyObject *list = PyList_New(0);
  for (int64_t i = 0; list && i < rank; ++i)
    if (PyList_Append(list, api->mlirVectorTypeIsDimScalable(type, i)
                                ? Py_True
                                : Py_False) < 0)
      Py_CLEAR(list);
  return list;
}

IR_TYPE_GETTER(vector_scalable,
               IR_NEED(api, mlirVectorTypeIsScalable)
                   ? PyBool_FromLong(api->mlirVectorTypeIsScalable(type))
                   : NULL)
IR_TYPE_GETTER(vector_scalable_dims, scalable_list(api, type))

#define GET_ONLY(name, function)                                               \
  static PyMethodDef name[] = {                                                \
      {"get", IR_FUNCTION(function), IR_STATIC, NULL},                         \
      {NULL, NULL, 0, NULL},                                                   \
  }

GET_ONLY(tensor_methods, tensor_get);
GET_ONLY(unranked_tensor_methods, unranked_tensor_get);
GET_ONLY(unranked_memref_methods, unranked_memref_get);
GET_ONLY(vector_methods, vector_get);

static PyMethodDef memref_methods[] = {
    {"get", IR_FUNCTION(memref_get), IR_STATIC, NULL},
    {"get_strides_and_offset", memref_strides, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef tensor_properties[] = {
    {"encoding", tensor_encoding, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef memref_properties[] = {
    {"layout", memref_layout, NULL, NULL, NULL},
    {"affine_map", memref_map, NULL, NULL, NULL},
    {"memory_space", memref_space, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef unranked_memref_properties[] = {
    {"memory_space", unranked_space, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef vector_properties[] = {
    {"scalable", vector_scalable, NULL, NULL, NULL},
    {"scalable_dims", vector_scalable_dims, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

const PyType_Slot ir_tensor_type_slots[] = {
    {Py_tp_methods, tensor_methods},
    {Py_tp_getset, tensor_properties},
    {0, NULL},
};

const PyType_Slot ir_unranked_tensor_type_slots[] = {
    {Py_tp_methods, unranked_tensor_methods},
    {0, NULL},
};

const PyType_Slot ir_memref_type_slots[] = {
    {Py_tp_methods, memref_methods},
    {Py_tp_getset, memref_properties},
    {0, NULL},
};

const PyType_Slot ir_unranked_memref_type_slots[] = {
    {Py_tp_methods, unranked_memref_methods},
    {Py_tp_getset, unranked_memref_properties},
    {0, NULL},
};

const PyType_Slot ir_vector_type_slots[] = {
    {Py_tp_methods, vector_methods},
    {Py_tp_getset, vector_properties},
    {0, NULL},
};
