// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "columns.h"

#include <stdlib.h>

/// CELL: bytes that a row takes in each column.
enum { CELL = sizeof(int32_t), FIRST_CAPACITY = 1024 };

static int grow(struct columns *columns) {
  size_t capacity = columns->capacity ? 4 * columns->capacity : FIRST_CAPACITY;
  if (capacity > INT32_MAX) {
    PyErr_SetString(PyExc_OverflowError,
                    "columns are for at most 1,073,741,824 operations");
    return -1;
  }
  for (size_t i = 0; i < COLUMN_COUNT + columns->attribute_count; ++i) {
    PyObject *array = columns->arrays[i];
    if (!array)
      continue;
    if (PyByteArray_Resize(array, (Py_ssize_t)(capacity * CELL)) < 0)
      return -1;
    columns->cells[i] = (int32_t *)(void *)PyByteArray_AsString(array);
  }
  columns->capacity = capacity;
  return 0;
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

/// The first of the locations that were fused: MLIR keeps no unknown ones.
static bool fused_first(const struct ir_api *api, MlirLocation *location) {
  unsigned count = api->mlirLocationFusedGetNumLocations(*location);
  if (!count)
    return false;
  MlirLocation *all = malloc(count * sizeof(*all));
  if (!all)
    return false;
  api->mlirLocationFusedGetLocations(*location, all);
  *location = all[0];
  free(all);
  return true;
}

/// Finds the place in a file that `location` leads to: a name to that of what
/// it names, a call to that of the callee.
static bool place_find(const struct ir_api *api, MlirLocation *location) {
  while (!api->mlirLocationIsAFileLineColRange(*location)) {
    if (api->mlirLocationIsAName(*location))
      *location = api->mlirLocationNameGetChildLoc(*location);
    else if (api->mlirLocationIsACallSite(*location))
      *location = api->mlirLocationCallSiteGetCallee(*location);
    else if (!api->mlirLocationIsAFused(*location) ||
             !fused_first(api, location))
      return false;
  }
  return true;
}

static bool location_fill(struct columns *columns, MlirOperation operation) {
  const struct ir_api *api = columns->api;
  int32_t **cells = columns->cells;
  size_t row = columns->count;
  MlirLocation location = api->mlirOperationGetLocation(operation);
  if (!place_find(api, &location)) {
    cells[COLUMN_FILE][row] = -1;
    cells[COLUMN_LINE][row] = cells[COLUMN_COLUMN][row] = 0;
    return true;
  }
  int32_t file =
      column_code(&columns->files,
                  api->mlirLocationFileLineColRangeGetFilename(location).ptr);
  cells[COLUMN_FILE][row] = file;
  cells[COLUMN_LINE][row] =
      api->mlirLocationFileLineColRangeGetStartLine(location);
  cells[COLUMN_COLUMN][row] =
      api->mlirLocationFileLineColRangeGetStartColumn(location);
  return file >= 0;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static bool attributes_fill(struct columns *columns, MlirOperation operation) {
  for (size_t i = 0; i < columns->attribute_count; ++i) {
    MlirAttribute attribute = columns->api->mlirOperationGetAttributeByName(
        operation, columns->attributes[i]);
    int32_t code = column_code(&columns->values[i], attribute.ptr);
    columns->cells[COLUMN_COUNT + i][columns->count] = code;
    if (code < -1)
      return false;
  }
  return true;
}

int columns_fill(struct columns *columns, MlirOperation operation,
                 int32_t parent) {
  if (columns->count == columns->capacity && grow(columns) < 0)
    return -1;
  const struct ir_api *api = columns->api;
  int32_t **cells = columns->cells;
  size_t row = columns->count;
  int32_t name =
      column_code(&columns->names, api->mlirOperationGetName(operation).ptr);
  cells[COLUMN_NAME][row] = name;
  cells[COLUMN_PARENT][row] = parent;
  cells[COLUMN_OPERANDS][row] =
      (int32_t)api->mlirOperationGetNumOperands(operation);
  cells[COLUMN_RESULTS][row] =
      (int32_t)api->mlirOperationGetNumResults(operation);
  if (name < 0 ||
      (columns->has_location && !location_fill(columns, operation)) ||
      !attributes_fill(columns, operation)) {
    PyErr_NoMemory();
    return -1;
  }
  ++columns->count;
  return 0;
}
