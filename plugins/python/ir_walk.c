// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations are listed before the first one is visited: what the callback
// then does to the IR cannot lead the walk astray.

#include "ir_walk.h"

#include <stdlib.h>

/// WalkResult, as in MLIR.
enum { ADVANCE, INTERRUPT, SKIP };

struct entry {
  MlirOperation operation;
  size_t end; ///< Of those in it: the index behind the last, outermost first.
};

struct list {
  const struct ir_api *api;
  struct entry *entries;
  size_t count;
  size_t capacity;
  bool failed;
};

void ir_walk_note_dead(struct ir_walk *walk, const void *pointer) {
  if (!ir_table_find(&walk->dead, pointer) &&
      !ir_table_insert(&walk->dead, pointer, NULL))
    walk->is_over = true;
}

static void list_add(MlirOperation operation, void *data) {
  struct list *list = data;
  if (list->count == list->capacity) {
    size_t capacity = 2 * list->capacity + 16;
    struct entry *entries =
        list->failed
            ? NULL
            : realloc(list->entries, capacity * sizeof(*list->entries));
    if (!entries) {
      list->failed = true;
      return;
    }
    list->entries = entries;
    list->capacity = capacity;
  }
  list->entries[list->count++] = (struct entry){operation, 0};
}

/// Finds where each entry's subtree ends. The parent of an entry stands before
/// it; `open` are those entries whose end is not known yet, innermost last.
static bool list_nest(struct list *list) {
  size_t *open = malloc((list->count + 1) * sizeof(*open));
  if (!open)
    return false;
  size_t depth = 0;
  for (size_t i = 0; i < list->count; ++i) {
    MlirOperation parent =
        list->api->mlirOperationGetParentOperation(list->entries[i].operation);
    while (depth > 0 &&
           list->entries[open[depth - 1]].operation.ptr != parent.ptr)
      list->entries[open[--depth]].end = i;
    open[depth++] = i;
  }
  while (depth > 0)
    list->entries[open[--depth]].end = list->count;
  free(open);
  return true;
}

/// Puts the entries into the order innermost first: each behind those in it.
static bool list_turn(struct list *list) {
  struct entry *turned = malloc((list->count + 1) * sizeof(*turned));
  size_t *open = malloc((list->count + 1) * sizeof(*open));
  size_t depth = 0, filled = 0;
  for (size_t i = 0; turned && open && i <= list->count; ++i) {
    while (depth > 0 && list->entries[open[depth - 1]].end <= i)
      turned[filled++] = list->entries[open[--depth]];
    if (i < list->count)
      open[depth++] = i;
  }
  free(open);
  if (!turned || !open)
    return free(turned), false;
  free(list->entries);
  list->entries = turned;
  return true;
}

/// What the callback says: ADVANCE, SKIP or INTERRUPT; -1 if it raised.
static long call(PyObject *callback, struct ir_tree *tree,
                 MlirOperation operation) {
  PyObject *object = ir_operation_new(tree, operation);
  PyObject *result =
      object ? PyObject_CallFunctionObjArgs(callback, object, NULL) : NULL;
  Py_XDECREF(object);
  if (!result)
    return -1;
  long value = ADVANCE;
  if (result != Py_None) {
    value = PyLong_AsLong(result);
    if (value == -1 && PyErr_Occurred())
      PyErr_Format(PyExc_TypeError,
                   "the callback of a walk returns a WalkResult, not %R",
                   (PyObject *)Py_TYPE(result));
  }
  Py_DECREF(result);
  return PyErr_Occurred() ? -1 : value;
}

static int visit_all(struct ir_handle *root, struct ir_walk *walk,
                     const struct list *list, PyObject *callback,
                     bool outermost_first) {
  for (size_t i = 0; i < list->count; ++i) {
    const struct entry *entry = &list->entries[i];
    if (walk->is_over) {
      PyErr_SetString(PyExc_RuntimeError,
                      "the walk cannot go on: passes were run on what it is "
                      "in, or memory ran out");
      return -1;
    }
    if (walk->dead.count && ir_table_find(&walk->dead, entry->operation.ptr))
      continue;
    struct ir_tree *tree = ir_tree_resolve(root);
    PyObject *known = NULL;
    if (tree->scope->tainted) {
      // It may have been detached, or moved to another tree.
      known = ir_operation_find(tree, entry->operation);
      if (!known)
        return -1;
      tree = ir_tree_resolve((struct ir_handle *)known);
    }
    long result = call(callback, tree, entry->operation);
    Py_XDECREF(known);
    if (result < 0)
      return -1;
    if (result == INTERRUPT)
      return 0;
    if (result == SKIP && outermost_first)
      i = entry->end - 1;
  }
  return 0;
}

PyObject *ir_operation_walk(PyObject *self, PyObject *arguments,
                            PyObject *keywords) {
  static char *names[] = {"callback", "walk_order", NULL};
  PyObject *callback, *order = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:walk", names,
                                   &callback, &order))
    return NULL;
  struct ir_handle *root = ir_handle_check_inside(self);
  if (!root)
    return NULL;
  long chosen = order ? PyLong_AsLong(order) : 1; // POST_ORDER
  if (chosen < 0 || chosen > 1) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "walk_order is a WalkOrder");
    return NULL;
  }
  struct ir_scope *scope = root->tree->scope;
  struct list list = {.api = scope->context->api};
  ir_operations_visit(list.api, (MlirOperation){root->pointer}, list_add,
                      &list);
  struct ir_walk walk = {.outer = scope->walks};
  int status = -1;
  if (list.failed || !list_nest(&list) || (chosen == 1 && !list_turn(&list))) {
    PyErr_NoMemory();
  } else {
    Py_INCREF(root);
    Py_INCREF(scope->context);
    ++scope->references;
    scope->walks = &walk;
    status = visit_all(root, &walk, &list, callback, chosen == 0);
    // Another thread may have begun one since.
    struct ir_walk **link = &scope->walks;
    while (*link != &walk)
      link = &(*link)->outer;
    *link = walk.outer;
    struct ir_context *context = scope->context;
    ir_scope_release(scope);
    Py_DECREF(context);
    Py_DECREF(root);
  }
  ir_table_clear(&walk.dead);
  free(list.entries);
  if (status < 0)
    return NULL;
  Py_RETURN_NONE;
}
