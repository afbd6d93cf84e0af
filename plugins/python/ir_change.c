// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving and erasing operations.

#include "ir_operation.h"

bool ir_operation_is_movable(struct ir_tree *tree, MlirOperation operation) {
  if (operation.ptr != tree->scope->root.ptr)
    return true;
  PyErr_SetString(PyExc_RuntimeError,
                  "a pass may not erase or move the operation it runs on");
  return false;
}

/// Its own successors decide where it can be.
static bool place_suits(const struct ir_place *place, MlirOperation operation) {
  const struct ir_api *api = place->scope->context->api;
  intptr_t count = api->mlirOperationGetNumSuccessors(operation);
  for (intptr_t i = 0; i < count; ++i) {
    MlirBlock successor = api->mlirOperationGetSuccessor(operation, i);
    if (!ir_place_takes(place, &successor, 1))
      return false;
  }
  if (place->tree &&
      ir_operation_is_in(api, api->mlirBlockGetParentOperation(place->block),
                         operation)) {
    PyErr_SetString(PyExc_ValueError, "cannot put an operation into itself");
    return false;
  }
  return true;
}

/// Takes it out of its block, if it is in one: it becomes a tree.
static int take_out(struct ir_handle *handle) {
  struct ir_tree *tree = ir_tree_resolve(handle);
  const struct ir_api *api = tree->context->api;
  MlirOperation operation = {handle->pointer};
  if (!api->mlirOperationGetBlock(operation).ptr)
    return 0;
  if (!IR_NEED(api, mlirOperationRemoveFromParent))
    return -1;
  // Before that, so that it is left as it was if this fails.
  if (ir_tree_split(tree, operation) < 0)
    return -1;
  api->mlirOperationRemoveFromParent(operation);
  return 0;
}

static void put_in(struct ir_handle *handle, const struct ir_place *place) {
  const struct ir_api *api = place->scope->context->api;
  MlirOperation operation = {handle->pointer};
  place->scope->tainted = place->scope->edited = true;
  if (place->before.ptr)
    api->mlirBlockInsertOwnedOperationBefore(place->block, place->before,
                                             operation);
  else
    api->mlirBlockAppendOwnedOperation(place->block, operation);
  ir_tree_merge(ir_tree_resolve(handle), place->tree);
}

/// Checks what both inserting and moving need.
static struct ir_handle *check_put(PyObject *self,
                                   const struct ir_place *place) {
  struct ir_handle *handle =
      ir_handle_argument(self, place->scope->context->types->operation,
                         place->scope, "an Operation");
  if (!handle ||
      !ir_operation_is_movable(handle->tree, (MlirOperation){handle->pointer}))
    return NULL;
  MlirOperation operation = {handle->pointer};
  if (!place->scope->context->api->mlirOperationGetBlock(operation).ptr &&
      handle->tree->root.ptr != operation.ptr) {
    PyErr_SetString(PyExc_RuntimeError, "cannot insert this operation: it "
                                        "belongs to other code");
    return NULL;
  }
  return place_suits(place, operation) ? handle : NULL;
}

PyObject *ir_operation_put(PyObject *self, const struct ir_place *place) {
  struct ir_handle *handle = check_put(self, place);
  if (!handle)
    return NULL;
  const struct ir_api *api = place->scope->context->api;
  if (api->mlirOperationGetBlock((MlirOperation){handle->pointer}).ptr) {
    PyErr_SetString(PyExc_ValueError,
                    "the operation is in a block already; detach or move it");
    return NULL;
  }
  put_in(handle, place);
  Py_RETURN_NONE;
}

static PyObject *move(PyObject *self, PyObject *object, bool is_after) {
  PyObject *inner = ir_operation_of(self);
  PyObject *other = inner ? ir_operation_of(object) : NULL;
  struct ir_handle *target = other ? ir_handle_check(other) : NULL;
  PyObject *result = NULL;
  if (!target)
    goto done;
  const struct ir_api *api = target->tree->context->api;
  MlirOperation reference = {target->pointer};
  struct ir_place place = {.scope = target->tree->scope, .tree = target->tree};
  place.block = api->mlirOperationGetBlock(reference);
  MlirOperation parent = api->mlirOperationGetParentOperation(reference);
  if (!parent.ptr || !ir_is_inside(target->tree, parent)) {
    PyErr_SetString(PyExc_ValueError,
                    parent.ptr ? "a pass may not move operations out of the "
                                 "one it runs on"
                               : "the other operation is in no block");
    goto done;
  }
  if (inner != other) {
    struct ir_handle *handle = check_put(inner, &place);
    if (!handle)
      goto done;
    MlirOperation operation = {handle->pointer};
    place.before =
        is_after ? api->mlirOperationGetNextInBlock(reference) : reference;
    if (place.before.ptr != operation.ptr) {
      if (take_out(handle) < 0)
        goto done;
      put_in(handle, &place);
    }
  }
  Py_INCREF(Py_None);
  result = Py_None;
done:
  Py_XDECREF(inner);
  Py_XDECREF(other);
  return result;
}

