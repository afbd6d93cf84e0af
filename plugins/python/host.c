// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "host.h"

#include "columns.h"

#include <string.h>

static PyObject *text_make(const char *text) {
  if (!text)
    Py_RETURN_NONE;
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/// load(path, kind)
static PyObject *on_load(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *path;
  int kind;
  if (!PyArg_ParseTuple(arguments, "O&i", PyUnicode_FSConverter, &path, &kind))
    return NULL;
  int result = host_load(PyBytes_AsString(path), (enum load_kind)kind);
  Py_DECREF(path);
  if (result != 0)
    return NULL;
  Py_RETURN_NONE;
}

//===----------------------------------------------------------------------===//
// What there is
//===----------------------------------------------------------------------===//

static PyObject *texts_make(const char *const *texts, size_t count) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)count);
  for (size_t i = 0; tuple && i < count; ++i) {
    PyObject *text = text_make(texts[i]);
    if (!text || PyTuple_SetItem(tuple, (Py_ssize_t)i, text) != 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *options_make(const mlirplug_pass_description *pass) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)pass->option_count);
  for (size_t i = 0; tuple && i < pass->option_count; ++i) {
    PyObject *pair = Py_BuildValue("NN", text_make(pass->options[i]->name),
                                   text_make(pass->options[i]->help));
    if (!pair || PyTuple_SetItem(tuple, (Py_ssize_t)i, pair) != 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *pass_make(const mlirplug_pass_description *pass) {
  return Py_BuildValue("NNNN", text_make(pass->name), text_make(pass->summary),
                       texts_make(pass->anchors, pass->anchor_count),
                       options_make(pass));
}

static PyObject *passes_make(const mlirplug_plugin_description *plugin) {
  PyObject *tuple = PyTuple_New((Py_ssize_t)plugin->pass_count);
  for (size_t i = 0; tuple && i < plugin->pass_count; ++i) {
    PyObject *pass = pass_make(plugin->passes[i]);
    if (!pass || PyTuple_SetItem(tuple, (Py_ssize_t)i, pass) != 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

/// list(): (path, id, version, language, passes) for each plugin.
static PyObject *on_list(PyObject *module, PyObject *unused) {
  (void)module;
  (void)unused;
  mlirplug_host *host = host_get_unattached();
  PyObject *list = host ? PyList_New(0) : NULL;
  size_t count = list ? mlirplug_host_plugin_count(host) : 0;
  for (size_t i = 0; list && i < count; ++i) {
    const mlirplug_plugin_description *plugin = mlirplug_host_plugin(host, i);
    if (!plugin)
      continue;
    PyObject *item =
        Py_BuildValue("NNNNN", text_make(plugin->path), text_make(plugin->id),
                      text_make(plugin->version), text_make(plugin->language),
                      passes_make(plugin));
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

/// pipeline(text): the same, checked, with options as they are taken.
static PyObject *on_pipeline(PyObject *module, PyObject *arguments) {
  (void)module;
  const char *text;
  mlirplug_host *host = host_get_unattached();
  if (!host || !PyArg_ParseTuple(arguments, "s", &text))
    return NULL;
  mlirplug_pipeline *pipeline = NULL;
  mlirplug_error *error = NULL;
  mlirplug_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = mlirplug_pipeline_parse(host, text, &pipeline, &error);
  Py_END_ALLOW_THREADS;
  if (status != MLIRPLUG_OK)
    return module_raise(error);
  PyObject *made = text_make(mlirplug_pipeline_text(pipeline));
  mlirplug_pipeline_destroy(pipeline);
  return made;
}

int host_register(PyObject *module) {
  static PyMethodDef functions[] = {
      {"load", on_load, METH_VARARGS, NULL},
      {"list", on_list, METH_NOARGS, NULL},
      {"pipeline", on_pipeline, METH_VARARGS, NULL},
      {"run", host_run, METH_VARARGS, NULL},
      {"columns", columns_make, METH_VARARGS, NULL},
      {NULL, NULL, 0, NULL},
  };
  return PyModule_AddFunctions(module, functions);
}
