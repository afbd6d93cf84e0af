// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making operations: Operation.create, parse and clone.

#include "ir_operation.h"

#include <string.h>

/// What an operation is made of, converted from Python and checked.
struct parts {
  struct ir_context *context;
  MlirStringRef name;
  PyObject *name_bytes;
  MlirLocation location;
  struct ir_place place;
  MlirType *results;
  MlirValue *operands;
  MlirNamedAttribute *attributes;
  MlirBlock *successors;
  Py_ssize_t result_count, operand_count, attribute_count, successor_count;
  Py_ssize_t regions;
  bool infer;
};

static void parts_free(struct parts *parts) {
  Py_XDECREF(parts->name_bytes);
  PyMem_Free(parts->results);
  PyMem_Free(parts->operands);
  PyMem_Free(parts->attributes);
  PyMem_Free(parts->successors);
}

/// An operation with one result may stand for it.
bool ir_value_argument(PyObject *object, const struct ir_scope *scope,
                       MlirValue *value) {
  struct ir_types *types = module_ir_types();
  bool is_operation = PyObject_TypeCheck(object, types->operation_base);
  struct ir_handle *handle = ir_handle_argument(
      object, is_operation ? types->operation_base : types->value, scope,
      "a Value");
  if (!handle)
    return false;
  *value = (MlirValue){handle->pointer};
  if (!is_operation)
    return true;
  const struct ir_api *api = handle->tree->context->api;
  MlirOperation operation = {handle->pointer};
  if (api->mlirOperationGetNumResults(operation) != 1) {
    PyErr_SetString(PyExc_ValueError,
                    "only an operation with one result stands for its value");
    return false;
  }
  *value = api->mlirOperationGetResult(operation, 0);
  return true;
}

static bool parts_results(struct parts *parts, PyObject *object) {
  PyObject *items = ir_sequence(object, "a sequence of Types");
  if (!items)
    return false;
  Py_ssize_t count = PyTuple_Size(items);
  parts->results = ir_array_new(count, sizeof(*parts->results));
  bool good = parts->results != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i)
    good = ir_type_argument(PyTuple_GetItem(items, i), parts->context,
                            &parts->results[i]);
  parts->result_count = count;
  Py_DECREF(items);
  return good;
}

static bool parts_operands(struct parts *parts, PyObject *items) {
  Py_ssize_t count = PyTuple_Size(items);
  parts->operands = ir_array_new(count, sizeof(*parts->operands));
  bool good = parts->operands != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i)
    good = ir_value_argument(PyTuple_GetItem(items, i), parts->place.scope,
                             &parts->operands[i]);
  parts->operand_count = count;
  return good;
}

static bool parts_successors(struct parts *parts, PyObject *items) {
  Py_ssize_t count = PyTuple_Size(items);
  parts->successors = ir_array_new(count, sizeof(*parts->successors));
  bool good = parts->successors != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    struct ir_handle *block =
        ir_handle_argument(PyTuple_GetItem(items, i), module_ir_types()->block,
                           parts->place.scope, "a Block");
    good = block != NULL;
    if (good)
      parts->successors[i] = (MlirBlock){block->pointer};
  }
  parts->successor_count = count;
  return good && ir_place_takes(&parts->place, parts->successors, count);
}

static bool parts_attributes(struct parts *parts, PyObject *object) {
  if (!object || object == Py_None)
    return true;
  PyObject *items = PyMapping_Items(object);
  if (!items)
    return false;
  Py_ssize_t count = PyList_Size(items);
  parts->attributes = ir_array_new(count, sizeof(*parts->attributes));
  bool good = parts->attributes != NULL;
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    PyObject *key, *value;
    MlirStringRef name;
    PyObject *name_bytes IR_KEPT = NULL;
    MlirAttribute attribute;
    good = PyArg_ParseTuple(PyList_GetItem(items, i), "OO", &key, &value) &&
           ir_string_argument(key, &name, &name_bytes) &&
           ir_attribute_argument(value, parts->context, &attribute);
    if (good)
      parts->attributes[i] = (MlirNamedAttribute){
          parts->context->api->mlirIdentifierGet(parts->context->context, name),
          attribute};
  }
  parts->attribute_count = count;
  Py_DECREF(items);
  return good;
}

/// MLIR aborts, or worse, for operations that it does not know.
static bool name_check(const struct parts *parts) {
  struct ir_context *context = parts->context;
  const struct ir_api *api = context->api;
  if (api->mlirContextIsRegisteredOperation(context->context, parts->name))
    return true;
  const char *dot = memchr(parts->name.data, '.', parts->name.length);
  size_t length = dot ? (size_t)(dot - parts->name.data) : parts->name.length;
  if (!context->runs && !context->scopes) {
    api->mlirContextGetOrLoadDialect(context->context,
                                     (MlirStringRef){parts->name.data, length});
    if (api->mlirContextIsRegisteredOperation(context->context, parts->name))
      return true;
  }
  if (parts->name.length &&
      api->mlirContextGetAllowUnregisteredDialects(context->context))
    return true;
  PyObject *name = ir_string_new(parts->name);
  if (name)
    PyErr_Format(PyExc_ValueError,
                 context->scopes
                     ? "the operation '%U' is not known here; if its dialect "
                       "is not loaded, the pass has to declare it (dialects=…)"
                     : "the operation '%U' is not known; allow unregistered "
                       "dialects (context.allow_unregistered_dialects = True) "
                       "to make it all the same",
                 name);
  Py_XDECREF(name);
  return false;
}

