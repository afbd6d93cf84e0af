// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles: one for each operation, region, block and value that Python code
// holds on to.

#include "ir_object.h"

#include <pythread.h>

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

PyObject *ir_handle_new(struct ir_tree *tree, PyTypeObject *class,
                        void *pointer) {
  if (!pointer)
    Py_RETURN_NONE;
  struct ir_slot *slot = ir_table_find(&tree->scope->table, pointer);
  if (slot) {
    Py_INCREF(slot->handle);
    return (PyObject *)slot->handle;
  }
  struct ir_handle *handle = ir_object_new(class);
  if (!handle)
    return NULL;
  handle->tree = ir_tree_retain(tree);
  if (!ir_table_insert(&tree->scope->table, pointer, handle)) {
    Py_DECREF(handle);
    return PyErr_NoMemory();
  }
  handle->pointer = pointer;
  return (PyObject *)handle;
}

PyObject *ir_operation_new(struct ir_tree *tree, MlirOperation operation) {
  return ir_handle_new(tree, tree->context->types->operation, operation.ptr);
}

PyObject *ir_region_new(struct ir_tree *tree, MlirOperation owner,
                        MlirRegion region) {
  PyObject *object =
      ir_handle_new(tree, tree->context->types->region, region.ptr);
  if (object && object != Py_None)
    ((struct ir_handle *)object)->owner = owner;
  return object;
}

PyObject *ir_block_new(struct ir_tree *tree, MlirBlock block) {
  return ir_handle_new(tree, tree->context->types->block, block.ptr);
}

PyObject *ir_value_new(struct ir_tree *tree, MlirValue value) {
  struct ir_types *types = tree->context->types;
  bool is_argument =
      value.ptr && tree->context->api->mlirValueIsABlockArgument(value);
  return ir_handle_new(tree,
                       is_argument ? types->block_argument : types->op_result,
                       (void *)value.ptr);
}

/// The tree of an operation, among those of the scope: it may have been
/// detached.
static struct ir_tree *tree_find(struct ir_tree *tree, MlirOperation inside) {
  const struct ir_api *api = tree->context->api;
  MlirOperation top = ir_operation_top(api, inside);
  struct ir_tree *other = NULL;
  for (struct ir_tree *each = tree->scope->trees; each; each = each->next) {
    if (each->root.ptr == top.ptr)
      return each;
    if (each->given.ptr &&
        (!other || ir_operation_is_in(api, inside, each->given)))
      other = each;
  }
  struct ir_tree *orphan = ir_orphan_adopt(tree->context, top);
  return orphan ? orphan : other ? other : tree;
}

PyObject *ir_value_find(struct ir_tree *tree, MlirValue value) {
  if (!tree->scope->tainted)
    return ir_value_new(tree, value);
  return ir_value_new(
      tree_find(tree, ir_value_operation(tree->context->api, value)), value);
}

PyObject *ir_operation_find(struct ir_tree *tree, MlirOperation operation) {
  return ir_operation_new(
      tree->scope->tainted ? tree_find(tree, operation) : tree, operation);
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static bool tree_check(const struct ir_tree *tree) {
  if (!ir_context_check(tree->context))
    return false;
  if (tree->scope->root.ptr &&
      tree->scope->thread != PyThread_get_thread_ident()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "this belongs to the run of a pass on another thread; a "
                    "pass can use what it met itself only");
    return false;
  }
  if (tree->locks) {
    PyErr_SetString(PyExc_RuntimeError,
                    "passes run on this operation; wait until they are done");
    return false;
  }
  return true;
}

static void raise_gone(const struct ir_handle *handle) {
  PyErr_Format(PyExc_RuntimeError,
               handle->tree->scope->open
                   ? "this %s is gone: it was erased, or passes were run on "
                     "what it was in"
                   : "this %s belongs to a run of a pass that has ended",
               PyObject_TypeCheck((PyObject *)handle,
                                  handle->tree->context->types->operation)
                   ? "operation"
                   : "part of an operation");
}

struct ir_handle *ir_handle_check(PyObject *self) {
  struct ir_handle *handle = (struct ir_handle *)self;
  if (!handle->tree) // An OpView.
    handle = handle->pointer;
  if (!handle->pointer) {
    raise_gone(handle);
    return NULL;
  }
  return tree_check(ir_tree_resolve(handle)) ? handle : NULL;
}

