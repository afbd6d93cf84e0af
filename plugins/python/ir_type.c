// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Type, and those below it that have nothing but `get`.

#include "ir_kind.h"

/// Types without parameters: the class, and the names of MLIR's functions.
#define SIMPLE(F)                                                              \
  F(BF16Type, mlirTypeIsABF16, mlirBF16TypeGet)                                \
  F(F16Type, mlirTypeIsAF16, mlirF16TypeGet)                                   \
  F(F32Type, mlirTypeIsAF32, mlirF32TypeGet)                                   \
  F(F64Type, mlirTypeIsAF64, mlirF64TypeGet)                                   \
  F(FloatTF32Type, mlirTypeIsATF32, mlirTF32TypeGet)                           \
  F(Float8E5M2Type, mlirTypeIsAFloat8E5M2, mlirFloat8E5M2TypeGet)              \
  F(Float8E4M3FNType, mlirTypeIsAFloat8E4M3FN, mlirFloat8E4M3FNTypeGet)        \
  F(Float8E5M2FNUZType, mlirTypeIsAFloat8E5M2FNUZ, mlirFloat8E5M2FNUZTypeGet)  \
  F(Float8E4M3FNUZType, mlirTypeIsAFloat8E4M3FNUZ, mlirFloat8E4M3FNUZTypeGet)  \
  F(IndexType, mlirTypeIsAIndex, mlirIndexTypeGet)                             \
  F(NoneType, mlirTypeIsANone, mlirNoneTypeGet)

#define SIMPLE_DEFINE(class_name, is, get)                                     \
  static PyObject *get_##class_name(PyObject *class, PyObject *arguments,      \
                                    PyObject *keywords) {                      \
    (void)class;                                                               \
    struct ir_context *context = context_argument(arguments, keywords);        \
    return context && IR_NEED(context->api, get)                               \
               ? ir_type_new(context, context->api->get(context->context))     \
               : NULL;                                                         \
  }                                                                            \
  static bool is_##class_name(const struct ir_api *api, const void *pointer) { \
    return api->is((MlirType){pointer});                                       \
  }                                                                            \
  static PyMethodDef methods_##class_name[] = {                                \
      {"get", IR_FUNCTION(get_##class_name), IR_STATIC, NULL},                 \
      {NULL, NULL, 0, NULL},                                                   \
  };                                                                           \
  static const PyType_Slot slots_##class_name[] = {                            \
      {Py_tp_new, type_make},                                                  \
      {Py_tp_methods, methods_##class_name},                                   \
      {0, NULL},                                                               \
  };

static struct ir_context *context_argument(PyObject *arguments,
                                           PyObject *keywords) {
  static char *names[] = {"context", NULL};
  PyObject *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:get", names,
                                   &object))
    return NULL;
  return ir_context_default(object);
}

static PyObject *type_make(PyTypeObject *class, PyObject *arguments,
                           PyObject *keywords);

SIMPLE(SIMPLE_DEFINE)

#define IS(name, function)                                                     \
  static bool is_##name(const struct ir_api *api, const void *pointer) {       \
    return api->function((MlirType){pointer});                                 \
  }

IS(integer, mlirTypeIsAInteger)
IS(complex, mlirTypeIsAComplex)
IS(function, mlirTypeIsAFunction)
IS(tuple, mlirTypeIsATuple)
IS(opaque, mlirTypeIsAOpaque)
IS(float, mlirTypeIsAFloat)
IS(shaped, mlirTypeIsAShaped)
IS(tensor, mlirTypeIsARankedTensor)
IS(unranked_tensor, mlirTypeIsAUnrankedTensor)
IS(memref, mlirTypeIsAMemRef)
IS(unranked_memref, mlirTypeIsAUnrankedMemRef)
IS(vector, mlirTypeIsAVector)

#define FLOAT_KIND(name) {#name, is_##name, slots_##name, "FloatType", NULL}

