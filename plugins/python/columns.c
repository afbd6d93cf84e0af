// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "columns.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Where the walk is in an operation that has regions.
struct level {
  int32_t row;
  MlirRegion region;
  MlirBlock block;    ///< Null before the first.
  MlirOperation next; ///< Null at the end of a block.
};

/// Without recursion: IR may be nested deeper than the stack.
struct walk {
  struct columns *columns;
  struct level *levels; ///< Innermost last.
  size_t depth;
  size_t capacity;
};

static int enter(struct walk *walk, MlirRegion region, int32_t row) {
  if (walk->depth == walk->capacity) {
    size_t capacity = 2 * walk->capacity + 16;
    struct level *levels =
        realloc(walk->levels, capacity * sizeof(*walk->levels));
    if (!levels) {
      PyErr_NoMemory();
      return -1;
    }
    walk->levels = levels;
    walk->capacity = capacity;
  }
  walk->levels[walk->depth++] = (struct level){.row = row, .region = region};
  return 0;
}

/// Adds the row of `operation`, and enters it if there may be more in it.
static int visit(struct walk *walk, MlirOperation operation, int32_t parent) {
  struct columns *columns = walk->columns;
  if (columns_fill(columns, operation, parent) < 0)
    return -1;
  MlirRegion region = columns->api->mlirOperationGetFirstRegion(operation);
  return region.ptr ? enter(walk, region, (int32_t)columns->count - 1) : 0;
}

/// Goes to the next block that has operations; false if there is none.
static bool block_next(const struct ir_api *api, struct level *level) {
  while (!level->next.ptr) {
    level->block = level->block.ptr
                       ? api->mlirBlockGetNextInRegion(level->block)
                       : api->mlirRegionGetFirstBlock(level->region);
    while (!level->block.ptr) {
      level->region = api->mlirRegionGetNextInOperation(level->region);
      if (!level->region.ptr)
        return false;
      level->block = api->mlirRegionGetFirstBlock(level->region);
    }
    level->next = api->mlirBlockGetFirstOperation(level->block);
  }
  return true;
}

static int walk_all(struct walk *walk, MlirOperation root) {
  const struct ir_api *api = walk->columns->api;
  int status = visit(walk, root, -1);
  while (status == 0 && walk->depth > 0) {
    struct level *level = &walk->levels[walk->depth - 1];
    if (!level->next.ptr && !block_next(api, level)) {
      --walk->depth;
      continue;
    }
    MlirOperation operation = level->next;
    level->next = api->mlirOperationGetNextInBlock(operation);
    status = visit(walk, operation, level->row);
  }
  return status;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

static bool is_left_out(const struct columns *columns, size_t column) {
  return !columns->has_location &&
         (column == COLUMN_FILE || column == COLUMN_LINE ||
          column == COLUMN_COLUMN);
}

/// Memory for `attributes`, a tuple of bytes.
static int columns_begin(struct columns *columns, PyObject *attributes) {
  Py_ssize_t count = PyTuple_Size(attributes);
  if (count < 0)
    return -1;
  columns->attribute_count = (size_t)count;
  size_t all = COLUMN_COUNT + columns->attribute_count;
  MlirStringRef *names = calloc(columns->attribute_count + 1, sizeof(*names));
  columns->attributes = names;
  columns->values =
      calloc(columns->attribute_count + 1, sizeof(*columns->values));
  columns->arrays = calloc(all, sizeof(*columns->arrays));
  columns->cells = calloc(all, sizeof(*columns->cells));
  if (!names || !columns->values || !columns->arrays || !columns->cells) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    char *text;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(PyTuple_GetItem(attributes, i), &text,
                                &length) < 0)
      return -1;
    names[i] = (MlirStringRef){text, (size_t)length};
  }
  for (size_t i = 0; i < all; ++i)
    if (!is_left_out(columns, i) &&
        !(columns->arrays[i] = PyByteArray_FromStringAndSize(NULL, 0)))
      return -1;
  return 0;
}

