// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linalg_op.h"

#include <mlirplug/ir/AffineExpr.h>
#include <mlirplug/ir/AffineMap.h>
#include <mlirplug/ir/Attribute.h>
#include <mlirplug/ir/BuiltinAttributes.h>

#include <string.h>

// The maps of a named operation are computed, not stored.
MLIRPLUG_FUNCTION(MlirAttribute, mlirLinalgGetIndexingMapsAttribute,
                  (MlirOperation op), (op))

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static MlirAttribute attribute_get(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, mlirplug_json_view(name));
}

/// Arrays of numbers are attributes since MLIR 16; before, they were elements.
static bool has_arrays(void) {
  return MLIRPLUG_HAS(mlirAttributeIsADenseI32Array) &&
         MLIRPLUG_HAS(mlirDenseArrayGetNumElements) &&
         MLIRPLUG_HAS(mlirDenseI32ArrayGetElement);
}

/// The first of the operand segment sizes of `op`; -1 if it has none. Their
/// name and kind of attribute changed with MLIR 16 and 17.
static intptr_t first_segment(MlirOperation op) {
  MlirAttribute sizes = attribute_get(op, "operandSegmentSizes");
  if (mlirAttributeIsNull(sizes))
    sizes = attribute_get(op, "operand_segment_sizes");
  if (mlirAttributeIsNull(sizes))
    return -1;
  if (has_arrays() && mlirAttributeIsADenseI32Array(sizes))
    return mlirDenseArrayGetNumElements(sizes) > 0
               ? mlirDenseI32ArrayGetElement(sizes, 0)
               : -1;
  if (mlirAttributeIsADenseElements(sizes) &&
      mlirElementsAttrGetNumElements(sizes) > 0)
    return mlirDenseElementsAttrGetInt32Value(sizes, 0);
  return -1;
}

/// How many of the `map_count` operands of `op` are inputs.
static intptr_t count_inputs(MlirOperation op, intptr_t map_count) {
  intptr_t inputs = first_segment(op);
  if (inputs < 0) {
    // Without segments the number of outputs is known: one for each result,
    // else (on buffers) as many as inputs in linalg.reduce, else one.
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
    bool is_reduce =
        mlirStringRefEqual(name, mlirplug_json_view("linalg.reduce"));
    intptr_t results = mlirOperationGetNumResults(op);
    inputs = map_count - (results ? results : is_reduce ? map_count / 2 : 1);
  }
  return inputs < 0 ? 0 : inputs < map_count ? inputs : map_count;
}

/// The map of the operand at `index`; false if there is none, which only an
/// operation that MLIR does not know can have.
static bool map_get(const struct linalg_op *op, intptr_t index,
                    MlirAffineMap *map) {
  MlirAttribute attribute = mlirArrayAttrGetElement(op->maps, index);
  if (!mlirAttributeIsAAffineMap(attribute))
    return false;
  *map = mlirAffineMapAttrGetValue(attribute);
  return true;
}

static struct linalg_op read_maps(MlirOperation op, MlirAttribute maps) {
  struct linalg_op read = {.maps = maps};
  if (mlirAttributeIsNull(maps) || !mlirAttributeIsAArray(maps))
    return read;
  read.map_count = mlirArrayAttrGetNumElements(maps);
  read.input_count = count_inputs(op, read.map_count);
  MlirAffineMap map;
  if (read.map_count > 0 && map_get(&read, 0, &map))
    read.loop_count = mlirAffineMapGetNumDims(map);
  return read;
}

struct linalg_op linalg_op_read_generic(MlirOperation op) {
  struct linalg_op read = read_maps(op, attribute_get(op, "indexing_maps"));
  MlirAttribute iterators = attribute_get(op, "iterator_types");
  if (!mlirAttributeIsNull(iterators) && mlirAttributeIsAArray(iterators)) {
    read.iterators = iterators;
    read.loop_count = mlirArrayAttrGetNumElements(iterators);
  }
  return read;
}

