// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// add-to-mul: every arith.addi becomes an arith.muli.

#include <mlirplug/ir/IR.h>
#include <mlirplug/plugin.h>

enum name { ADD };
static const char *const names[] = {[ADD] = "arith.addi"};

/// A multiplication of what `add` adds, at the same place in the source. The
/// flags of an addition (overflow<nsw>) need not hold for it and are dropped.
static MlirOperation make_multiplication(MlirOperation add) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("arith.muli"),
                            mlirOperationGetLocation(add));
  MlirValue operands[] = {
      mlirOperationGetOperand(add, 0),
      mlirOperationGetOperand(add, 1),
  };
  MlirType type = mlirValueGetType(mlirOperationGetResult(add, 0));
  mlirOperationStateAddOperands(&state, 2, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

/// Operations are visited after what is inside them, so that a callback may
/// destroy the one it is given.
static MlirWalkResult visit(MlirOperation op, void *user_data) {
  const mlirplug_run *run = (const mlirplug_run *)user_data;
  if (!mlirplug_op_is(run, op, ADD))
    return MlirWalkResultAdvance;
  MlirOperation multiplication = make_multiplication(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op,
                                      multiplication);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                mlirOperationGetResult(multiplication, 0));
  mlirOperationDestroy(op);
  return MlirWalkResultAdvance;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  mlirOperationWalk(root, visit, (void *)run, MlirWalkPostOrder);
  return MLIRPLUG_OK;
}

static const mlirplug_pass add_to_mul = {
    MLIRPLUG_PASS("add-to-mul", "Turn integer additions into multiplications"),
    .dialects = "arith",
    MLIRPLUG_NAMES(names),
    .run = run,
};

MLIRPLUG_PLUGIN("org.example.add-to-mul", "1.0.0", &add_to_mul);
