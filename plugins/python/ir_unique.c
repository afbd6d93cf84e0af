// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes, types, locations, affine expressions and maps: what the context
// has once, for ever.

#include "ir_object.h"

PyObject *ir_unique_new(struct ir_context *context, PyTypeObject *class,
                        const void *pointer) {
  if (!pointer) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_ValueError, "MLIR made no %R of this",
                   (PyObject *)class);
    return NULL;
  }
  struct ir_unique *unique = ir_object_new(class);
  if (!unique)
    return NULL;
  Py_INCREF(context);
  unique->context = context;
  unique->pointer = pointer;
  return (PyObject *)unique;
}

PyObject *ir_location_new(struct ir_context *context, MlirLocation location) {
  return ir_unique_new(context, context->types->location, location.ptr);
}

PyObject *ir_affine_map_new(struct ir_context *context, MlirAffineMap map) {
  return ir_unique_new(context, context->types->affine_map, map.ptr);
}

struct ir_unique *ir_unique_check(PyObject *self) {
  struct ir_unique *unique = (struct ir_unique *)self;
  return ir_context_check(unique->context) ? unique : NULL;
}

struct ir_unique *ir_unique_argument(PyObject *object, PyTypeObject *class,
                                     const struct ir_context *context,
                                     const char *expected) {
  if (!PyObject_TypeCheck(object, class)) {
    PyErr_Format(PyExc_TypeError, "expected %s, not %R", expected,
                 (PyObject *)Py_TYPE(object));
    return NULL;
  }
  struct ir_unique *unique = ir_unique_check(object);
  if (unique && context && unique->context != context) {
    PyErr_Format(PyExc_ValueError,
                 "%s of another context was given; make it in the context it "
                 "is to be used in",
                 expected);
    return NULL;
  }
  return unique;
}

bool ir_type_argument(PyObject *object, const struct ir_context *context,
                      MlirType *type) {
  struct ir_unique *unique =
      ir_unique_argument(object, module_ir_types()->type, context, "a Type");
  if (unique)
    *type = (MlirType){unique->pointer};
  return unique != NULL;
}

bool ir_attribute_argument(PyObject *object, const struct ir_context *context,
                           MlirAttribute *attribute) {
  struct ir_unique *unique = ir_unique_argument(
      object, module_ir_types()->attribute, context, "an Attribute");
  if (unique)
    *attribute = (MlirAttribute){unique->pointer};
  return unique != NULL;
}

void ir_unique_dealloc(PyObject *self) {
  struct ir_context *context = ((struct ir_unique *)self)->context;
  ir_object_free(self);
  Py_XDECREF(context);
}

Py_hash_t ir_unique_hash(PyObject *self) {
  size_t address = (size_t)((struct ir_unique *)self)->pointer >> 3;
  return (Py_hash_t)(address == (size_t)-1 ? 0 : address);
}

/// They are one if their address is, whatever their class; a location is no
/// attribute though its address may be that of one.
PyObject *ir_unique_compare(PyObject *self, PyObject *other, int operation) {
  struct ir_unique *one = (struct ir_unique *)self;
  struct ir_types *types = one->context->types;
  PyTypeObject *const families[] = {types->attribute, types->type,
                                    types->location, types->affine_expr,
                                    types->affine_map};
  if (operation != Py_EQ && operation != Py_NE)
    Py_RETURN_NOTIMPLEMENTED;
  bool equal = false;
  for (size_t i = 0; i < sizeof(families) / sizeof(*families); ++i)
    if (PyObject_TypeCheck(self, families[i]) &&
        PyObject_TypeCheck(other, families[i]))
      equal = one->pointer == ((struct ir_unique *)other)->pointer &&
              one->context == ((struct ir_unique *)other)->context;
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

PyObject *ir_unique_context(PyObject *self, void *closure) {
  (void)closure;
  struct ir_context *context = ((struct ir_unique *)self)->context;
  Py_INCREF(context);
  return (PyObject *)context;
}
