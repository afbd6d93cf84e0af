// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees: who owns IR, and how it ends.

#include "ir_object.h"

#include <stdlib.h>

//===----------------------------------------------------------------------===//
// Life
//===----------------------------------------------------------------------===//

struct ir_tree *ir_tree_new(struct ir_scope *scope, MlirOperation root,
                            bool owned) {
  struct ir_tree *tree = calloc(1, sizeof(*tree));
  if (!tree) {
    PyErr_NoMemory();
    return NULL;
  }
  tree->references = 1;
  Py_INCREF(scope->context);
  tree->context = scope->context;
  tree->scope = scope;
  ++scope->references;
  if (owned)
    tree->root = root;
  else
    tree->given = root;
  tree->next = scope->trees;
  scope->trees = tree;
  return tree;
}

struct ir_tree *ir_tree_retain(struct ir_tree *tree) {
  ++tree->references;
  return tree;
}

static void tree_unlink(struct ir_tree *tree) {
  for (struct ir_tree **link = &tree->scope->trees; *link;
       link = &(*link)->next)
    if (*link == tree) {
      *link = tree->next;
      return;
    }
}

static void root_destroy(struct ir_tree *tree) {
  MlirOperation root = tree->root;
  tree->root = (MlirOperation){NULL};
  if (tree->module.ptr)
    tree->context->api->mlirModuleDestroy(tree->module);
  else
    tree->context->api->mlirOperationDestroy(root);
}

static void drop_operands(MlirOperation operation, void *data) {
  const struct ir_api *api = data;
  if (api->mlirOperationGetNumOperands(operation) > 0)
    api->mlirOperationSetOperands(operation, 0, NULL);
}

bool ir_tree_try_destroy(struct ir_tree *tree) {
  bool crossing;
  if (ir_operation_is_used(tree->scope, tree->root, &crossing))
    return false;
  if (crossing) {
    if (!IR_HAS(tree->context->api, mlirOperationSetOperands))
      return false;
    ir_operations_visit(tree->context->api, tree->root, drop_operands,
                        tree->context->api);
  }
  if (tree->scope->walks)
    ir_operation_forget(tree->scope, tree->root);
  root_destroy(tree);
  return true;
}

static void tree_free(struct ir_tree *tree) {
  struct ir_context *context = tree->context;
  ir_scope_release(tree->scope);
  free(tree);
  Py_DECREF(context);
}

void ir_tree_release(struct ir_tree *tree) {
  while (tree && --tree->references == 0) {
    struct ir_tree *into = tree->into;
    tree_unlink(tree);
    if (tree->root.ptr && tree->context->alive && !ir_tree_try_destroy(tree)) {
      // Its values are used: it stays until they are not. It may not keep the
      // context alive, which owns it.
      tree->next = tree->context->orphans;
      tree->context->orphans = tree;
      Py_DECREF(tree->context);
    } else {
      tree_free(tree);
    }
    tree = into;
  }
}

struct ir_tree *ir_orphan_adopt(struct ir_context *context,
                                MlirOperation root) {
  for (struct ir_tree **link = &context->orphans; *link; link = &(*link)->next)
    if ((*link)->root.ptr == root.ptr) {
      struct ir_tree *tree = *link;
      *link = tree->next;
      tree->next = tree->scope->trees;
      tree->scope->trees = tree;
      Py_INCREF(context);
      return tree;
    }
  return NULL;
}

void ir_orphans_destroy(struct ir_context *context) {
  bool progress = true;
  while (progress) {
    progress = false;
    for (struct ir_tree **link = &context->orphans; *link;) {
      struct ir_tree *tree = *link;
      if (context->owned ? !ir_tree_try_destroy(tree) : false) {
        link = &tree->next;
        continue;
      }
      *link = tree->next;
      ir_scope_release(tree->scope);
      free(tree);
      progress = true;
    }
  }
}

//===----------------------------------------------------------------------===//
// Joining and parting
//===----------------------------------------------------------------------===//