static void columns_clear(struct columns *columns) {
  for (size_t i = 0; i < COLUMN_COUNT + columns->attribute_count; ++i)
    if (columns->arrays)
      Py_XDECREF(columns->arrays[i]);
  for (size_t i = 0; columns->values && i < columns->attribute_count; ++i)
    column_codes_clear(&columns->values[i]);
  column_codes_clear(&columns->names);
  column_codes_clear(&columns->files);
  free((void *)columns->attributes);
  free(columns->values);
  free(columns->arrays);
  free(columns->cells);
}

/// Takes the arrays, at their final length.
static PyObject *arrays_take(struct columns *columns) {
  size_t all = COLUMN_COUNT + columns->attribute_count;
  PyObject *tuple = PyTuple_New((Py_ssize_t)all);
  for (size_t i = 0; tuple && i < all; ++i) {
    PyObject *array = columns->arrays[i];
    columns->arrays[i] = NULL;
    if (!array)
      Py_INCREF(array = Py_None);
    else if (PyByteArray_Resize(
                 array, (Py_ssize_t)(columns->count * sizeof(int32_t))) < 0)
      Py_CLEAR(array);
    if (!array || PyTuple_SetItem(tuple, (Py_ssize_t)i, array) < 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *values_make(const struct columns *columns) {
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < columns->attribute_count; ++i) {
    PyObject *values = column_values(columns->api, &columns->values[i]);
    if (!values || PyList_Append(list, values) < 0)
      Py_CLEAR(list);
    Py_XDECREF(values);
  }
  return list;
}

static PyObject *result_make(struct columns *columns) {
  PyObject *arrays = arrays_take(columns);
  PyObject *names = column_identifiers(columns->api, &columns->names);
  PyObject *files = column_identifiers(columns->api, &columns->files);
  PyObject *values = values_make(columns);
  PyObject *head = arrays && names && files && values
                       ? Py_BuildValue("[OOO]", arrays, names, files)
                       : NULL;
  PyObject *result = head ? PySequence_Concat(head, values) : NULL;
  Py_XDECREF(head);
  Py_XDECREF(arrays);
  Py_XDECREF(names);
  Py_XDECREF(files);
  Py_XDECREF(values);
  return result;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

/// What `object` is, of mlirplug.ir or of other bindings.
static int subject_get(PyObject *object, const struct ir_api **api,
                       MlirOperation *operation) {
  if (!ir_is_operation(object)) {
    struct python_host *host = host_find_operation(object, operation);
    return host && (*api = host_api(host)) ? 0 : -1;
  }
  PyObject *own = ir_operation_of(object);
  struct ir_handle *handle = own ? ir_handle_check_inside(own) : NULL;
  Py_XDECREF(own);
  if (!handle)
    return -1;
  *api = handle->tree->context->api;
  *operation = (MlirOperation){handle->pointer};
  return 0;
}

PyObject *columns_make(PyObject *module, PyObject *arguments) {
  (void)module;
  PyObject *object, *attributes;
  int has_location;
  struct columns columns = {0};
  MlirOperation root;
  if (!PyArg_ParseTuple(arguments, "OOp:columns", &object, &attributes,
                        &has_location) ||
      subject_get(object, &columns.api, &root) < 0)
    return NULL;
  if (has_location &&
      (!IR_NEED(columns.api, mlirLocationIsAFileLineColRange) ||
       !IR_NEED(columns.api, mlirLocationFileLineColRangeGetFilename)))
    return NULL;
  columns.has_location = has_location;
  PyObject *result = NULL;
  struct walk walk = {.columns = &columns};
  if (columns_begin(&columns, attributes) == 0 && walk_all(&walk, root) == 0)
    result = result_make(&columns);
  free(walk.levels);
  columns_clear(&columns);
  return result;
}
