// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class Location.

#include "ir_object.h"

#define LOCATION(self)                                                         \
  struct ir_unique *unique = ir_unique_check(self);                            \
  if (!unique)                                                                 \
    return NULL;                                                               \
  struct ir_context *context = unique->context;                                \
  const struct ir_api *api = context->api;                                     \
  MlirLocation location = {unique->pointer};                                   \
  (void)api, (void)location

/// A property: `expression` is evaluated with the above.
#define GETTER(name, expression)                                               \
  static PyObject *name(PyObject *self, void *closure) {                       \
    (void)closure;                                                             \
    LOCATION(self);                                                            \
    return expression;                                                         \
  }

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static PyObject *unknown(PyObject *class, PyObject *arguments,
                         PyObject *keywords) {
  (void)class;
  static char *names[] = {"context", NULL};
  PyObject *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:unknown", names,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context
             ? ir_location_new(context, context->api->mlirLocationUnknownGet(
                                            context->context))
             : NULL;
}

/// file(filename, line, col), or with the end: four numbers.
static PyObject *file(PyObject *class, PyObject *arguments,
                      PyObject *keywords) {
  (void)class;
  static char *point_names[] = {"filename", "line", "col", "context", NULL};
  static char *range_names[] = {"filename", "start_line", "start_col",
                                "end_line", "end_col",    "context",
                                NULL};
  PyObject *name, *object = NULL;
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  unsigned line, column, end_line, end_column;
  bool is_range = PyTuple_Size(arguments) > 4 ||
                  (keywords && PyDict_GetItemString(keywords, "start_line"));
  if (is_range ? !PyArg_ParseTupleAndKeywords(
                     arguments, keywords, "OIIII|O:file", range_names, &name,
                     &line, &column, &end_line, &end_column, &object)
               : !PyArg_ParseTupleAndKeywords(arguments, keywords, "OII|O:file",
                                              point_names, &name, &line,
                                              &column, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context || !ir_string_argument(name, &text, &text_bytes))
    return NULL;
  const struct ir_api *api = context->api;
  if (!is_range)
    return ir_location_new(context, api->mlirLocationFileLineColGet(
                                        context->context, text, line, column));
  if (!IR_NEED(api, mlirLocationFileLineColRangeGet))
    return NULL;
  return ir_location_new(
      context, api->mlirLocationFileLineColRangeGet(
                   context->context, text, line, column, end_line, end_column));
}

static PyObject *name(PyObject *class, PyObject *arguments,
                      PyObject *keywords) {
  (void)class;
  static char *names[] = {"name", "childLoc", "context", NULL};
  PyObject *object = NULL, *child = NULL, *label;
  MlirStringRef text;
  PyObject *text_bytes IR_KEPT = NULL;
  MlirLocation inner = {NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:name", names,
                                   &label, &child, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context || !ir_string_argument(label, &text, &text_bytes) ||
      !IR_NEED(context->api, mlirLocationNameGet))
    return NULL;
  if (child && child != Py_None) {
    struct ir_unique *location = ir_unique_argument(
        child, context->types->location, context, "a Location");
    if (!location)
      return NULL;
    inner.ptr = location->pointer;
  } else {
    inner = context->api->mlirLocationUnknownGet(context->context);
  }
  return ir_location_new(context, context->api->mlirLocationNameGet(
                                      context->context, text, inner));
}

/// The locations of a sequence, as an array.
static MlirLocation *locations_get(PyObject *object,
                                   const struct ir_context *context,
                                   Py_ssize_t *count) {
  PyObject *items = ir_sequence(object, "a sequence of Locations");
  if (!items)
    return NULL;
  *count = PyTuple_Size(items);
  MlirLocation *locations = ir_array_new(*count, sizeof(*locations));
  for (Py_ssize_t i = 0; locations && i < *count; ++i) {
    struct ir_unique *location =
        ir_unique_argument(PyTuple_GetItem(items, i), context->types->location,
                           context, "a Location");
    if (location) {
      locations[i] = (MlirLocation){location->pointer};
    } else {
      PyMem_Free(locations);
      locations = NULL;
    }
  }
  Py_DECREF(items);
  return locations;
}

static PyObject *fused(PyObject *class, PyObject *arguments,
                       PyObject *keywords) {
  (void)class;
  static char *names[] = {"locations", "metadata", "context", NULL};
  PyObject *sequence, *metadata = NULL, *object = NULL;
  MlirAttribute attribute = {NULL};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:fused", names,
                                   &sequence, &metadata, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context || !IR_NEED(context->api, mlirLocationFusedGet))
    return NULL;
  if (metadata && metadata != Py_None &&
      !ir_attribute_argument(metadata, context, &attribute))
    return NULL;
  Py_ssize_t count;
  MlirLocation *locations = locations_get(sequence, context, &count);
  if (!locations)
    return NULL;
  MlirLocation location = context->api->mlirLocationFusedGet(
      context->context, count, locations, attribute);
  PyMem_Free(locations);
  return ir_location_new(context, location);
}

