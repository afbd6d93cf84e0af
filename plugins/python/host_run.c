// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running a pipeline on an operation of Python's.

#include "host.h"
#include "host_job.h"
#include "pass.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static PyObject *line_make(const struct line *line, bool is_statistic) {
  PyObject *text =
      PyUnicode_DecodeUTF8(line->text, (Py_ssize_t)line->length, "replace");
  if (!text || !is_statistic)
    return text;
  return Py_BuildValue("NnsK", text, (Py_ssize_t)line->place,
                       line->name ? line->name : "", line->value);
}

static PyObject *lines_make(const struct line *line, bool is_statistic) {
  PyObject *list = PyList_New(0);
  for (; list && line; line = line->next) {
    PyObject *item = line_make(line, is_statistic);
    if (!item || PyList_Append(list, item) != 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

//===----------------------------------------------------------------------===//
// The operation
//===----------------------------------------------------------------------===//

/// Which operation, of which copy of MLIR.
struct subject {
  struct python_host *host;
  PyObject *object;          ///< Borrowed.
  PyObject *context;         ///< An mlirplug.ir.Context, or null; owned.
  struct pass_context *used; ///< That of other bindings, or null.
  PyObject *digest;          ///< Makes diagnostics what outlives the context.
  bool is_own;               ///< It is one of mlirplug.ir.
  MlirOperation operation;
  MlirContext mlir_context;
};

static int own_get(struct subject *subject) {
  struct ir_api *api;
  if (ir_operation_get(subject->object, &api, &subject->context,
                       &subject->operation) != 0 ||
      !(subject->host = host_of_api(api)) ||
      ir_context_get(subject->context, &api, &subject->mlir_context) != 0)
    return -1;
  subject->is_own = true;
  return 0;
}

/// The context that an operation of other bindings is of.
static int context_find(struct subject *subject) {
  mlirplug_import import = {"mlirOperationGetContext", NULL};
  mlirplug_error *error = NULL;
  if (mlirplug_host_bind(subject->host->host, &import, &import + 1, &error) !=
      MLIRPLUG_OK) {
    module_raise(error);
    return -1;
  }
  subject->mlir_context =
      ((__typeof__(&mlirOperationGetContext))import.function)(
          subject->operation);
  // Only diagnostics are kept by it; a copy of MLIR that lacks what that takes
  // prints them.
  subject->used =
      pass_context_get_for(subject->host->host, subject->mlir_context);
  if (subject->used) {
    subject->context = pass_context_object(subject->used);
    Py_INCREF(subject->context);
  }
  PyErr_Clear();
  return 0;
}

struct python_host *host_find_operation(PyObject *object,
                                        MlirOperation *operation) {
  PyObject *capsule = PyObject_GetAttrString(object, "_CAPIPtr");
  const char *name = capsule ? PyCapsule_GetName(capsule) : NULL;
  const char *end = name ? strstr(name, ".ir.Operation._CAPIPtr") : NULL;
  struct python_host *host = NULL;
  if (!end) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError,
                 "expected a Module or an Operation of mlirplug.ir or of "
                 "bindings that are made as MLIR's own are, not %R",
                 (PyObject *)Py_TYPE(object));
  } else {
    char *package = strndup(name, (size_t)(end - name));
    if (!package)
      PyErr_NoMemory();
    else if ((operation->ptr = PyCapsule_GetPointer(capsule, name)))
      host = host_get(package);
    free(package);
  }
  Py_XDECREF(capsule);
  return host;
}

static int foreign_get(struct subject *subject) {
  subject->host = host_find_operation(subject->object, &subject->operation);
  return subject->host ? context_find(subject) : -1;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Raises the error of a run, with the diagnostics.
static void failure_raise(struct job *job, PyObject *diagnostics) {
  module_raise(job->error);
  job->error = NULL;
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (value && diagnostics &&
      PyObject_SetAttrString(value, "diagnostics", diagnostics) != 0)
    PyErr_Clear();
  PyErr_Restore(type, value, traceback);
}

/// What was captured, as the caller wants it; null if that fails.
static PyObject *diagnostics_take(struct ir_capture *capture,
                                  PyObject *digest) {
  PyObject *captured = capture ? ir_capture_end(capture) : PyList_New(0);
  PyObject *made =
      captured ? PyObject_CallFunctionObjArgs(digest, captured, NULL) : NULL;
  Py_XDECREF(captured);
  return made;
}

/// (records, statistics, diagnostics); null with an exception.
static PyObject *job_run(struct job *job, const struct subject *subject,
                         bool is_main) {
  struct ir_capture *capture =
      subject->context ? ir_capture_begin(subject->context, true) : NULL;
  PyErr_Clear();
  int result = 0;
  if (is_main) {
    result = job_do_elsewhere(job);
  } else {
    job_do_here(job);
  }
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject *diagnostics = diagnostics_take(capture, subject->digest);
  PyErr_Clear();
  PyErr_Restore(type, value, traceback);
  PyObject *made = NULL;
  if (result == 0 && job->status != MLIRPLUG_OK)
    failure_raise(job, diagnostics);
  else if (result == 0 && job->is_out_of_memory)
    PyErr_NoMemory();
  else if (result == 0)
    made = Py_BuildValue("NNO", lines_make(job->records, false),
                         lines_make(job->statistics, true),
                         diagnostics ? diagnostics : Py_None);
  Py_XDECREF(diagnostics);
  return made;
}

static PyObject *subject_run(const struct subject *subject,
                             const char *pipeline, bool verify, bool is_main) {
  struct job job = {.host = subject->host->host,
                    .pipeline = pipeline,
                    .operation = subject->operation,
                    .context = subject->mlir_context,
                    .verify = verify};
  if (subject->is_own && ir_operation_lock(subject->object) != 0)
    return NULL;
  job_begin(&job);
  PyObject *made = job_run(&job, subject, is_main);
  if (subject->is_own)
    ir_operation_unlock(subject->object);
  job_release(&job);
  return made;
}

PyObject *host_run(PyObject *module, PyObject *arguments) {
  (void)module;
  struct subject subject = {0};
  const char *pipeline;
  int verify, is_main;
  if (!PyArg_ParseTuple(arguments, "OsppO", &subject.object, &pipeline, &verify,
                        &is_main, &subject.digest))
    return NULL;
  // The threads of the outer run and those of an inner one, also of another
  // context, can come to wait for each other.
  if (pass_is_running()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "mlirplug.run cannot be called from inside a pass; put "
                    "the passes into the pipeline, before or behind it");
    return NULL;
  }
  PyObject *made = NULL;
  if ((ir_is_operation(subject.object) ? own_get(&subject)
                                       : foreign_get(&subject)) == 0)
    made = subject_run(&subject, pipeline, verify, is_main);
  Py_XDECREF(subject.context);
  pass_context_release(subject.used);
  return made;
}