MlirOperation ir_handle_operation(const struct ir_handle *handle) {
  const struct ir_types *types = handle->tree->context->types;
  const struct ir_api *api = handle->tree->context->api;
  PyObject *object = (PyObject *)handle;
  if (PyObject_TypeCheck(object, types->operation))
    return (MlirOperation){handle->pointer};
  if (PyObject_TypeCheck(object, types->region))
    return handle->owner;
  if (PyObject_TypeCheck(object, types->block))
    return api->mlirBlockGetParentOperation((MlirBlock){handle->pointer});
  return ir_value_operation(api, (MlirValue){handle->pointer});
}

bool ir_is_inside(const struct ir_tree *tree, MlirOperation operation) {
  return !tree->scope->root.ptr || tree->root.ptr ||
         ir_operation_is_in(tree->context->api, operation, tree->scope->root);
}

static struct ir_handle *inside_check(struct ir_handle *handle) {
  if (!handle || ir_is_inside(handle->tree, ir_handle_operation(handle)))
    return handle;
  PyErr_SetString(
      PyExc_RuntimeError,
      "a pass may not change or walk into what lies outside of "
      "the operation it runs on: other passes may be at work there");
  return NULL;
}

struct ir_handle *ir_handle_check_inside(PyObject *self) {
  return inside_check(ir_handle_check(self));
}

struct ir_handle *ir_handle_argument(PyObject *object, PyTypeObject *class,
                                     const struct ir_scope *scope,
                                     const char *expected) {
  if (!PyObject_TypeCheck(object, class)) {
    PyErr_Format(PyExc_TypeError, "expected %s, not %R", expected,
                 (PyObject *)Py_TYPE(object));
    return NULL;
  }
  struct ir_handle *handle = ir_handle_check_inside(object);
  if (handle && scope && handle->tree->scope != scope) {
    PyErr_Format(PyExc_ValueError,
                 handle->tree->context != scope->context
                     ? "%s of another context was given; what belongs to "
                       "different contexts cannot be used together"
                     : "%s was given that was met outside of this run of the "
                       "pass, or in another",
                 expected);
    return NULL;
  }
  return handle;
}

//===----------------------------------------------------------------------===//
// What all classes of handles share
//===----------------------------------------------------------------------===//

void ir_handle_dealloc(PyObject *self) {
  struct ir_handle *handle = (struct ir_handle *)self;
  struct ir_tree *tree = handle->tree;
  void *pointer = handle->pointer;
  ir_object_free(self);
  if (!tree) { // An OpView, or one whose making failed.
    Py_XDECREF((PyObject *)pointer);
    return;
  }
  struct ir_slot *slot =
      pointer ? ir_table_find(&tree->scope->table, pointer) : NULL;
  if (slot)
    ir_table_remove(&tree->scope->table, slot);
  ir_tree_release(tree);
}

/// By identity: there is one handle for each thing. An OpView is its operation.
static PyObject *identity(PyObject *self) {
  struct ir_handle *handle = (struct ir_handle *)self;
  return handle->tree ? self : handle->pointer;
}

Py_hash_t ir_handle_hash(PyObject *self) {
  size_t address = (size_t)identity(self) >> 4;
  return (Py_hash_t)address;
}

static bool is_handle(PyObject *object, const struct ir_types *types) {
  PyTypeObject *const classes[] = {types->operation_base, types->region,
                                   types->block, types->value};
  for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); ++i)
    if (PyObject_TypeCheck(object, classes[i]))
      return true;
  return false;
}

PyObject *ir_handle_compare(PyObject *self, PyObject *other, int operation) {
  if (operation != Py_EQ && operation != Py_NE)
    Py_RETURN_NOTIMPLEMENTED;
  bool equal =
      is_handle(other, module_ir_types()) && identity(self) == identity(other);
  return PyBool_FromLong(equal == (operation == Py_EQ));
}

PyObject *ir_handle_context(PyObject *self, void *closure) {
  (void)closure;
  struct ir_handle *handle = (struct ir_handle *)self;
  if (!handle->tree)
    handle = handle->pointer;
  PyObject *context = (PyObject *)handle->tree->context;
  Py_INCREF(context);
  return context;
}

PyObject *ir_handle_make(PyTypeObject *class, PyObject *arguments,
                         PyObject *keywords) {
  (void)arguments;
  (void)keywords;
  PyErr_Format(PyExc_TypeError, "%R has no constructor", (PyObject *)class);
  return NULL;
}
