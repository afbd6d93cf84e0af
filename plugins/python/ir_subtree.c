// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hangs together in the IR: looked at without handles.

#include "ir_object.h"

//===----------------------------------------------------------------------===//
// Up and down
//===----------------------------------------------------------------------===//

/// The operation after `operation` in `outer`, outermost first; null at the
/// end. Without recursion: IR may be nested deeper than the stack.
static MlirOperation next_in(const struct ir_api *api, MlirOperation operation,
                             MlirOperation outer) {
  for (MlirRegion region = api->mlirOperationGetFirstRegion(operation);
       region.ptr; region = api->mlirRegionGetNextInOperation(region))
    for (MlirBlock block = api->mlirRegionGetFirstBlock(region); block.ptr;
         block = api->mlirBlockGetNextInRegion(block)) {
      MlirOperation inner = api->mlirBlockGetFirstOperation(block);
      if (inner.ptr)
        return inner;
    }
  while (operation.ptr != outer.ptr) {
    MlirOperation next = api->mlirOperationGetNextInBlock(operation);
    if (next.ptr)
      return next;
    MlirBlock block = api->mlirOperationGetBlock(operation);
    MlirRegion region = api->mlirBlockGetParentRegion(block);
    MlirOperation parent = api->mlirBlockGetParentOperation(block);
    block = api->mlirBlockGetNextInRegion(block);
    while (region.ptr) {
      for (; block.ptr; block = api->mlirBlockGetNextInRegion(block)) {
        next = api->mlirBlockGetFirstOperation(block);
        if (next.ptr)
          return next;
      }
      region = api->mlirRegionGetNextInOperation(region);
      if (region.ptr)
        block = api->mlirRegionGetFirstBlock(region);
    }
    operation = parent;
  }
  return (MlirOperation){NULL};
}

void ir_operations_visit(const struct ir_api *api, MlirOperation operation,
                         void (*visit)(MlirOperation operation, void *data),
                         void *data) {
  for (MlirOperation each = operation; each.ptr;
       each = next_in(api, each, operation))
    visit(each, data);
}

bool ir_operation_is_in(const struct ir_api *api, MlirOperation operation,
                        MlirOperation outer) {
  while (operation.ptr && operation.ptr != outer.ptr)
    operation = api->mlirOperationGetParentOperation(operation);
  return operation.ptr != NULL;
}

MlirOperation ir_operation_top(const struct ir_api *api,
                               MlirOperation operation) {
  for (;;) {
    MlirOperation parent = api->mlirOperationGetParentOperation(operation);
    if (!parent.ptr)
      return operation;
    operation = parent;
  }
}

MlirOperation ir_value_operation(const struct ir_api *api, MlirValue value) {
  if (api->mlirValueIsABlockArgument(value))
    return api->mlirBlockGetParentOperation(
        api->mlirBlockArgumentGetOwner(value));
  return api->mlirOpResultGetOwner(value);
}

MlirBlock ir_value_block(const struct ir_api *api, MlirValue value) {
  return api->mlirValueIsABlockArgument(value)
             ? api->mlirBlockArgumentGetOwner(value)
             : api->mlirOperationGetBlock(api->mlirOpResultGetOwner(value));
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

struct uses {
  const struct ir_api *api;
  MlirOperation outer;
  bool escape;
  bool crossing;
};

/// Whether `operation` is in `block`, or deeper.
static bool is_below(const struct ir_api *api, MlirOperation operation,
                     MlirBlock block) {
  while (operation.ptr) {
    if (api->mlirOperationGetBlock(operation).ptr == block.ptr)
      return true;
    operation = api->mlirOperationGetParentOperation(operation);
  }
  return false;
}

static void value_visit(struct uses *uses, MlirValue value) {
  const struct ir_api *api = uses->api;
  MlirOpOperand use = api->mlirValueGetFirstUse(value);
  if (api->mlirOpOperandIsNull(use))
    return;
  MlirBlock block = ir_value_block(api, value);
  for (; !api->mlirOpOperandIsNull(use) && !uses->escape;
       use = api->mlirOpOperandGetNextUse(use)) {
    MlirOperation user = api->mlirOpOperandGetOwner(use);
    if (!ir_operation_is_in(api, user, uses->outer))
      uses->escape = true;
    else if (!block.ptr || !is_below(api, user, block) ||
             ir_operation_is_in(api, user, ir_value_operation(api, value)) !=
                 api->mlirValueIsABlockArgument(value))
      uses->crossing = true;
  }
}

static void uses_visit(MlirOperation operation, void *data) {
  struct uses *uses = data;
  const struct ir_api *api = uses->api;
  if (uses->escape)
    return;
  intptr_t results = api->mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results; ++i)
    value_visit(uses, api->mlirOperationGetResult(operation, i));
  for (MlirRegion region = api->mlirOperationGetFirstRegion(operation);
       region.ptr; region = api->mlirRegionGetNextInOperation(region))
    for (MlirBlock block = api->mlirRegionGetFirstBlock(region); block.ptr;
         block = api->mlirBlockGetNextInRegion(block)) {
      intptr_t arguments = api->mlirBlockGetNumArguments(block);
      for (intptr_t i = 0; i < arguments; ++i)
        value_visit(uses, api->mlirBlockGetArgument(block, i));
    }
}

