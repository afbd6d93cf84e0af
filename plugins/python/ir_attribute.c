// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Attribute, and which class below it one has.

#include "ir_kind.h"

#define IS(name, function)                                                     \
  static bool is_##name(const struct ir_api *api, const void *pointer) {       \
    return api->function((MlirAttribute){pointer});                            \
  }

IS(bool, mlirAttributeIsABool)
IS(integer, mlirAttributeIsAInteger)
IS(float, mlirAttributeIsAFloat)
IS(string, mlirAttributeIsAString)
IS(type, mlirAttributeIsAType)
IS(unit, mlirAttributeIsAUnit)
IS(array, mlirAttributeIsAArray)
IS(dictionary, mlirAttributeIsADictionary)
IS(flat, mlirAttributeIsAFlatSymbolRef)
IS(symbol, mlirAttributeIsASymbolRef)
IS(map, mlirAttributeIsAAffineMap)
IS(strided, mlirAttributeIsAStridedLayout)
IS(opaque, mlirAttributeIsAOpaque)
IS(bools, mlirAttributeIsADenseBoolArray)
IS(i8s, mlirAttributeIsADenseI8Array)
IS(i16s, mlirAttributeIsADenseI16Array)
IS(i32s, mlirAttributeIsADenseI32Array)
IS(i64s, mlirAttributeIsADenseI64Array)
IS(f32s, mlirAttributeIsADenseF32Array)
IS(f64s, mlirAttributeIsADenseF64Array)
IS(dense, mlirAttributeIsADenseElements)
IS(dense_int, mlirAttributeIsADenseIntElements)
IS(dense_fp, mlirAttributeIsADenseFPElements)

#define ARRAY "dense array"
#define ELEMENTS "dense elements"

