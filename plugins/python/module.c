// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "module.h"

#include "engine.h"
#include "host.h"
#include "pass.h"

#include <string.h>

struct module_state *module_state(void) {
  static struct module_state state;
  return &state;
}

PyObject *module_passes(void) {
  struct module_state *state = module_state();
  if (!state->passes)
    state->passes = PyImport_ImportModule("mlirplug._passes");
  return state->passes;
}

struct ir_types *module_ir_types(void) { return module_state()->types; }

//===----------------------------------------------------------------------===//
// mlirplug.Error
//===----------------------------------------------------------------------===//

static int part_set(PyObject *exception, const char *name, const char *part) {
  PyObject *value = Py_None;
  if (part) {
    value = PyUnicode_DecodeUTF8(part, (Py_ssize_t)strlen(part), "replace");
    if (!value)
      return -1;
  } else {
    Py_INCREF(value);
  }
  int result = PyObject_SetAttrString(exception, name, value);
  Py_DECREF(value);
  return result;
}

static PyObject *exception_make(const mlirplug_error *error) {
  PyObject *class = module_state()->error;
  const char *message = error->message ? error->message : "out of memory";
  PyObject *text =
      PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
  PyObject *made =
      text ? PyObject_CallFunctionObjArgs(class, text, NULL) : NULL;
  Py_XDECREF(text);
  PyObject *diagnostics = made ? PyList_New(0) : NULL;
  int result = diagnostics
                   ? PyObject_SetAttrString(made, "diagnostics", diagnostics)
                   : -1;
  Py_XDECREF(diagnostics);
  if (result == 0 && part_set(made, "doing", error->doing) == 0 &&
      part_set(made, "subject", error->subject) == 0 &&
      part_set(made, "found", error->found) == 0 &&
      part_set(made, "expected", error->expected) == 0 &&
      part_set(made, "remedy", error->remedy) == 0)
    return made;
  Py_XDECREF(made);
  return NULL;
}

PyObject *module_raise(mlirplug_error *error) {
  PyObject *exception = error ? exception_make(error) : PyErr_NoMemory();
  if (exception)
    PyErr_SetObject(module_state()->error, exception);
  Py_XDECREF(exception);
  mlirplug_error_destroy(error);
  return NULL;
}

static int error_register(PyObject *module) {
  static const char documentation[] =
      "What went wrong, with its parts: doing, subject, found, expected and "
      "remedy, each a str or None.";
  PyObject *class = PyErr_NewExceptionWithDoc("mlirplug.Error", documentation,
                                              PyExc_RuntimeError, NULL);
  if (!class)
    return -1;
  module_state()->error = class;
  Py_INCREF(class);
  if (PyModule_AddObject(module, "Error", class) == 0)
    return 0;
  Py_DECREF(class);
  return -1;
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

static PyObject *on_version(PyObject *module, PyObject *unused) {
  (void)module;
  (void)unused;
  return PyUnicode_FromString(mlirplug_version());
}

static int namespace_find(void) {
  PyObject *types = PyImport_ImportModule("types");
  if (types)
    module_state()->namespace =
        PyObject_GetAttrString(types, "SimpleNamespace");
  Py_XDECREF(types);
  return module_state()->namespace ? 0 : -1;
}

static int capsule_add(PyObject *module) {
  PyObject *capsule =
      PyCapsule_New((void *)pass_extension(), PYTHON_EXTENSION_CAPSULE, NULL);
  if (capsule && PyModule_AddObject(module, "_extension", capsule) == 0)
    return 0;
  Py_XDECREF(capsule);
  return -1;
}

static PyMethodDef module_methods[] = {
    {"version", on_version, METH_NOARGS,
     "version()\n--\n\nThe version of libmlirplug."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "mlirplug._mlirplug",
    .m_doc = "The part of mlirplug that is written in C.",
    .m_size = -1,
    .m_methods = module_methods,
};

// Declared here, for Python.h leaves it to us.
PyMODINIT_FUNC PyInit__mlirplug(void);

PyMODINIT_FUNC PyInit__mlirplug(void) {
  PyObject *module = PyModule_Create(&module_definition);
  if (!module)
    return NULL;
  if (error_register(module) == 0 && namespace_find() == 0 &&
      pass_run_register(module) == 0 && host_register(module) == 0 &&
      engine_register(module) == 0 && capsule_add(module) == 0 &&
      (module_state()->types = ir_register(module)))
    return module;
  Py_DECREF(module);
  return NULL;
}
