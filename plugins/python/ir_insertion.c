// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class InsertionPoint.

#include "ir_object.h"

struct insertion_point {
  PyObject_HEAD;
  PyObject *block;  ///< Null if there is a reference operation.
  PyObject *before; ///< Null for the end of the block.
};

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static bool place_before(PyObject *object, struct ir_place *place) {
  struct ir_handle *before = ir_handle_check(object);
  if (!before)
    return false;
  const struct ir_api *api = before->tree->context->api;
  MlirOperation operation = {before->pointer};
  MlirOperation parent = api->mlirOperationGetParentOperation(operation);
  if (!parent.ptr) {
    PyErr_SetString(PyExc_ValueError,
                    "cannot insert before an operation that is in no block");
    return false;
  }
  if (!ir_is_inside(before->tree, parent)) {
    PyErr_SetString(PyExc_RuntimeError,
                    "a pass may not insert operations outside of the one it "
                    "runs on");
    return false;
  }
  *place = (struct ir_place){before->tree->scope, before->tree,
                             api->mlirOperationGetBlock(operation), operation};
  return true;
}

static bool place_of(PyObject *object, struct ir_place *place) {
  struct insertion_point *point = (struct insertion_point *)object;
  if (point->before)
    return place_before(point->before, place);
  struct ir_handle *block = ir_handle_check_inside(point->block);
  if (!block)
    return false;
  *place = (struct ir_place){
      .scope = block->tree->scope,
      .tree = block->tree,
      .block = {block->pointer},
  };
  return true;
}

static struct ir_context *context_of(PyObject *object) {
  struct insertion_point *point = (struct insertion_point *)object;
  struct ir_handle *handle =
      (struct ir_handle *)(point->before ? point->before : point->block);
  return handle->tree->context;
}

bool ir_place_find(struct ir_context *context, PyObject *point,
                   struct ir_place *place) {
  struct ir_types *types = context->types;
  if (!point || point == Py_None) {
    point = ir_frame_insertion_point(types);
    if (point && context_of(point) != context)
      point = NULL;
  } else if (point == Py_False) {
    point = NULL;
  } else if (!PyObject_TypeCheck(point, types->insertion_point)) {
    PyErr_Format(PyExc_TypeError, "expected an InsertionPoint, not %R",
                 (PyObject *)Py_TYPE(point));
    return false;
  }
  *place = (struct ir_place){.scope = ir_scope_current(context)};
  if (!point)
    return true;
  if (context_of(point) != context) {
    PyErr_SetString(PyExc_ValueError,
                    "the insertion point belongs to another context");
    return false;
  }
  return place_of(point, place);
}

/// MLIR lets branches lead to blocks of the same region only, and so can free
/// one region after the other.
bool ir_place_takes(const struct ir_place *place, const MlirBlock *successors,
                    Py_ssize_t count) {
  const struct ir_api *api = place->scope->context->api;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!place->tree || api->mlirBlockGetParentRegion(successors[i]).ptr !=
                            api->mlirBlockGetParentRegion(place->block).ptr) {
      PyErr_SetString(PyExc_ValueError,
                      "an operation with successors has to be in the same "
                      "region as these: give it an insertion point there");
      return false;
    }
  return true;
}

PyObject *ir_place_insert(const struct ir_place *place,
                          MlirOperation operation) {
  const struct ir_api *api = place->scope->context->api;
  if (!place->tree) {
    struct ir_tree *tree = ir_tree_new(place->scope, operation, true);
    if (!tree) {
      api->mlirOperationDestroy(operation);
      return NULL;
    }
    PyObject *object = ir_operation_new(tree, operation);
    ir_tree_release(tree);
    return object;
  }
  if (place->before.ptr)
    api->mlirBlockInsertOwnedOperationBefore(place->block, place->before,
                                             operation);
  else
    api->mlirBlockAppendOwnedOperation(place->block, operation);
  return ir_operation_new(place->tree, operation);
}

//===----------------------------------------------------------------------===//
// The class
//===----------------------------------------------------------------------===//

static PyObject *point_new(PyTypeObject *class, PyObject *block,
                           PyObject *before) {
  struct insertion_point *point = ir_object_new(class);
  if (!point)
    return NULL;
  Py_XINCREF(block);
  Py_XINCREF(before);
  point->block = block;
  point->before = before;
  return (PyObject *)point;
}

static PyObject *point_make(PyTypeObject *class, PyObject *arguments,
                            PyObject *keywords) {
  static char *names[] = {"beforeOperation", NULL};
  PyObject *object;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O:InsertionPoint",
                                   names, &object))
    return NULL;
  struct ir_types *types = module_ir_types();
  if (PyObject_TypeCheck(object, types->block))
    return ir_handle_check(object) ? point_new(class, object, NULL) : NULL;
  PyObject *operation = ir_operation_of(object);
  struct ir_place place;
  PyObject *point = operation && place_before(operation, &place)
                        ? point_new(class, NULL, operation)
                        : NULL;
  Py_XDECREF(operation);
  return point;
}