static const struct ir_kind kinds[] = {
    {"StringAttr", is_string, ir_string_attr_slots, NULL, NULL},
    {"BoolAttr", is_bool, ir_bool_attr_slots, NULL, "integer"},
    {"IntegerAttr", is_integer, ir_integer_attr_slots, NULL, "integer"},
    {"TypeAttr", is_type, ir_type_attr_slots, NULL, NULL},
    {"ArrayAttr", is_array, ir_array_attr_slots, NULL, NULL},
    {"AffineMapAttr", is_map, ir_map_attr_slots, NULL, NULL},
    {"DictAttr", is_dictionary, ir_dict_attr_slots, NULL, NULL},
    {"FlatSymbolRefAttr", is_flat, ir_flat_symbol_attr_slots, NULL, "symbol"},
    {"SymbolRefAttr", is_symbol, ir_symbol_attr_slots, NULL, "symbol"},
    {"UnitAttr", is_unit, ir_unit_attr_slots, NULL, NULL},
    {"FloatAttr", is_float, ir_float_attr_slots, NULL, NULL},
    {"DenseI32ArrayAttr", is_i32s, ir_dense_i32_array_slots, NULL, ARRAY},
    {"DenseI64ArrayAttr", is_i64s, ir_dense_i64_array_slots, NULL, ARRAY},
    {"DenseBoolArrayAttr", is_bools, ir_dense_bool_array_slots, NULL, ARRAY},
    {"DenseI8ArrayAttr", is_i8s, ir_dense_i8_array_slots, NULL, ARRAY},
    {"DenseI16ArrayAttr", is_i16s, ir_dense_i16_array_slots, NULL, ARRAY},
    {"DenseF32ArrayAttr", is_f32s, ir_dense_f32_array_slots, NULL, ARRAY},
    {"DenseF64ArrayAttr", is_f64s, ir_dense_f64_array_slots, NULL, ARRAY},
    {"DenseIntElementsAttr", is_dense_int, ir_dense_number_slots,
     "DenseElementsAttr", ELEMENTS},
    {"DenseFPElementsAttr", is_dense_fp, ir_dense_number_slots,
     "DenseElementsAttr", ELEMENTS},
    {"DenseElementsAttr", is_dense, ir_dense_elements_slots, NULL, ELEMENTS},
    {"StridedLayoutAttr", is_strided, ir_strided_attr_slots, NULL, NULL},
    {"OpaqueAttr", is_opaque, ir_opaque_attr_slots, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
_Static_assert(sizeof(kinds) / sizeof(*kinds) <= IR_ATTRIBUTE_KINDS,
               "too many");

PyObject *ir_attribute_new(struct ir_context *context,
                           MlirAttribute attribute) {
  struct ir_types *types = context->types;
  struct ir_api *api = context->api;
  PyTypeObject *class = types->attribute;
  if (attribute.ptr)
    class = ir_kinds_find(
        kinds, types->attribute_classes, api, &api->attribute_kinds,
        api->mlirAttributeGetTypeID(attribute).ptr, attribute.ptr, class);
  return ir_unique_new(context, class, attribute.ptr);
}

static PyObject *attribute_make(PyTypeObject *class, PyObject *arguments,
                                PyObject *keywords) {
  struct ir_types *types = module_ir_types();
  return ir_kinds_cast(kinds, types->attribute_classes, class, types->attribute,
                       "an attribute", arguments, keywords);
}

static PyObject *is_instance(PyObject *class, PyObject *object) {
  struct ir_types *types = module_ir_types();
  return ir_kinds_is(kinds, types->attribute_classes, class, types->attribute,
                     object);
}

static PyObject *parse(PyObject *class, PyObject *arguments,
                       PyObject *keywords) {
  (void)class;
  static char *names[] = {"asm", "context", NULL};
  PyObject *source, *object = NULL;
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:parse", names,
                                   &source, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  struct ir_capture *capture =
      context && IR_NEED(context->api, mlirAttributeParseGet) &&
              ir_string_argument(source, &text, &text_bytes)
          ? ir_capture_begin((PyObject *)context, false)
          : NULL;
  if (!capture)
    return NULL;
  MlirAttribute attribute =
      context->api->mlirAttributeParseGet(context->context, text);
  if (!attribute.ptr) {
    ir_capture_raise(capture, "Unable to parse attribute");
    return NULL;
  }
  ir_capture_drop(capture);
  return ir_attribute_new(context, attribute);
}

static bool attribute_text(PyObject *self, struct ir_text *text) {
  struct ir_unique *unique = ir_unique_check(self);
  if (unique)
    unique->context->api->mlirAttributePrint((MlirAttribute){unique->pointer},
                                             ir_text_append, text);
  return unique != NULL;
}

static PyObject *attribute_string(PyObject *self) {
  struct ir_text text = {0};
  return attribute_text(self, &text) ? ir_text_take(&text) : NULL;
}

static PyObject *attribute_repr(PyObject *self) {
  struct ir_text text = {0};
  return attribute_text(self, &text) ? ir_text_take_as(&text, self) : NULL;
}

static PyObject *get_named(PyObject *self, PyObject *name) {
  if (!PyUnicode_Check(name)) {
    PyErr_SetString(PyExc_TypeError, "the name is a str");
    return NULL;
  }
  return PyObject_CallMethod(module_ir_types()->support, "NamedAttribute", "OO",
                             name, self);
}

static PyObject *downcast(PyObject *self, PyObject *ignored) {
  (void)ignored;
  IR_ATTRIBUTE(self);
  return ir_attribute_new(context, attribute);
}

static PyObject *get_type(PyObject *self, void *closure) {
  (void)closure;
  IR_ATTRIBUTE(self);
  MlirType type = api->mlirAttributeGetType(attribute);
  if (!type.ptr)
    Py_RETURN_NONE;
  return ir_type_new(context, type);
}

IR_ATTRIBUTE_GETTER(
    get_type_id,
    PyLong_FromVoidPtr((void *)api->mlirAttributeGetTypeID(attribute).ptr))

static PyMethodDef methods[] = {
    {"parse", IR_FUNCTION(parse), IR_STATIC, NULL},
    {"isinstance", is_instance, METH_O | METH_CLASS, NULL},
    {"get_named", get_named, METH_O, "A NamedAttribute."},
    {"maybe_downcast", downcast, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"context", ir_unique_context, NULL, NULL, NULL},
    {"type", get_type, NULL, NULL, NULL},
    {"typeid", get_type_id, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "An attribute."},
    {Py_tp_new, attribute_make},
    {Py_tp_dealloc, ir_unique_dealloc},
    {Py_tp_hash, ir_unique_hash},
    {Py_tp_richcompare, ir_unique_compare},
    {Py_tp_str, attribute_string},
    {Py_tp_repr, attribute_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_register_attribute(PyObject *module, struct ir_types *types) {
  types->attribute =
      ir_class_make(module, "Attribute", sizeof(struct ir_unique), NULL, slots);
  return types->attribute ? ir_kinds_register(module, kinds, types->attribute,
                                              types->attribute_classes)
                          : -1;
}