struct ir_tree *ir_tree_resolve(struct ir_handle *handle) {
  struct ir_tree *tree = handle->tree;
  if (!tree->into)
    return tree;
  while (tree->into)
    tree = tree->into;
  struct ir_tree *old = handle->tree;
  handle->tree = ir_tree_retain(tree);
  ir_tree_release(old);
  return tree;
}

void ir_tree_merge(struct ir_tree *tree, struct ir_tree *into) {
  if (tree == into)
    return;
  tree->root = (MlirOperation){NULL};
  tree->module = (MlirModule){NULL};
  tree->into = ir_tree_retain(into);
}

/// One subtree, and what to do with the handles to it.
struct visit {
  const struct ir_api *api;
  struct ir_scope *scope;
  void (*handle)(struct visit *visit, const void *pointer);
  struct ir_tree *tree; ///< To move them to.
};

static void visit_pointers(MlirOperation operation, void *data) {
  struct visit *visit = data;
  const struct ir_api *api = visit->api;
  visit->handle(visit, operation.ptr);
  intptr_t results = api->mlirOperationGetNumResults(operation);
  for (intptr_t i = 0; i < results; ++i)
    visit->handle(visit, api->mlirOperationGetResult(operation, i).ptr);
  for (MlirRegion region = api->mlirOperationGetFirstRegion(operation);
       region.ptr; region = api->mlirRegionGetNextInOperation(region)) {
    visit->handle(visit, region.ptr);
    for (MlirBlock block = api->mlirRegionGetFirstBlock(region); block.ptr;
         block = api->mlirBlockGetNextInRegion(block)) {
      visit->handle(visit, block.ptr);
      intptr_t arguments = api->mlirBlockGetNumArguments(block);
      for (intptr_t i = 0; i < arguments; ++i)
        visit->handle(visit, api->mlirBlockGetArgument(block, i).ptr);
    }
  }
}

static void handle_forget(struct visit *visit, const void *pointer) {
  ir_pointer_forget(visit->scope, pointer);
}

static void handle_move(struct visit *visit, const void *pointer) {
  struct ir_slot *slot = ir_table_find(&visit->scope->table, pointer);
  if (!slot)
    return;
  struct ir_tree *old = slot->handle->tree;
  slot->handle->tree = ir_tree_retain(visit->tree);
  ir_tree_release(old);
}

int ir_tree_split(struct ir_tree *tree, MlirOperation operation) {
  struct ir_tree *own = ir_tree_new(tree->scope, operation, true);
  if (!own)
    return -1;
  tree->scope->tainted = tree->scope->edited = true;
  struct visit visit = {tree->context->api, tree->scope, handle_move, own};
  ir_operations_visit(visit.api, operation, visit_pointers, &visit);
  ir_tree_release(own);
  return 0;
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

void ir_operation_forget(struct ir_scope *scope, MlirOperation operation) {
  if (!scope->table.count && !scope->walks)
    return;
  struct visit visit = {scope->context->api, scope, handle_forget, NULL};
  ir_operations_visit(visit.api, operation, visit_pointers, &visit);
}

int ir_operation_destroy(struct ir_tree *tree, MlirOperation operation) {
  const struct ir_api *api = tree->context->api;
  bool crossing;
  tree->scope->edited = true;
  if (ir_operation_is_used(tree->scope, operation, &crossing)) {
    PyErr_SetString(PyExc_RuntimeError,
                    "cannot erase an operation whose results, or values in "
                    "it, are still used; replace or erase the uses first");
    return -1;
  }
  if (crossing) {
    if (!IR_NEED(api, mlirOperationSetOperands))
      return -1;
    ir_operations_visit(api, operation, drop_operands, (void *)api);
  }
  ir_operation_forget(tree->scope, operation);
  if (tree->root.ptr == operation.ptr)
    root_destroy(tree);
  else
    api->mlirOperationDestroy(operation);
  return 0;
}