static MlirOperation parts_build(const struct parts *parts) {
  const struct ir_api *api = parts->context->api;
  MlirOperationState state =
      api->mlirOperationStateGet(parts->name, parts->location);
  api->mlirOperationStateAddResults(&state, parts->result_count,
                                    parts->results);
  api->mlirOperationStateAddOperands(&state, parts->operand_count,
                                     parts->operands);
  api->mlirOperationStateAddSuccessors(&state, parts->successor_count,
                                       parts->successors);
  api->mlirOperationStateAddAttributes(&state, parts->attribute_count,
                                       parts->attributes);
  for (Py_ssize_t i = 0; i < parts->regions; ++i) {
    MlirRegion region = api->mlirRegionCreate();
    api->mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  if (parts->infer)
    api->mlirOperationStateEnableResultTypeInference(&state);
  return api->mlirOperationCreate(&state);
}

static PyObject *parts_create(struct parts *parts) {
  // Only these can fail.
  struct ir_capture *capture = NULL;
  if (parts->infer || parts->attribute_count) {
    capture = ir_capture_begin((PyObject *)parts->context, false);
    if (!capture)
      return NULL;
  }
  MlirOperation operation = parts_build(parts);
  if (!operation.ptr) {
    if (capture)
      ir_capture_raise(capture, "cannot make the operation");
    else
      PyErr_SetString(PyExc_ValueError, "cannot make the operation");
    return NULL;
  }
  if (capture)
    ir_capture_drop(capture);
  parts->place.scope->edited = true;
  if (parts->operand_count)
    parts->place.scope->tainted = true;
  return ir_place_insert(&parts->place, operation);
}

PyObject *ir_operation_create(PyObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)class;
  static char *names[] = {"name",       "results", "operands", "attributes",
                          "successors", "regions", "loc",      "ip",
                          "infer_type", NULL};
  PyObject *name, *results = NULL, *operands = NULL, *attributes = NULL;
  PyObject *successors = NULL, *loc = NULL, *ip = NULL;
  struct parts parts = {0};
  int infer = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OOOOnOOp:create",
                                   names, &name, &results, &operands,
                                   &attributes, &successors, &parts.regions,
                                   &loc, &ip, &infer))
    return NULL;
  struct ir_unique *location = ir_location_default(loc);
  if (!location)
    return NULL;
  if (parts.regions < 0 || parts.regions > 1 << 20) {
    PyErr_SetString(PyExc_ValueError, "regions is the number of regions");
    return NULL;
  }
  parts.infer = infer;
  parts.context = location->context;
  parts.location = (MlirLocation){location->pointer};
  // Sequences and dictionaries may be of Python code that changes the IR: all
  // are read before the first handle is looked into.
  PyObject *result = NULL;
  PyObject *values = ir_sequence(operands, "a sequence of Values");
  PyObject *blocks = ir_sequence(successors, "a sequence of Blocks");
  if (ir_string_argument(name, &parts.name, &parts.name_bytes) && values &&
      blocks && parts_attributes(&parts, attributes) &&
      parts_results(&parts, results) &&
      ir_place_find(parts.context, ip, &parts.place) && name_check(&parts) &&
      parts_operands(&parts, values) && parts_successors(&parts, blocks))
    result = parts_create(&parts);
  Py_XDECREF(values);
  Py_XDECREF(blocks);
  parts_free(&parts);
  return result;
}

PyObject *ir_operation_parse(PyObject *class, PyObject *arguments,
                             PyObject *keywords) {
  (void)class;
  static char *names[] = {"source", "source_name", "context", NULL};
  PyObject *source, *source_name = NULL, *object = NULL;
  MlirStringRef text, file = {"", 0};
  PyObject *file_bytes IR_KEPT = NULL;
  PyObject *text_bytes IR_KEPT = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$OO:parse", names,
                                   &source, &source_name, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context || !IR_NEED(context->api, mlirOperationCreateParse) ||
      !ir_string_argument(source, &text, &text_bytes) ||
      (source_name && !ir_string_argument(source_name, &file, &file_bytes)))
    return NULL;
  struct ir_capture *capture = ir_capture_begin((PyObject *)context, false);
  if (!capture)
    return NULL;
  struct ir_pause pause = ir_pause_begin(context, NULL);
  MlirOperation operation =
      context->api->mlirOperationCreateParse(context->context, text, file);
  ir_pause_end(pause);
  if (!operation.ptr) {
    ir_capture_raise(capture, "Unable to parse operation assembly");
    return NULL;
  }
  ir_capture_drop(capture);
  struct ir_place place = {.scope = ir_scope_current(context)};
  return ir_place_insert(&place, operation);
}

PyObject *ir_operation_clone(PyObject *self, PyObject *arguments,
                             PyObject *keywords) {
  static char *names[] = {"ip", NULL};
  PyObject *ip = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O:clone", names, &ip))
    return NULL;
  struct ir_handle *handle = ir_handle_check_inside(self);
  struct ir_place place;
  if (!handle || !ir_place_find(handle->tree->context, ip, &place))
    return NULL;
  const struct ir_api *api = handle->tree->context->api;
  MlirOperation operation = {handle->pointer};
  if (place.scope != handle->tree->scope) {
    PyErr_SetString(PyExc_ValueError,
                    "cannot clone an operation from one run of a pass into "
                    "another, or outside of it");
    return NULL;
  }
  intptr_t count = api->mlirOperationGetNumSuccessors(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock successor = api->mlirOperationGetSuccessor(operation, i);
    if (!ir_place_takes(&place, &successor, 1))
      return NULL;
  }
  place.scope->tainted = place.scope->edited = true;
  return ir_place_insert(&place, api->mlirOperationClone(operation));
}