bool linalg_op_can_read_named(void) {
  return MLIRPLUG_HAS(mlirLinalgGetIndexingMapsAttribute);
}

bool linalg_op_read_named(MlirOperation op, struct linalg_op *read) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (name.length < 7 || memcmp(name.data, "linalg.", 7) != 0)
    return false;
  MlirAttribute maps = mlirLinalgGetIndexingMapsAttribute(op);
  if (mlirAttributeIsNull(maps))
    return false;
  *read = read_maps(op, maps);
  return true;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A loop of a named operation is a reduction if no output is indexed by it.
static bool is_reduced(const struct linalg_op *op, intptr_t loop) {
  for (intptr_t i = op->input_count; i < op->map_count; ++i) {
    MlirAffineMap map;
    if (!map_get(op, i, &map))
      continue;
    for (intptr_t j = 0; j < mlirAffineMapGetNumResults(map); ++j)
      if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, j), loop))
        return false;
  }
  return true;
}

/// The kind of the loop at `index`: "parallel", "reduction" or "window".
static MlirStringRef iterator_name(const mlirplug_run *run,
                                   const struct linalg_op *op, intptr_t index) {
  if (mlirAttributeIsNull(op->iterators))
    return mlirplug_json_view(is_reduced(op, index) ? "reduction" : "parallel");
  MlirAttribute iterator = mlirArrayAttrGetElement(op->iterators, index);
  if (mlirAttributeIsAString(iterator)) // up to MLIR 15
    return mlirStringAttrGetValue(iterator);
  // An attribute of linalg, which C can only print:
  // #linalg.iterator_type<reduction>
  mlirplug_json printed = mlirplug_json_create(run);
  mlirAttributePrint(iterator, mlirplug_json_print, &printed);
  MlirStringRef text = mlirplug_json_text(&printed);
  const char *open = text.data ? memchr(text.data, '<', text.length) : 0;
  if (!open || text.data[text.length - 1] != '>')
    return text;
  const char *end = text.data + text.length - 1;
  return mlirStringRefCreate(open + 1, (size_t)(end - open - 1));
}

bool linalg_op_has_reduction(const mlirplug_run *run,
                             const struct linalg_op *op) {
  for (intptr_t i = 0; i < op->loop_count; ++i) {
    MlirStringRef name = iterator_name(run, op, i);
    if (name.length == 9 && memcmp(name.data, "reduction", 9) == 0)
      return true;
  }
  return false;
}

intptr_t linalg_op_non_identity_inputs(const struct linalg_op *op) {
  intptr_t count = 0;
  for (intptr_t i = 0; i < op->input_count; ++i) {
    MlirAffineMap map;
    if (map_get(op, i, &map) && !mlirAffineMapIsIdentity(map))
      ++count;
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void write_maps(const struct linalg_op *op, const char *key,
                       intptr_t begin, intptr_t end, mlirplug_json *json) {
  mlirplug_json_key(json, mlirplug_json_view(key));
  mlirplug_json_begin_array(json);
  for (intptr_t i = begin; i < end; ++i) {
    mlirplug_json printed = mlirplug_json_create(json->run);
    MlirAffineMap map;
    if (map_get(op, i, &map))
      mlirAffineMapPrint(map, mlirplug_json_print, &printed);
    mlirplug_json_string(json, mlirplug_json_text(&printed));
    json->failed |= printed.failed;
  }
  mlirplug_json_end_array(json);
}

void linalg_op_write(const struct linalg_op *op, mlirplug_json *json) {
  mlirplug_json_key(json, mlirplug_json_view("iterators"));
  mlirplug_json_begin_array(json);
  for (intptr_t i = 0; i < op->loop_count; ++i)
    mlirplug_json_string(json, iterator_name(json->run, op, i));
  mlirplug_json_end_array(json);
  write_maps(op, "input_maps", 0, op->input_count, json);
  write_maps(op, "output_maps", op->input_count, op->map_count, json);
}
