// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scopes: the run of a pass, or what Python code does by itself.

#include "ir_object.h"

#include "ir_diagnostic.h"
#include "ir_walk.h"

#include <pythread.h>
#include <stdlib.h>

struct ir_scope *ir_scope_new(struct ir_context *context) {
  struct ir_scope *scope = calloc(1, sizeof(*scope));
  if (!scope) {
    PyErr_NoMemory();
    return NULL;
  }
  scope->references = 1;
  scope->context = context;
  scope->open = true;
  return scope;
}

void ir_scope_release(struct ir_scope *scope) {
  if (--scope->references > 0)
    return;
  ir_table_clear(&scope->table);
  free(scope);
}

struct ir_scope *ir_scope_current(struct ir_context *context) {
  unsigned long thread = PyThread_get_thread_ident();
  // The innermost one comes first.
  for (struct ir_scope *scope = context->scopes; scope; scope = scope->next)
    if (scope->thread == thread)
      return scope;
  return context->own;
}

void ir_pointer_forget(struct ir_scope *scope, const void *pointer) {
  for (struct ir_walk *walk = scope->walks; walk; walk = walk->outer)
    ir_walk_note_dead(walk, pointer);
  struct ir_slot *slot = ir_table_find(&scope->table, pointer);
  if (!slot)
    return;
  slot->handle->pointer = NULL;
  ir_table_remove(&scope->table, slot);
}

void ir_scope_close(struct ir_scope *scope) {
  scope->open = false;
  for (struct ir_walk *walk = scope->walks; walk; walk = walk->outer)
    walk->is_over = true;
  for (size_t i = 0; i < scope->table.size; ++i)
    if (scope->table.slots[i].key)
      scope->table.slots[i].handle->pointer = NULL;
  ir_table_clear(&scope->table);
  // Handles keep the trees; here ends what these own. One may use the values of
  // another, so as long as that helps.
  bool progress = true;
  while (progress) {
    progress = false;
    for (struct ir_tree *tree = scope->trees; tree; tree = tree->next)
      if (tree->root.ptr && ir_tree_try_destroy(tree))
        progress = true;
  }
}

struct ir_pause ir_pause_begin(struct ir_context *context,
                               struct ir_tree *tree) {
  struct ir_pause pause = {context, tree, NULL};
  if (!context->threaded)
    return pause;
  Py_INCREF(context);
  ++context->runs;
  if (tree)
    ++ir_tree_retain(tree)->locks;
  pause.state = PyEval_SaveThread();
  return pause;
}

void ir_pause_end(struct ir_pause pause) {
  if (!pause.state)
    return;
  PyEval_RestoreThread(pause.state);
  --pause.context->runs;
  if (pause.tree) {
    --pause.tree->locks;
    ir_tree_release(pause.tree);
  }
  if (!pause.context->runs)
    ir_handlers_deliver(pause.context);
  Py_DECREF(pause.context);
}

//===----------------------------------------------------------------------===//
// Passes written in Python
//===----------------------------------------------------------------------===//

PyObject *ir_run_begin(PyObject *object, MlirOperation root) {
  struct ir_context *context = (struct ir_context *)object;
  if (!context->alive) {
    PyErr_SetString(PyExc_RuntimeError, "the MLIR context is gone");
    return NULL;
  }
  struct ir_scope *scope = ir_scope_new(context);
  if (!scope)
    return NULL;
  scope->root = root;
  scope->thread = PyThread_get_thread_ident();
  scope->frame = ir_frame_depth(context->types);
  scope->next = context->scopes;
  context->scopes = scope;
  struct ir_tree *tree = ir_tree_new(scope, root, false);
  PyObject *operation = tree ? ir_operation_new(tree, root) : NULL;
  PyObject *location =
      ir_location_new(context, context->api->mlirOperationGetLocation(root));
  if (!operation || !location ||
      ir_frame_push(context->types, object, NULL, location) < 0) {
    context->scopes = scope->next;
    ir_scope_close(scope);
    Py_CLEAR(operation);
  }
  Py_XDECREF(location);
  if (tree)
    ir_tree_release(tree);
  ir_scope_release(scope);
  return operation;
}

