// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of mlirplug.ir: made once for the extension module.

#include "ir_object.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *ir_class_make(PyObject *module, const char *name, size_t size,
                            PyTypeObject *base, const PyType_Slot *slots) {
  char full[64];
  PyOS_snprintf(full, sizeof(full), "mlirplug.ir.%s", name);
  PyType_Spec spec = {
      .name = full,
      .basicsize = (int)size,
      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
      .slots = (PyType_Slot *)slots,
  };
  PyObject *bases = base ? PyTuple_Pack(1, base) : NULL;
  PyObject *class = PyType_FromSpecWithBases(&spec, bases);
  Py_XDECREF(bases);
  if (!class)
    return NULL;
  // The module keeps it; so does the structure, for ever.
  if (PyObject_SetAttrString(module, name, class) < 0) {
    Py_DECREF(class);
    return NULL;
  }
  return (PyTypeObject *)class;
}

int ir_class_property(struct ir_types *types, PyTypeObject *class,
                      PyMethodDef *function) {
  PyObject *getter = PyCFunction_NewEx(function, NULL, NULL);
  PyObject *property =
      getter ? PyObject_CallMethod(types->support, "ClassProperty", "O", getter)
             : NULL;
  int status = property ? PyObject_SetAttrString((PyObject *)class,
                                                 function->ml_name, property)
                        : -1;
  Py_XDECREF(getter);
  Py_XDECREF(property);
  return status;
}

void *ir_object_new(PyTypeObject *class) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(class, Py_tp_alloc);
  return allocate(class, 0);
}

void ir_object_free(PyObject *self) {
  PyTypeObject *class = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(class, Py_tp_free);
  release(self);
  Py_DECREF(class);
}

/// After a failure. The classes stay with the module.
static void types_destroy(struct ir_types *types) {
  if (!types)
    return;
  Py_XDECREF(types->key);
  Py_XDECREF(types->views);
  Py_XDECREF(types->support);
  Py_XDECREF(types->error);
  free(types);
}

struct ir_types *ir_register(PyObject *module) {
  static int (*const steps[])(PyObject *, struct ir_types *) = {
      ir_register_error,     ir_register_context,   ir_register_location,
      ir_register_type,      ir_register_attribute, ir_register_affine,
      ir_register_operation, ir_register_region,    ir_register_value,
      ir_register_list,      ir_register_insertion, ir_register_module,
  };
  struct ir_types *types = calloc(1, sizeof(*types));
  PyObject *ir = PyModule_New("mlirplug.ir");
  if (!types || !ir)
    goto failed;
  types->key = PyUnicode_InternFromString("mlirplug.ir");
  types->views = PyDict_New();
  if (!types->key || !types->views)
    goto failed;
  for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); ++i)
    if (steps[i](ir, types) < 0)
      goto failed;
  if (PyObject_SetAttrString(module, "ir", ir) < 0)
    goto failed;
  Py_DECREF(ir);
  return types;

failed:
  if (!PyErr_Occurred())
    PyErr_NoMemory();
  Py_XDECREF(ir);
  types_destroy(types);
  return NULL;
}
