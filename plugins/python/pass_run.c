// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug.Run: what a pass is given beside the operation. It is good for one
// call, on that call's thread; whoever keeps it gets exceptions.

#include "pass.h"

#include "ir_object.h"

#include <string.h>
#include <structmember.h>

struct run_object {
  PyObject_HEAD struct pass_call *call; ///< Null once the call has ended.
};

static struct pass_call *call_get(PyObject *self) {
  struct pass_call *call = ((struct run_object *)self)->call;
  if (!call)
    PyErr_SetString(PyExc_RuntimeError,
                    "this run of the pass is over; what it reports, it must "
                    "report while it runs");
  else if (call->thread != PyThread_get_thread_ident()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "this run of the pass belongs to another thread");
    call = NULL;
  }
  return call;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

void pass_diagnose(const struct pass_call *call, int32_t severity,
                   MlirLocation location, const char *text, size_t length) {
  const struct python_services *services = call->pass->services;
  const mlirplug_run *run = call->run;
  Py_BEGIN_ALLOW_THREADS;
  services->diagnose(run, severity, location, (MlirStringRef){text, length});
  Py_END_ALLOW_THREADS;
}

/// Whether a capsule's name, "jaxlib.mlir.ir.Location._CAPIPtr", is that of
/// `kind`.
static bool capsule_is(const char *name, const char *kind) {
  const char *end = name ? strstr(name, "._CAPIPtr") : NULL;
  size_t length = strlen(kind);
  return end && (size_t)(end - name) > length &&
         strncmp(end - length, kind, length) == 0;
}

static MlirLocation location_of(const struct pass_call *call, void *operation) {
  __typeof__(&mlirOperationGetLocation) function =
      (__typeof__(&mlirOperationGetLocation))call->pass->services->lookup(
          call->run, "mlirOperationGetLocation");
  return function ? function((MlirOperation){operation}) : (MlirLocation){NULL};
}

/// The context of the call, or null if that is not known.
static const struct ir_context *own_context(const struct pass_call *call) {
  const struct pass_context *used = call->state ? call->state->context : NULL;
  return used ? (const struct ir_context *)pass_context_object(used) : NULL;
}

/// Of an operation of mlirplug.ir.
static int own_operation_get(const struct pass_call *call, PyObject *object,
                             MlirLocation *location) {
  struct ir_api *api;
  PyObject *context;
  MlirOperation operation;
  if (ir_operation_get(object, &api, &context, &operation) != 0)
    return -1;
  bool is_own = (const struct ir_context *)context == own_context(call);
  Py_XDECREF(context);
  if (is_own)
    *location = location_of(call, operation.ptr);
  else
    PyErr_SetString(PyExc_ValueError,
                    "the place of a diagnostic is in another context");
  return is_own ? 0 : -1;
}

int pass_location_get(const struct pass_call *call, PyObject *object,
                      MlirLocation *location) {
  *location = (MlirLocation){NULL};
  if (!object || object == Py_None)
    return 0;
  if (ir_is_operation(object))
    return own_operation_get(call, object, location);
  PyTypeObject *location_type = module_ir_types()->location;
  if (PyObject_TypeCheck(object, location_type)) {
    const struct ir_unique *unique = ir_unique_argument(
        object, location_type, own_context(call), "Location");
    if (unique)
      location->ptr = unique->pointer;
    return unique ? 0 : -1;
  }
  PyObject *capsule = PyObject_GetAttrString(object, "_CAPIPtr");
  if (!capsule) {
    PyErr_Clear();
    PyErr_SetString(PyExc_TypeError,
                    "the place of a diagnostic is an operation or a location");
    return -1;
  }
  const char *name = PyCapsule_GetName(capsule);
  void *pointer = name ? PyCapsule_GetPointer(capsule, name) : NULL;
  int result = 0;
  if (pointer && capsule_is(name, ".Location"))
    location->ptr = pointer;
  else if (pointer && capsule_is(name, ".Operation"))
    *location = location_of(call, pointer);
  else
    result = -1;
  if (result != 0 && !PyErr_Occurred())
    PyErr_Format(PyExc_TypeError,
                 "the place of a diagnostic is an operation or a location, not "
                 "%s",
                 name ? name : "this");
  Py_DECREF(capsule);
  return result;
}

static PyObject *severity_emit(PyObject *self, PyObject *arguments,
                               PyObject *named, int32_t severity) {
  static char *names[] = {"text", "at", NULL};
  const char *text;
  Py_ssize_t length;
  PyObject *at = NULL;
  MlirLocation location;
  struct pass_call *call = call_get(self);
  if (!call ||
      !PyArg_ParseTupleAndKeywords(arguments, named, "s#|O", names, &text,
                                   &length, &at) ||
      pass_location_get(call, at, &location) != 0)
    return NULL;
  pass_diagnose(call, severity, location, text, (size_t)length);
  Py_RETURN_NONE;
}

#define EMIT(name, severity)                                                   \
  static PyObject *run_##name(PyObject *self, PyObject *arguments,             \
                              PyObject *named) {                               \
    return severity_emit(self, arguments, named, severity);                    \
  }
EMIT(error, MlirDiagnosticError)
EMIT(warning, MlirDiagnosticWarning)
EMIT(note, MlirDiagnosticNote)
EMIT(remark, MlirDiagnosticRemark)
#undef EMIT

//===----------------------------------------------------------------------===//
// Records and statistics
//===----------------------------------------------------------------------===//