void ir_run_end(PyObject *operation) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback);
  struct ir_tree *tree = ir_tree_retain(((struct ir_handle *)operation)->tree);
  struct ir_scope *scope = tree->scope;
  struct ir_context *context = tree->context;
  ir_frame_cut(context->types, scope->frame);
  for (struct ir_scope **link = &context->scopes; *link; link = &(*link)->next)
    if (*link == scope) {
      *link = scope->next;
      break;
    }
  ir_scope_close(scope);
  ir_tree_release(tree);
  PyErr_Restore(type, value, traceback);
}

int ir_run_check(PyObject *operation) {
  struct ir_handle *handle = ir_handle_check(operation);
  if (!handle)
    return -1;
  MlirOperation root = {handle->pointer};
  return ir_operation_is_sound(ir_tree_resolve(handle), root) ? 0 : -1;
}

//===----------------------------------------------------------------------===//
// Passes run on Python's objects
//===----------------------------------------------------------------------===//

/// All handles in `operation` but its own are dead from now on.
static void forget_inside(struct ir_tree *tree, MlirOperation operation) {
  const struct ir_api *api = tree->context->api;
  struct ir_table *table = &tree->scope->table;
  for (struct ir_walk *walk = tree->scope->walks; walk; walk = walk->outer)
    walk->is_over = true;
  // Removing moves later slots up, into this one or, at the end, around.
  for (size_t pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < table->size; ++i)
      while (table->slots[i].key && table->slots[i].key != operation.ptr) {
        struct ir_handle *handle = table->slots[i].handle;
        if (ir_tree_resolve(handle) != tree ||
            !ir_operation_is_in(api, ir_handle_operation(handle), operation))
          break;
        handle->pointer = NULL;
        ir_table_remove(table, &table->slots[i]);
      }
}

/// Passes need not cope with what MLIR calls invalid.
static bool check_valid(struct ir_tree *tree, MlirOperation operation) {
  if (!tree->scope->edited || !IR_HAS(tree->context->api, mlirOperationVerify))
    return true;
  struct ir_capture *capture =
      ir_capture_begin((PyObject *)tree->context, false);
  if (!capture)
    return false;
  if (!ir_operation_is_valid(tree, operation)) {
    ir_capture_raise(capture, "Cannot run passes on invalid IR");
    return false;
  }
  ir_capture_drop(capture);
  return true;
}

int ir_operation_lock(PyObject *object) {
  PyObject *operation = ir_operation_of(object);
  struct ir_handle *handle =
      operation ? ir_handle_check_inside(operation) : NULL;
  Py_XDECREF(operation);
  if (!handle)
    return -1;
  struct ir_tree *tree = ir_tree_resolve(handle);
  struct ir_context *context = tree->context;
  MlirOperation root = {handle->pointer};
  bool crossing;
  if (context->runs && !context->threaded) {
    PyErr_SetString(PyExc_RuntimeError,
                    "passes run in this context already, and multithreading "
                    "is disabled in it");
    return -1;
  }
  if (!ir_operation_is_sound(tree, root) || !check_valid(tree, root))
    return -1;
  if (tree->scope->tainted &&
      ir_operation_is_used(tree->scope, root, &crossing)) {
    PyErr_SetString(PyExc_RuntimeError,
                    "cannot run passes on an operation whose results, or "
                    "values in it, are used outside of it");
    return -1;
  }
  forget_inside(tree, root);
  // They need not leave it valid.
  tree->scope->edited = true;
  ++tree->locks;
  ++context->runs;
  context->runner = PyThread_get_thread_ident();
  return 0;
}

void ir_operation_unlock(PyObject *object) {
  PyObject *operation = ir_operation_of(object);
  if (!operation) {
    PyErr_Clear();
    return;
  }
  struct ir_handle *handle = (struct ir_handle *)operation;
  struct ir_tree *tree = ir_tree_resolve(handle);
  --tree->locks;
  --tree->context->runs;
  ir_handlers_deliver(tree->context);
  Py_DECREF(operation);
}
