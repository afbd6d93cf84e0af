// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// replace: every operation called `from` becomes one called `to`, with the same
// operands and result types. For compilers whose dialects the test's own MLIR
// does not have.

#include <mlirplug/ir/IR.h>
#include <mlirplug/plugin.h>

struct options {
  const char *from;
  const char *to;
};

static const mlirplug_option options[] = {
    MLIRPLUG_STRING(struct options, from, "from", "arith.addi", "What to find"),
    MLIRPLUG_STRING(struct options, to, "to", "arith.muli", "What to make"),
};

enum statistic { REPLACED };
static const mlirplug_statistic statistics[] = {
    [REPLACED] = {"replaced", "Operations replaced"},
};

static MlirOperation make_other(MlirOperation op, const char *name) {
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString(name), mlirOperationGetLocation(op));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    mlirOperationStateAddOperands(&state, 1, &operand);
  }
  MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

static MlirWalkResult visit(MlirOperation op, void *user_data) {
  const mlirplug_run *run = user_data;
  const struct options *chosen = run->options;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString(chosen->from)))
    return MlirWalkResultAdvance;
  MlirOperation made = make_other(op, chosen->to);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, made);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                mlirOperationGetResult(made, 0));
  mlirOperationDestroy(op);
  mlirplug_statistic_add(run, REPLACED, 1);
  return MlirWalkResultAdvance;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  mlirOperationWalk(root, visit, (void *)run, MlirWalkPostOrder);
  return MLIRPLUG_OK;
}

static const mlirplug_pass replace = {
    MLIRPLUG_PASS("replace", "Replace operations by others"),
    MLIRPLUG_OPTIONS(struct options, options),
    MLIRPLUG_STATISTICS(statistics),
    .run = run,
};

MLIRPLUG_PLUGIN("org.example.replace", "1.0.0", &replace);