static struct ir_handle *block_argument(PyObject *object) {
  return ir_handle_argument(object, module_ir_types()->block, NULL, "a Block");
}

static PyObject *at_block_begin(PyObject *class, PyObject *object) {
  struct ir_handle *block = block_argument(object);
  if (!block)
    return NULL;
  MlirOperation first = block->tree->context->api->mlirBlockGetFirstOperation(
      (MlirBlock){block->pointer});
  if (!first.ptr)
    return point_new((PyTypeObject *)class, object, NULL);
  PyObject *before = ir_operation_new(block->tree, first);
  PyObject *point =
      before ? point_new((PyTypeObject *)class, NULL, before) : NULL;
  Py_XDECREF(before);
  return point;
}

static PyObject *at_block_terminator(PyObject *class, PyObject *object) {
  struct ir_handle *block = block_argument(object);
  if (!block)
    return NULL;
  const struct ir_api *api = block->tree->context->api;
  MlirBlock handle = {block->pointer};
  MlirOperation terminator = api->mlirBlockGetFirstOperation(handle).ptr
                                 ? api->mlirBlockGetTerminator(handle)
                                 : (MlirOperation){NULL};
  if (!terminator.ptr) {
    PyErr_SetString(PyExc_ValueError, "the block has no terminator");
    return NULL;
  }
  PyObject *before = ir_operation_new(block->tree, terminator);
  PyObject *point =
      before ? point_new((PyTypeObject *)class, NULL, before) : NULL;
  Py_XDECREF(before);
  return point;
}

static PyObject *after(PyObject *class, PyObject *object) {
  PyObject *operation = ir_operation_of(object);
  struct ir_place place;
  PyObject *point = NULL;
  if (operation && place_before(operation, &place)) {
    const struct ir_api *api = place.scope->context->api;
    MlirOperation next = api->mlirOperationGetNextInBlock(place.before);
    PyObject *other = next.ptr ? ir_operation_new(place.tree, next)
                               : ir_block_new(place.tree, place.block);
    if (other)
      point = point_new((PyTypeObject *)class, next.ptr ? NULL : other,
                        next.ptr ? other : NULL);
    Py_XDECREF(other);
  }
  Py_XDECREF(operation);
  return point;
}

static PyObject *insert(PyObject *self, PyObject *object) {
  PyObject *operation = ir_operation_of(object);
  PyObject *result = NULL;
  struct ir_place place;
  if (operation && place_of(self, &place))
    result = ir_operation_put(operation, &place);
  Py_XDECREF(operation);
  return result;
}

static PyObject *enter(PyObject *self, PyObject *ignored) {
  (void)ignored;
  struct ir_context *context = context_of(self);
  struct ir_place place;
  if (!place_of(self, &place) ||
      ir_frame_push(context->types, (PyObject *)context, self, NULL) < 0)
    return NULL;
  Py_INCREF(self);
  return self;
}

static PyObject *leave(PyObject *self, PyObject *arguments) {
  (void)arguments;
  if (ir_frame_pop(context_of(self)->types, self) < 0)
    return NULL;
  Py_RETURN_NONE;
}

static PyObject *get_current(PyObject *self, PyObject *ignored) {
  (void)self;
  (void)ignored;
  PyObject *point = ir_frame_insertion_point(module_ir_types());
  if (!point) {
    PyErr_SetString(PyExc_ValueError, "no current InsertionPoint");
    return NULL;
  }
  Py_INCREF(point);
  return point;
}

static PyObject *get_block(PyObject *self, void *closure) {
  (void)closure;
  struct ir_place place;
  return place_of(self, &place) ? ir_block_new(place.tree, place.block) : NULL;
}

static PyObject *get_operation(PyObject *self, void *closure) {
  (void)closure;
  struct insertion_point *point = (struct insertion_point *)self;
  PyObject *before = point->before ? point->before : Py_None;
  Py_INCREF(before);
  return before;
}

static void point_dealloc(PyObject *self) {
  struct insertion_point *point = (struct insertion_point *)self;
  PyObject *block = point->block;
  PyObject *before = point->before;
  ir_object_free(self);
  Py_XDECREF(block);
  Py_XDECREF(before);
}

static PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", leave, METH_VARARGS, NULL},
    {"at_block_begin", at_block_begin, METH_O | METH_CLASS, NULL},
    {"at_block_terminator", at_block_terminator, METH_O | METH_CLASS, NULL},
    {"after", after, METH_O | METH_CLASS, NULL},
    {"insert", insert, METH_O, "Puts a detached operation there."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"block", get_block, NULL, NULL, NULL},
    {"ref_operation", get_operation, NULL, "It inserts before this.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef current = {"current", get_current, METH_NOARGS, NULL};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "Where operations are made: before one, or at a block's end."},
    {Py_tp_new, point_make},
    {Py_tp_dealloc, point_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_register_insertion(PyObject *module, struct ir_types *types) {
  types->insertion_point = ir_class_make(
      module, "InsertionPoint", sizeof(struct insertion_point), NULL, slots);
  return types->insertion_point
             ? ir_class_property(types, types->insertion_point, &current)
             : -1;
}