static PyObject *callsite(PyObject *class, PyObject *arguments,
                          PyObject *keywords) {
  (void)class;
  static char *names[] = {"callee", "frames", "context", NULL};
  PyObject *callee, *frames, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "OO|O:callsite", names,
                                   &callee, &frames, &object))
    return NULL;
  struct ir_unique *inner = ir_unique_argument(
      callee, module_ir_types()->location, NULL, "a Location");
  if (!inner)
    return NULL;
  struct ir_context *context = inner->context;
  Py_ssize_t count;
  MlirLocation *locations = locations_get(frames, context, &count);
  if (!locations)
    return NULL;
  if (!count)
    PyErr_SetString(PyExc_ValueError, "No caller frames provided.");
  const struct ir_api *api = context->api;
  PyObject *result = NULL;
  if (count && IR_NEED(api, mlirLocationCallSiteGet)) {
    MlirLocation caller = locations[count - 1];
    for (Py_ssize_t i = count - 1; i-- > 0;)
      caller = api->mlirLocationCallSiteGet(locations[i], caller);
    result = ir_location_new(
        context,
        api->mlirLocationCallSiteGet((MlirLocation){inner->pointer}, caller));
  }
  PyMem_Free(locations);
  return result;
}

static PyObject *from_attr(PyObject *class, PyObject *arguments,
                           PyObject *keywords) {
  (void)class;
  static char *names[] = {"attribute", "context", NULL};
  PyObject *object, *ignored = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:from_attr", names,
                                   &object, &ignored))
    return NULL;
  struct ir_unique *attribute = ir_unique_argument(
      object, module_ir_types()->attribute, NULL, "an Attribute");
  if (!attribute)
    return NULL;
  struct ir_context *context = attribute->context;
  MlirAttribute handle = {attribute->pointer};
  if (!context->api->mlirAttributeIsALocation(handle)) {
    PyErr_SetString(PyExc_ValueError, "the attribute is no location");
    return NULL;
  }
  return ir_location_new(context,
                         context->api->mlirLocationFromAttribute(handle));
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static PyObject *location_string(PyObject *self) {
  LOCATION(self);
  struct ir_text text = {0};
  api->mlirLocationPrint(location, ir_text_append, &text);
  return ir_text_take(&text);
}

static PyObject *child_new(struct ir_context *context, MlirLocation location) {
  return ir_location_new(context, location);
}

static PyObject *not_one(const char *what) {
  PyErr_Format(PyExc_ValueError, "the location is no %s", what);
  return NULL;
}

