// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// A descriptor
//===----------------------------------------------------------------------===//

/// An attribute that is a str or None, for ever.
static int text_read(PyObject *object, const char *name, const char **text) {
  PyObject *value = PyObject_GetAttrString(object, name);
  *text = value ? pass_text_keep(value) : NULL;
  Py_XDECREF(value);
  return PyErr_Occurred() ? -1 : 0;
}

static int statistics_read(PyObject *declared, mlirplug_pass *pass) {
  PyObject *list = PyObject_GetAttrString(declared, "statistics");
  Py_ssize_t count = list ? PyList_Size(list) : -1;
  mlirplug_statistic *made =
      count >= 0 ? calloc((size_t)count + 1, sizeof *made) : NULL;
  for (Py_ssize_t i = 0; made && i < count; ++i) {
    PyObject *item = PyList_GetItem(list, i);
    PyObject *name = item ? PyTuple_GetItem(item, 0) : NULL;
    PyObject *help = item ? PyTuple_GetItem(item, 1) : NULL;
    if (name && help) {
      made[i].name = pass_text_keep(name);
      made[i].help = pass_text_keep(help);
    }
  }
  Py_XDECREF(list);
  pass->statistic_size = sizeof *made;
  pass->statistics = made;
  pass->statistic_count = made ? (uint64_t)count : 0;
  if (!made && !PyErr_Occurred())
    PyErr_NoMemory();
  return PyErr_Occurred() ? -1 : 0;
}

static int options_read(PyObject *declared, mlirplug_pass *pass) {
  PyObject *list = PyObject_GetAttrString(declared, "options");
  int result = list ? pass_options_make(list, pass) : -1;
  Py_XDECREF(list);
  return result;
}

/// A pass for ever; null with an exception.
static const mlirplug_pass *pass_make(PyObject *declared,
                                      const struct python_services *services) {
  struct python_pass *made = calloc(1, sizeof *made);
  if (!made) {
    PyErr_NoMemory();
    return NULL;
  }
  Py_INCREF(declared);
  made->declared = declared;
  made->services = services;
  mlirplug_pass *pass = &made->pass;
  pass->size = sizeof *pass;
  if (text_read(declared, "name", &pass->name) != 0 ||
      text_read(declared, "summary", &pass->summary) != 0 ||
      text_read(declared, "description", &pass->description) != 0 ||
      text_read(declared, "anchor", &pass->anchor) != 0 ||
      text_read(declared, "dialects", &pass->dialects) != 0 ||
      options_read(declared, pass) != 0 ||
      statistics_read(declared, pass) != 0 || pass_callbacks_fill(made) != 0) {
    Py_DECREF(declared);
    free(made); // Its texts and tables stay: this is seldom.
    return NULL;
  }
  return pass;
}

/// Of what mlirplug._passes.open_file returned.
static const mlirplug_descriptor *
descriptor_make(PyObject *opened, const struct python_services *services) {
  PyObject *id = PyTuple_GetItem(opened, 0);
  PyObject *version = PyTuple_GetItem(opened, 1);
  PyObject *list = PyTuple_GetItem(opened, 2);
  Py_ssize_t count = id && version && list ? PyList_Size(list) : -1;
  if (count < 0)
    return NULL;
  mlirplug_descriptor *made = calloc(1, sizeof *made);
  const mlirplug_pass **passes = calloc((size_t)count + 1, sizeof *passes);
  if (!made || !passes) {
    free(made);
    free(passes);
    PyErr_NoMemory();
    return NULL;
  }
  *made = (mlirplug_descriptor){.magic = MLIRPLUG_MAGIC,
                                .size = sizeof *made,
                                .abi_major = MLIRPLUG_ABI_MAJOR,
                                .abi_minor = MLIRPLUG_ABI_MINOR,
                                .id = pass_text_keep(id),
                                .version = pass_text_keep(version),
                                .sdk = MLIRPLUG_SDK_VERSION,
                                .passes = passes,
                                .pass_count = (uint64_t)count};
  for (Py_ssize_t i = 0; !PyErr_Occurred() && i < count; ++i)
    passes[i] = pass_make(PyList_GetItem(list, i), services);
  if (!PyErr_Occurred())
    return made;
  free(passes);
  free(made);
  return NULL;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

/// What is wrong in the file, by the exception that is set.
static void exception_refuse(const mlirplug_opening *opening) {
  PyObject *type, *value, *traceback, *text = NULL;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyObject *passes = module_passes();
  if (passes)
    text = PyObject_CallMethod(passes, "explain_opening", "sOOO", opening->path,
                               type, value ? value : Py_None,
                               traceback ? traceback : Py_None);
  Py_ssize_t length;
  const char *bytes = text ? pass_text_of(text, &length) : NULL;
  PyErr_Clear();
  opening->refuse(opening, bytes ? bytes : "running it failed",
                  "a file that declares its passes by @mlirplug.pass_",
                  "correct the file");
  Py_XDECREF(text);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
}

/// The extension calls libmlirplug itself, which must be the one that calls it.
static bool library_check(const mlirplug_opening *opening) {
  Dl_info own, other;
  void *refuse;
  memcpy(&refuse, &opening->refuse, sizeof refuse);
  const char *(*version)(void) = mlirplug_version;
  void *called;
  memcpy(&called, &version, sizeof called);
  if (dladdr(called, &own) && dladdr(refuse, &other) &&
      own.dli_fbase == other.dli_fbase)
    return true;
  opening->refuse(opening,
                  "there are two libmlirplug in this process, and the Python "
                  "package uses the other one",
                  "one libmlirplug", "use the mlirplug of one installation");
  return false;
}

static const mlirplug_descriptor *
file_open(const mlirplug_opening *opening,
          const struct python_services *services) {
  PyObject *path = PyUnicode_DecodeFSDefault(opening->path);
  PyObject *passes = path ? module_passes() : NULL;
  PyObject *opened =
      passes ? PyObject_CallMethod(passes, "open_file", "Oy#", path,
                                   opening->bytes, (Py_ssize_t)opening->length)
             : NULL;
  const mlirplug_descriptor *made =
      opened ? descriptor_make(opened, services) : NULL;
  if (!made)
    exception_refuse(opening);
  Py_XDECREF(opened);
  Py_XDECREF(path);
  return made;
}

static const mlirplug_descriptor *
on_open(const mlirplug_opening *opening,
        const struct python_services *services) {
  if (!library_check(opening))
    return NULL;
  PyGILState_STATE gil = PyGILState_Ensure();
  const mlirplug_descriptor *made = file_open(opening, services);
  PyGILState_Release(gil);
  return made;
}

const struct python_extension *pass_extension(void) {
  static const struct python_extension extension = {
      .size = sizeof extension,
      .version = MLIRPLUG_SDK_VERSION,
      .open = on_open,
  };
  return &extension;
}