static const struct ir_kind kinds[] = {
    {"IntegerType", is_integer, ir_integer_type_slots, NULL, NULL},
    FLOAT_KIND(F32Type),
    FLOAT_KIND(F64Type),
    FLOAT_KIND(F16Type),
    FLOAT_KIND(BF16Type),
    {"IndexType", is_IndexType, slots_IndexType, NULL, NULL},
    {"RankedTensorType", is_tensor, ir_tensor_type_slots, "ShapedType", NULL},
    {"MemRefType", is_memref, ir_memref_type_slots, "ShapedType", NULL},
    {"VectorType", is_vector, ir_vector_type_slots, "ShapedType", NULL},
    {"FunctionType", is_function, ir_function_type_slots, NULL, NULL},
    {"TupleType", is_tuple, ir_tuple_type_slots, NULL, NULL},
    {"ComplexType", is_complex, ir_complex_type_slots, NULL, NULL},
    {"UnrankedTensorType", is_unranked_tensor, ir_unranked_tensor_type_slots,
     "ShapedType", NULL},
    {"UnrankedMemRefType", is_unranked_memref, ir_unranked_memref_type_slots,
     "ShapedType", NULL},
    FLOAT_KIND(FloatTF32Type),
    FLOAT_KIND(Float8E5M2Type),
    FLOAT_KIND(Float8E4M3FNType),
    FLOAT_KIND(Float8E5M2FNUZType),
    FLOAT_KIND(Float8E4M3FNUZType),
    {"NoneType", is_NoneType, slots_NoneType, NULL, NULL},
    {"OpaqueType", is_opaque, ir_opaque_type_slots, NULL, NULL},
    {"FloatType", is_float, ir_float_type_slots, NULL, NULL},
    {"ShapedType", is_shaped, ir_shaped_type_slots, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
_Static_assert(sizeof(kinds) / sizeof(*kinds) <= IR_TYPE_KINDS, "too many");

PyObject *ir_type_new(struct ir_context *context, MlirType type) {
  struct ir_types *types = context->types;
  struct ir_api *api = context->api;
  PyTypeObject *class = types->type;
  if (type.ptr)
    class = ir_kinds_find(kinds, types->type_classes, api, &api->type_kinds,
                          api->mlirTypeGetTypeID(type).ptr, type.ptr, class);
  return ir_unique_new(context, class, type.ptr);
}

//===----------------------------------------------------------------------===//
// Type
//===----------------------------------------------------------------------===//

static PyObject *type_make(PyTypeObject *class, PyObject *arguments,
                           PyObject *keywords) {
  struct ir_types *types = module_ir_types();
  return ir_kinds_cast(kinds, types->type_classes, class, types->type, "a type",
                       arguments, keywords);
}

static PyObject *is_instance(PyObject *class, PyObject *object) {
  struct ir_types *types = module_ir_types();
  return ir_kinds_is(kinds, types->type_classes, class, types->type, object);
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
      context && IR_NEED(context->api, mlirTypeParseGet) &&
              ir_string_argument(source, &text, &text_bytes)
          ? ir_capture_begin((PyObject *)context, false)
          : NULL;
  if (!capture)
    return NULL;
  MlirType type = context->api->mlirTypeParseGet(context->context, text);
  if (!type.ptr) {
    ir_capture_raise(capture, "Unable to parse type");
    return NULL;
  }
  ir_capture_drop(capture);
  return ir_type_new(context, type);
}

static bool type_text(PyObject *self, struct ir_text *text) {
  struct ir_unique *unique = ir_unique_check(self);
  if (unique)
    unique->context->api->mlirTypePrint((MlirType){unique->pointer},
                                        ir_text_append, text);
  return unique != NULL;
}

static PyObject *type_string(PyObject *self) {
  struct ir_text text = {0};
  return type_text(self, &text) ? ir_text_take(&text) : NULL;
}

static PyObject *type_repr(PyObject *self) {
  struct ir_text text = {0};
  return type_text(self, &text) ? ir_text_take_as(&text, self) : NULL;
}

static PyObject *downcast(PyObject *self, PyObject *ignored) {
  (void)ignored;
  IR_TYPE(self);
  return ir_type_new(context, type);
}

IR_TYPE_GETTER(get_type_id,
               PyLong_FromVoidPtr((void *)api->mlirTypeGetTypeID(type).ptr))

static PyMethodDef methods[] = {
    {"parse", IR_FUNCTION(parse), IR_STATIC, NULL},
    {"isinstance", is_instance, METH_O | METH_CLASS, NULL},
    {"maybe_downcast", downcast, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"context", ir_unique_context, NULL, NULL, NULL},
    {"typeid", get_type_id, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "A type."},
    {Py_tp_new, type_make},
    {Py_tp_dealloc, ir_unique_dealloc},
    {Py_tp_hash, ir_unique_hash},
    {Py_tp_richcompare, ir_unique_compare},
    {Py_tp_str, type_string},
    {Py_tp_repr, type_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_register_type(PyObject *module, struct ir_types *types) {
  types->type =
      ir_class_make(module, "Type", sizeof(struct ir_unique), NULL, slots);
  return types->type ? ir_kinds_register(module, kinds, types->type,
                                         types->type_classes)
                     : -1;
}
