// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of types and attributes: which one an object of MLIR's has.

#ifndef MLIRPLUG_PYTHON_IR_KIND_H
#define MLIRPLUG_PYTHON_IR_KIND_H

#include "ir_object.h"

/// One class. A list of them goes from the most derived to the least; those
/// that share a TypeID stand together and have the same group.
struct ir_kind {
  const char *name;
  bool (*is)(const struct ir_api *api, const void *pointer);
  const PyType_Slot *slots;
  const char *base;  ///< Null for Type, or Attribute.
  const char *group; ///< Null if it is alone.
};

/// Makes the classes of `kinds`, which ends with a null name, in `classes`.
int ir_kinds_register(PyObject *module, const struct ir_kind *kinds,
                      PyTypeObject *base, PyTypeObject **classes);

/// The class for `pointer`, which has `type_id` (or null, where MLIR does not
/// tell it); `otherwise` if no kind fits.
PyTypeObject *ir_kinds_find(const struct ir_kind *kinds,
                            PyTypeObject *const *classes,
                            const struct ir_api *api, struct ir_kinds *known,
                            const void *type_id, const void *pointer,
                            PyTypeObject *otherwise);

/// `Class(object)`: an object of `class` for the same type or attribute, if it
/// is one; `family` is Type or Attribute.
PyObject *ir_kinds_cast(const struct ir_kind *kinds,
                        PyTypeObject *const *classes, PyTypeObject *class,
                        PyTypeObject *family, const char *word,
                        PyObject *arguments, PyObject *keywords);
/// `Class.isinstance(object)`
PyObject *ir_kinds_is(const struct ir_kind *kinds, PyTypeObject *const *classes,
                      PyObject *class, PyTypeObject *family, PyObject *object);

/// What methods in files of types and attributes begin with.
#define IR_TYPE(self)                                                          \
  struct ir_unique *unique = ir_unique_check(self);                            \
  if (!unique)                                                                 \
    return NULL;                                                               \
  struct ir_context *context = unique->context;                                \
  const struct ir_api *api = context->api;                                     \
  MlirType type = {unique->pointer};                                           \
  (void)api, (void)type

#define IR_ATTRIBUTE(self)                                                     \
  struct ir_unique *unique = ir_unique_check(self);                            \
  if (!unique)                                                                 \
    return NULL;                                                               \
  struct ir_context *context = unique->context;                                \
  const struct ir_api *api = context->api;                                     \
  MlirAttribute attribute = {unique->pointer};                                 \
  (void)api, (void)attribute

/// A property `name` that is `expression`, evaluated with what IR_TYPE or
/// IR_ATTRIBUTE defines.
#define IR_TYPE_GETTER(name, expression)                                       \
  static PyObject *name(PyObject *self, void *closure) {                       \
    (void)closure;                                                             \
    IR_TYPE(self);                                                             \
    return expression;                                                         \
  }
#define IR_ATTRIBUTE_GETTER(name, expression)                                  \
  static PyObject *name(PyObject *self, void *closure) {                       \
    (void)closure;                                                             \
    IR_ATTRIBUTE(self);                                                        \
    return expression;                                                         \
  }

/// For tables of methods.
#define IR_FUNCTION(function) (PyCFunction)(void (*)(void))(function)
#define IR_STATIC METH_VARARGS | METH_KEYWORDS | METH_STATIC

/// Slots of the kinds, by file.
extern const PyType_Slot ir_integer_type_slots[], ir_complex_type_slots[],
    ir_function_type_slots[], ir_tuple_type_slots[], ir_opaque_type_slots[],
    ir_float_type_slots[];
extern const PyType_Slot ir_shaped_type_slots[], ir_tensor_type_slots[],
    ir_unranked_tensor_type_slots[], ir_memref_type_slots[],
    ir_unranked_memref_type_slots[], ir_vector_type_slots[];
extern const PyType_Slot ir_array_attr_slots[], ir_dict_attr_slots[],
    ir_symbol_attr_slots[], ir_flat_symbol_attr_slots[],
    ir_strided_attr_slots[], ir_map_attr_slots[], ir_opaque_attr_slots[];
extern const PyType_Slot ir_bool_attr_slots[], ir_integer_attr_slots[],
    ir_float_attr_slots[], ir_string_attr_slots[], ir_type_attr_slots[],
    ir_unit_attr_slots[];
extern const PyType_Slot ir_dense_bool_array_slots[], ir_dense_i8_array_slots[],
    ir_dense_i16_array_slots[], ir_dense_i32_array_slots[],
    ir_dense_i64_array_slots[], ir_dense_f32_array_slots[],
    ir_dense_f64_array_slots[];
extern const PyType_Slot ir_dense_elements_slots[], ir_dense_number_slots[];

/// Where a function makes something of its argument loc: or of the current
/// location, or an unknown one of `context`. False with an exception.
bool ir_location_for(struct ir_context *context, PyObject *loc,
                     MlirLocation *location);

#endif // MLIRPLUG_PYTHON_IR_KIND_H