/// `object` as JSON in bytes; a str is taken for JSON.
static PyObject *json_make(PyObject *object) {
  if (PyUnicode_Check(object))
    return PyUnicode_AsEncodedString(object, "utf-8", "strict");
  PyObject *json = PyImport_ImportModule("json");
  PyObject *text =
      json ? PyObject_CallMethod(json, "dumps", "O", object) : NULL;
  PyObject *made =
      text ? PyUnicode_AsEncodedString(text, "utf-8", "strict") : NULL;
  Py_XDECREF(text);
  Py_XDECREF(json);
  return made;
}

static PyObject *run_record(PyObject *self, PyObject *object) {
  struct pass_call *call = call_get(self);
  PyObject *text = call ? json_make(object) : NULL;
  Py_ssize_t length;
  const char *bytes = text ? pass_text_of(text, &length) : NULL;
  mlirplug_status status = MLIRPLUG_FAILED;
  if (bytes)
    status = call->pass->services->record_write(
        call->run, (MlirStringRef){bytes, (size_t)length});
  Py_XDECREF(text);
  if (!bytes)
    return NULL;
  if (status == MLIRPLUG_OK)
    Py_RETURN_NONE;
  PyErr_SetString(PyExc_ValueError,
                  "the record cannot be used; the diagnostics say why");
  return NULL;
}

static PyObject *run_count(PyObject *self, PyObject *arguments) {
  const char *name;
  unsigned long long amount = 1;
  struct pass_call *call = call_get(self);
  if (!call || !PyArg_ParseTuple(arguments, "s|K", &name, &amount))
    return NULL;
  const mlirplug_pass *pass = &call->pass->pass;
  for (uint64_t i = 0; i < pass->statistic_count; ++i)
    if (strcmp(pass->statistics[i].name, name) == 0) {
      call->pass->services->statistic_add(call->run, i, amount);
      Py_RETURN_NONE;
    }
  PyErr_Format(PyExc_KeyError, "pass '%s' does not declare the statistic '%s'",
               pass->name, name);
  return NULL;
}

static PyObject *run_options(PyObject *self, void *unused) {
  (void)unused;
  struct pass_call *call = call_get(self);
  if (!call)
    return NULL;
  Py_INCREF(call->state->options);
  return call->state->options;
}

static PyObject *run_cancelled(PyObject *self, void *unused) {
  (void)unused;
  struct pass_call *call = call_get(self);
  return call ? PyBool_FromLong(call->pass->services->is_cancelled(call->run))
              : NULL;
}

static PyObject *run_context(PyObject *self, void *unused) {
  (void)unused;
  struct pass_call *call = call_get(self);
  if (!call)
    return NULL;
  PyObject *context = call->state->context
                          ? pass_context_object(call->state->context)
                          : Py_None;
  Py_INCREF(context);
  return context;
}

//===----------------------------------------------------------------------===//
// The type
//===----------------------------------------------------------------------===//

static void run_dealloc(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyMethodDef run_methods[] = {
    {"error", (PyCFunction)(void (*)(void))run_error,
     METH_VARARGS | METH_KEYWORDS,
     "error(text, at=None)\n--\n\nAn error at an operation or location; by "
     "default at the operation that the pass runs on. It fails the pass, which "
     "goes on until it returns."},
    {"warning", (PyCFunction)(void (*)(void))run_warning,
     METH_VARARGS | METH_KEYWORDS, "warning(text, at=None)\n--\n\nA warning."},
    {"note", (PyCFunction)(void (*)(void))run_note,
     METH_VARARGS | METH_KEYWORDS, "note(text, at=None)\n--\n\nA note."},
    {"remark", (PyCFunction)(void (*)(void))run_remark,
     METH_VARARGS | METH_KEYWORDS, "remark(text, at=None)\n--\n\nA remark."},
    {"record", run_record, METH_O,
     "record(values)\n--\n\nWrites a record: a dict, or the text of a JSON "
     "object."},
    {"count", run_count, METH_VARARGS,
     "count(name, amount=1)\n--\n\nAdds to a statistic."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef run_fields[] = {
    {"options", run_options, NULL, "The values of the pass's options.", NULL},
    {"cancelled", run_cancelled, NULL, "Whether the host wants the run to end.",
     NULL},
    {"context", run_context, NULL, "The mlirplug.ir.Context of the run.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

int pass_run_register(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_doc, "A call of a pass: its options, and what it reports."},
      {Py_tp_dealloc, run_dealloc},
      {Py_tp_methods, run_methods},
      {Py_tp_getset, run_fields},
      {0, NULL},
  };
  static PyType_Spec spec = {
      .name = "mlirplug.Run",
      .basicsize = sizeof(struct run_object),
      .flags = Py_TPFLAGS_DEFAULT,
      .slots = slots,
  };
  PyObject *type = PyType_FromSpec(&spec);
  if (!type || PyModule_AddObject(module, "Run", type) != 0) {
    Py_XDECREF(type);
    return -1;
  }
  Py_INCREF(type);
  module_state()->run_type = type;
  return 0;
}

PyObject *pass_run_make(struct pass_call *call) {
  PyTypeObject *type = (PyTypeObject *)module_state()->run_type;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  PyObject *made = allocate(type, 0);
  if (!made)
    return NULL;
  ((struct run_object *)made)->call = call;
  call->object = made;
  return made;
}

void pass_run_end(struct pass_call *call) {
  if (call->object)
    ((struct run_object *)call->object)->call = NULL;
  Py_CLEAR(call->object);
}