static PyObject *fused_list(struct ir_context *context, MlirLocation location) {
  unsigned count = context->api->mlirLocationFusedGetNumLocations(location);
  MlirLocation *locations = ir_array_new(count, sizeof(*locations));
  PyObject *list = locations ? PyList_New(0) : NULL;
  if (list && count)
    context->api->mlirLocationFusedGetLocations(location, locations);
  for (unsigned i = 0; list && i < count; ++i) {
    PyObject *item = ir_location_new(context, locations[i]);
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  PyMem_Free(locations);
  return list;
}

#define IS_FILE api->mlirLocationIsAFileLineColRange(location)
#define IS_NAME api->mlirLocationIsAName(location)
#define IS_CALL api->mlirLocationIsACallSite(location)
#define IS_FUSED api->mlirLocationIsAFused(location)

GETTER(is_a_file, PyBool_FromLong(IS_FILE))
GETTER(is_a_name, PyBool_FromLong(IS_NAME))
GETTER(is_a_callsite, PyBool_FromLong(IS_CALL))
GETTER(is_a_fused, PyBool_FromLong(IS_FUSED))
GETTER(filename,
       IS_FILE ? ir_string_new(api->mlirIdentifierStr(
                     api->mlirLocationFileLineColRangeGetFilename(location)))
               : not_one("file location"))
GETTER(start_line,
       IS_FILE ? PyLong_FromLong(
                     api->mlirLocationFileLineColRangeGetStartLine(location))
               : not_one("file location"))
GETTER(start_col,
       IS_FILE ? PyLong_FromLong(
                     api->mlirLocationFileLineColRangeGetStartColumn(location))
               : not_one("file location"))
GETTER(end_line,
       IS_FILE ? PyLong_FromLong(
                     api->mlirLocationFileLineColRangeGetEndLine(location))
               : not_one("file location"))
GETTER(end_col,
       IS_FILE ? PyLong_FromLong(
                     api->mlirLocationFileLineColRangeGetEndColumn(location))
               : not_one("file location"))
GETTER(name_str, IS_NAME ? ir_string_new(api->mlirIdentifierStr(
                               api->mlirLocationNameGetName(location)))
                         : not_one("name location"))
GETTER(child_loc,
       IS_NAME ? child_new(context, api->mlirLocationNameGetChildLoc(location))
               : not_one("name location"))
GETTER(callee, IS_CALL ? child_new(context,
                                   api->mlirLocationCallSiteGetCallee(location))
                       : not_one("call site"))
GETTER(caller, IS_CALL ? child_new(context,
                                   api->mlirLocationCallSiteGetCaller(location))
                       : not_one("call site"))
GETTER(locations,
       IS_FUSED ? fused_list(context, location) : not_one("fused location"))
GETTER(attr,
       IR_NEED(api, mlirLocationGetAttribute)
           ? ir_attribute_new(context, api->mlirLocationGetAttribute(location))
           : NULL)

static PyObject *emit_error(PyObject *self, PyObject *object) {
  LOCATION(self);
  if (!PyUnicode_Check(object)) {
    PyErr_SetString(PyExc_TypeError, "the message is a str");
    return NULL;
  }
  // UTF-8 without zero bytes, which MLIR's function stops at.
  PyObject *bytes = PyUnicode_AsUTF8String(object);
  char *text;
  if (!bytes || PyBytes_AsStringAndSize(bytes, &text, NULL) < 0) {
    Py_XDECREF(bytes);
    return NULL;
  }
  // Whoever handles it may want the GIL.
  if (context->owned && !context->runs) {
    api->mlirEmitError(location, text);
  } else {
    Py_BEGIN_ALLOW_THREADS;
    api->mlirEmitError(location, text);
    Py_END_ALLOW_THREADS;
  }
  Py_DECREF(bytes);
  Py_RETURN_NONE;
}

static PyObject *enter(PyObject *self, PyObject *ignored) {
  (void)ignored;
  struct ir_unique *unique = ir_unique_check(self);
  if (!unique || ir_frame_push(unique->context->types,
                               (PyObject *)unique->context, NULL, self) < 0)
    return NULL;
  Py_INCREF(self);
  return self;
}

static PyObject *leave(PyObject *self, PyObject *arguments) {
  (void)arguments;
  if (ir_frame_pop(((struct ir_unique *)self)->context->types, self) < 0)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *get_current(PyObject *self, PyObject *ignored) {
  (void)self;
  (void)ignored;
  PyObject *location = ir_frame_location(module_ir_types());
  if (!location) {
    PyErr_SetString(PyExc_ValueError, "no current Location");
    return NULL;
  }
  Py_INCREF(location);
  return location;
}

#define STATIC METH_VARARGS | METH_KEYWORDS | METH_STATIC
#define FUNCTION(name) (PyCFunction)(void (*)(void))(name)

static PyMethodDef methods[] = {
    {"unknown", FUNCTION(unknown), STATIC, NULL},
    {"file", FUNCTION(file), STATIC, NULL},
    {"name", FUNCTION(name), STATIC, NULL},
    {"fused", FUNCTION(fused), STATIC, NULL},
    {"callsite", FUNCTION(callsite), STATIC, NULL},
    {"from_attr", FUNCTION(from_attr), STATIC, NULL},
    {"emit_error", emit_error, METH_O, "Emits an error at this location."},
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", leave, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

#define PROPERTY(name) {#name, name, NULL, NULL, NULL}

static PyGetSetDef properties[] = {
    {"context", ir_unique_context, NULL, NULL, NULL},
    PROPERTY(is_a_file),
    PROPERTY(is_a_name),
    PROPERTY(is_a_callsite),
    PROPERTY(is_a_fused),
    PROPERTY(filename),
    PROPERTY(start_line),
    PROPERTY(start_col),
    PROPERTY(end_line),
    PROPERTY(end_col),
    PROPERTY(name_str),
    PROPERTY(child_loc),
    PROPERTY(callee),
    PROPERTY(caller),
    PROPERTY(locations),
    PROPERTY(attr),
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef current = {"current", get_current, METH_NOARGS, NULL};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "Where something comes from; with loc: makes it the default."},
    {Py_tp_new, ir_handle_make},
    {Py_tp_dealloc, ir_unique_dealloc},
    {Py_tp_hash, ir_unique_hash},
    {Py_tp_richcompare, ir_unique_compare},
    {Py_tp_str, location_string},
    {Py_tp_repr, location_string},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_register_location(PyObject *module, struct ir_types *types) {
  types->location =
      ir_class_make(module, "Location", sizeof(struct ir_unique), NULL, slots);
  return types->location ? ir_class_property(types, types->location, &current)
                         : -1;
}
