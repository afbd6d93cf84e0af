// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a structured operation of linalg says of its loops: their kinds, and
// which element of each operand an iteration reads or writes.

#ifndef LINALG_SURVEY_LINALG_OP_H
#define LINALG_SURVEY_LINALG_OP_H

#include <mlirplug/json.h>
#include <mlirplug/plugin.h>

/// One operation. The attributes belong to the context.
struct linalg_op {
  /// An affine map for each operand, inputs first.
  MlirAttribute maps;
  /// The iterator types, or null for a named operation: it does not store
  /// them, but they follow from its maps.
  MlirAttribute iterators;
  intptr_t map_count;
  intptr_t input_count;
  intptr_t loop_count;
};

/// Reads a linalg.generic.
struct linalg_op linalg_op_read_generic(MlirOperation op);

/// Reads `op` if it is a named operation such as linalg.matmul. Needs a host
/// for which linalg_op_can_read_named is true.
bool linalg_op_read_named(MlirOperation op, struct linalg_op *read);
bool linalg_op_can_read_named(void);

/// True when a loop of `op` is a reduction.
bool linalg_op_has_reduction(const mlirplug_run *run,
                             const struct linalg_op *op);

/// How many inputs are not read in the order of the loops.
intptr_t linalg_op_non_identity_inputs(const struct linalg_op *op);

/// Adds the keys "iterators", "input_maps" and "output_maps" to an object.
void linalg_op_write(const struct linalg_op *op, mlirplug_json *json);

#endif // LINALG_SURVEY_LINALG_OP_H
