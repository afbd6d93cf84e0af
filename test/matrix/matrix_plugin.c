// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes for the matrix: one rewrites operations of no dialect, one makes an
// operation of a dialect that nobody has loaded, one wants a dialect that
// nobody has.

#include <mlirplug/ir/BuiltinAttributes.h>
#include <mlirplug/ir/BuiltinTypes.h>
#include <mlirplug/ir/IR.h>
#include <mlirplug/plugin.h>

enum name { OLD };
static const char *const names[] = {[OLD] = "unknown.op"};

/// An unknown.new with one operand and one result in the place of `old`.
static void replace(MlirOperation old) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("unknown.new"),
                            mlirOperationGetLocation(old));
  MlirValue operand = mlirOperationGetOperand(old, 0);
  MlirType type = mlirValueGetType(mlirOperationGetResult(old, 0));
  mlirOperationStateAddOperands(&state, 1, &operand);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation made = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(old), old, made);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, 0),
                                mlirOperationGetResult(made, 0));
  mlirOperationDestroy(old);
}

static MlirWalkResult visit(MlirOperation op, void *user_data) {
  if (mlirplug_op_is((const mlirplug_run *)user_data, op, OLD))
    replace(op);
  return MlirWalkResultAdvance;
}

static mlirplug_status rename_all(const mlirplug_run *run, MlirOperation root) {
  mlirOperationWalk(root, visit, (void *)run, MlirWalkPostOrder);
  return MLIRPLUG_OK;
}

static const mlirplug_pass rename_unknown = {
    MLIRPLUG_PASS("rename-unknown", "Turns unknown.op into unknown.new"),
    MLIRPLUG_NAMES(names),
    .run = rename_all,
};

static MlirOperation make_constant(MlirContext context, MlirLocation location) {
  MlirType type = mlirIntegerTypeGet(context, 32);
  MlirNamedAttribute value = mlirNamedAttributeGet(
      mlirIdentifierGet(context, mlirStringRefCreateFromCString("value")),
      mlirIntegerAttrGet(type, 7));
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("arith.constant"), location);
  mlirOperationStateAddAttributes(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &type);
  return mlirOperationCreate(&state);
}

/// Puts a constant before the first operation of a function.
static mlirplug_status insert(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(root, 0));
  MlirOperation first = mlirBlockGetFirstOperation(body);
  MlirOperation made = make_constant(mlirOperationGetContext(root),
                                     mlirOperationGetLocation(root));
  if (mlirOperationIsNull(made))
    return MLIRPLUG_FAILED;
  mlirBlockInsertOwnedOperationBefore(body, first, made);
  return MLIRPLUG_OK;
}

static const mlirplug_pass insert_constant = {
    MLIRPLUG_PASS("insert-constant", "Makes an arith.constant"),
    .anchor = "func.func",
    .dialects = "arith",
    .run = insert,
};

static mlirplug_status do_nothing(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  (void)root;
  return MLIRPLUG_OK;
}

static const mlirplug_pass needs_nowhere = {
    MLIRPLUG_PASS("needs-nowhere", "Wants a dialect that nobody has"),
    .dialects = "nowhere",
    .run = do_nothing,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.matrix", "1.0.0", &rename_unknown,
                &insert_constant, &needs_nowhere);