PyObject *ir_operation_move_before(PyObject *self, PyObject *other) {
  return move(self, other, false);
}

PyObject *ir_operation_move_after(PyObject *self, PyObject *other) {
  return move(self, other, true);
}

PyObject *ir_operation_erase(PyObject *self, PyObject *ignored) {
  (void)ignored;
  struct ir_handle *handle = ir_handle_check_inside(self);
  if (!handle)
    return NULL;
  MlirOperation operation = {handle->pointer};
  struct ir_tree *tree = handle->tree;
  if (!ir_operation_is_movable(tree, operation))
    return NULL;
  if (operation.ptr == tree->given.ptr) {
    PyErr_SetString(PyExc_RuntimeError,
                    "cannot erase this operation: it belongs to other code");
    return NULL;
  }
  ir_tree_retain(tree);
  int status = ir_operation_destroy(tree, operation);
  ir_tree_release(tree);
  if (status < 0)
    return NULL;
  Py_RETURN_NONE;
}

PyObject *ir_operation_detach(PyObject *self, PyObject *ignored) {
  (void)ignored;
  struct ir_handle *handle = ir_handle_check_inside(self);
  if (!handle)
    return NULL;
  const struct ir_api *api = handle->tree->context->api;
  MlirOperation operation = {handle->pointer};
  if (!ir_operation_is_movable(handle->tree, operation))
    return NULL;
  if (!api->mlirOperationGetBlock(operation).ptr) {
    PyErr_SetString(PyExc_ValueError, "the operation is detached already");
    return NULL;
  }
  if (api->mlirOperationGetNumSuccessors(operation) > 0) {
    PyErr_SetString(PyExc_ValueError,
                    "an operation with successors cannot be detached: move "
                    "it, or erase it");
    return NULL;
  }
  if (take_out(handle) < 0)
    return NULL;
  Py_INCREF(self);
  return self;
}

PyObject *ir_operation_is_before(PyObject *self, PyObject *object) {
  struct ir_handle *handle = ir_handle_check(self);
  PyObject *inner = handle ? ir_operation_of(object) : NULL;
  struct ir_handle *other = inner ? ir_handle_check(inner) : NULL;
  Py_XDECREF(inner);
  if (!other)
    return NULL;
  const struct ir_api *api = handle->tree->context->api;
  MlirOperation first = {handle->pointer}, second = {other->pointer};
  MlirBlock block = api->mlirOperationGetBlock(first);
  if (!block.ptr || handle->tree->context != other->tree->context ||
      block.ptr != api->mlirOperationGetBlock(second).ptr) {
    PyErr_SetString(PyExc_ValueError,
                    "the operations are not in the same block");
    return NULL;
  }
  if (!IR_NEED(api, mlirOperationIsBeforeInBlock))
    return NULL;
  return PyBool_FromLong(api->mlirOperationIsBeforeInBlock(first, second));
}

PyObject *ir_operation_replace_uses(PyObject *self, PyObject *arguments) {
  PyObject *of, *with;
  if (!PyArg_ParseTuple(arguments, "OO:replace_uses_of_with", &of, &with))
    return NULL;
  struct ir_handle *handle = ir_handle_check_inside(self);
  if (!handle)
    return NULL;
  struct ir_tree *tree = handle->tree;
  PyTypeObject *class = tree->context->types->value;
  struct ir_handle *old = ir_handle_argument(of, class, tree->scope, "a Value");
  struct ir_handle *new =
      old ? ir_handle_argument(with, class, tree->scope, "a Value") : NULL;
  if (!new || !IR_NEED(tree->context->api, mlirOperationReplaceUsesOfWith))
    return NULL;
  tree->scope->tainted = tree->scope->edited = true;
  tree->context->api->mlirOperationReplaceUsesOfWith(
      (MlirOperation){handle->pointer}, (MlirValue){old->pointer},
      (MlirValue){new->pointer});
  Py_RETURN_NONE;
}