bool ir_operation_is_used(const struct ir_scope *scope, MlirOperation operation,
                          bool *crossing) {
  struct uses uses = {.api = scope->context->api, .outer = operation};
  if (scope->tainted) {
    ir_operations_visit(uses.api, operation, uses_visit, &uses);
  } else {
    // Sound IR has no uses of what is inside from outside.
    intptr_t results = uses.api->mlirOperationGetNumResults(operation);
    for (intptr_t i = 0; i < results; ++i)
      value_visit(&uses, uses.api->mlirOperationGetResult(operation, i));
  }
  *crossing = uses.crossing;
  return uses.escape;
}

//===----------------------------------------------------------------------===//
// Soundness
//===----------------------------------------------------------------------===//

struct soundness {
  const struct ir_api *api;
  MlirOperation top;
  MlirOperation bad;
};

static void soundness_visit(MlirOperation operation, void *data) {
  struct soundness *soundness = data;
  const struct ir_api *api = soundness->api;
  MlirBlock block = api->mlirOperationGetBlock(operation);
  intptr_t count = api->mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count && !soundness->bad.ptr; ++i) {
    MlirValue operand = api->mlirOperationGetOperand(operation, i);
    MlirBlock home = ir_value_block(api, operand);
    if (home.ptr && home.ptr == block.ptr)
      continue;
    MlirOperation owner = ir_value_operation(api, operand);
    if (!owner.ptr || ir_operation_top(api, owner).ptr != soundness->top.ptr)
      soundness->bad = operation;
  }
}

bool ir_operation_is_sound(struct ir_tree *tree, MlirOperation operation) {
  if (!tree->scope->tainted)
    return true;
  struct soundness soundness = {.api = tree->context->api};
  soundness.top = ir_operation_top(soundness.api, operation);
  ir_operations_visit(soundness.api, operation, soundness_visit, &soundness);
  if (!soundness.bad.ptr)
    return true;
  PyObject *name = ir_string_new(soundness.api->mlirIdentifierStr(
      soundness.api->mlirOperationGetName(soundness.bad)));
  if (name)
    PyErr_Format(PyExc_RuntimeError,
                 "an operand of a '%U' operation is defined by an operation "
                 "that is not inserted anywhere, or elsewhere; insert it first",
                 name);
  Py_XDECREF(name);
  return false;
}

bool ir_operation_is_valid(struct ir_tree *tree, MlirOperation operation) {
  const struct ir_api *api = tree->context->api;
  if (tree->scope->edited) {
    // From the outermost one on, but not out of a pass's own.
    bool in_pass = tree->scope->root.ptr && !tree->root.ptr;
    operation = in_pass ? tree->scope->root : ir_operation_top(api, operation);
  }
  struct ir_pause pause = ir_pause_begin(tree->context, tree);
  bool valid = api->mlirOperationVerify(operation);
  ir_pause_end(pause);
  return valid;
}

int ir_operation_can_print(struct ir_tree *tree, MlirOperation operation) {
  if (!tree->scope->edited)
    return true;
  if (!ir_operation_is_sound(tree, operation)) {
    PyErr_Clear();
    return false;
  }
  struct ir_capture *capture =
      ir_capture_begin((PyObject *)tree->context, false);
  if (!capture)
    return -1;
  bool valid = IR_HAS(tree->context->api, mlirOperationVerify) &&
               ir_operation_is_valid(tree, operation);
  ir_capture_drop(capture);
  return valid;
}

struct closure {
  const struct ir_api *api;
  MlirOperation outer;
  bool open;
};

static void closure_visit(MlirOperation operation, void *data) {
  struct closure *closure = data;
  const struct ir_api *api = closure->api;
  intptr_t count = api->mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count && !closure->open; ++i) {
    MlirValue operand = api->mlirOperationGetOperand(operation, i);
    MlirOperation owner = ir_value_operation(api, operand);
    closure->open = !ir_operation_is_in(api, owner, closure->outer) ||
                    (owner.ptr == closure->outer.ptr &&
                     !api->mlirValueIsABlockArgument(operand));
  }
}

bool ir_operation_is_closed(const struct ir_api *api, MlirOperation operation) {
  struct closure closure = {.api = api, .outer = operation};
  closure.open = api->mlirOperationGetNumSuccessors(operation) > 0;
  ir_operations_visit(api, operation, closure_visit, &closure);
  if (closure.open)
    PyErr_SetString(PyExc_ValueError,
                    "the operation uses values or blocks that are not in it, "
                    "so it cannot be written alone");
  return !closure.open;
}
