// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation, a region or a block has several of: lists that show the IR
// as it is when they are asked.

#include "ir_operation.h"

struct list {
  PyObject_HEAD;
  PyObject *owner; ///< A handle.
  enum ir_list_kind kind;
};

//===----------------------------------------------------------------------===//
// Counting and finding
//===----------------------------------------------------------------------===//

static intptr_t count_blocks(const struct ir_api *api, MlirRegion region) {
  intptr_t count = 0;
  for (MlirBlock block = api->mlirRegionGetFirstBlock(region); block.ptr;
       block = api->mlirBlockGetNextInRegion(block))
    ++count;
  return count;
}

static intptr_t count_operations(const struct ir_api *api, MlirBlock block) {
  intptr_t count = 0;
  for (MlirOperation each = api->mlirBlockGetFirstOperation(block); each.ptr;
       each = api->mlirOperationGetNextInBlock(each))
    ++count;
  return count;
}

/// What branches away from the end of a block; null if nothing is there.
static MlirOperation last_of(const struct ir_api *api, MlirBlock block) {
  return api->mlirBlockGetFirstOperation(block).ptr
             ? api->mlirBlockGetTerminator(block)
             : (MlirOperation){NULL};
}

static intptr_t list_count(const struct ir_handle *owner,
                           enum ir_list_kind kind) {
  const struct ir_api *api = owner->tree->context->api;
  MlirOperation operation = {owner->pointer};
  MlirBlock block = {owner->pointer};
  switch (kind) {
  case IR_LIST_OPERANDS:
    return api->mlirOperationGetNumOperands(operation);
  case IR_LIST_RESULTS:
    return api->mlirOperationGetNumResults(operation);
  case IR_LIST_REGIONS:
    return api->mlirOperationGetNumRegions(operation);
  case IR_LIST_SUCCESSORS:
    return api->mlirOperationGetNumSuccessors(operation);
  case IR_LIST_BLOCKS:
    return count_blocks(api, (MlirRegion){owner->pointer});
  case IR_LIST_ARGUMENTS:
    return api->mlirBlockGetNumArguments(block);
  case IR_LIST_BLOCK_SUCCESSORS:
    operation = last_of(api, block);
    return operation.ptr ? api->mlirOperationGetNumSuccessors(operation) : 0;
  case IR_LIST_OPERATIONS:
    return count_operations(api, block);
  case IR_LIST_COUNT:
    break;
  }
  return 0;
}

/// `index` is in range.
static PyObject *list_get(const struct ir_handle *owner, enum ir_list_kind kind,
                          intptr_t index) {
  const struct ir_api *api = owner->tree->context->api;
  struct ir_tree *tree = owner->tree;
  MlirOperation operation = {owner->pointer};
  MlirBlock block = {owner->pointer};
  switch (kind) {
  case IR_LIST_OPERANDS:
    return ir_value_find(tree, api->mlirOperationGetOperand(operation, index));
  case IR_LIST_RESULTS:
    return ir_value_new(tree, api->mlirOperationGetResult(operation, index));
  case IR_LIST_REGIONS:
    return ir_region_new(tree, operation,
                         api->mlirOperationGetRegion(operation, index));
  case IR_LIST_SUCCESSORS:
    return ir_block_new(tree, api->mlirOperationGetSuccessor(operation, index));
  case IR_LIST_BLOCKS:
    block = api->mlirRegionGetFirstBlock((MlirRegion){owner->pointer});
    for (; index > 0; --index)
      block = api->mlirBlockGetNextInRegion(block);
    return ir_block_new(tree, block);
  case IR_LIST_ARGUMENTS:
    return ir_value_new(tree, api->mlirBlockGetArgument(block, index));
  case IR_LIST_BLOCK_SUCCESSORS:
    return ir_block_new(
        tree, api->mlirOperationGetSuccessor(last_of(api, block), index));
  case IR_LIST_OPERATIONS:
    operation = api->mlirBlockGetFirstOperation(block);
    for (; index > 0; --index)
      operation = api->mlirOperationGetNextInBlock(operation);
    return ir_operation_new(tree, operation);
  case IR_LIST_COUNT:
    break;
  }
  return NULL;
}

/// The owner, if the list may be looked at: names and operands of what is
/// outside of a pass's operation yes, but not what is in it.
static struct ir_handle *list_check(PyObject *self) {
  struct list *list = (struct list *)self;
  return list->kind == IR_LIST_RESULTS ? ir_handle_check(list->owner)
                                       : ir_handle_check_inside(list->owner);
}

//===----------------------------------------------------------------------===//
// The sequence
//===----------------------------------------------------------------------===//

static Py_ssize_t list_length(PyObject *self) {
  struct ir_handle *owner = list_check(self);
  return owner ? list_count(owner, ((struct list *)self)->kind) : -1;
}

static PyObject *list_item(PyObject *self, Py_ssize_t index) {
  struct ir_handle *owner = list_check(self);
  enum ir_list_kind kind = ((struct list *)self)->kind;
  if (!owner)
    return NULL;
  if (index < 0 || index >= list_count(owner, kind)) {
    PyErr_SetString(PyExc_IndexError, "index out of range");
    return NULL;
  }
  return list_get(owner, kind, index);
}

static PyObject *list_all(PyObject *self) {
  PyObject *all = PyList_New(0);
  Py_ssize_t count = all ? list_length(self) : -1;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *item = list_item(self, i);
    if (!item || PyList_Append(all, item) < 0)
      count = -1;
    Py_XDECREF(item);
  }
  if (count < 0)
    Py_CLEAR(all);
  return all;
}

static PyObject *list_subscript(PyObject *self, PyObject *key) {
  if (PySlice_Check(key)) {
    PyObject *all = list_all(self);
    PyObject *slice = all ? PyObject_GetItem(all, key) : NULL;
    Py_XDECREF(all);
    return slice;
  }
  Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred())
    return NULL;
  if (index < 0) {
    Py_ssize_t length = list_length(self);
    if (length < 0)
      return NULL;
    index += length;
  }
  return list_item(self, index);
}

static PyObject *list_concatenate(PyObject *self, PyObject *other) {
  PyObject *all = list_all(self);
  PyObject *rest = all ? PySequence_List(other) : NULL;
  PyObject *sum = rest ? PySequence_Concat(all, rest) : NULL;
  Py_XDECREF(all);
  Py_XDECREF(rest);
  return sum;
}

static int operands_assign(PyObject *self, PyObject *key, PyObject *value) {
  Py_ssize_t index = PyNumber_AsSsize_t(key, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred())
    return -1;
  struct ir_handle *owner = list_check(self);
  if (!owner)
    return -1;
  const struct ir_api *api = owner->tree->context->api;
  MlirOperation operation = {owner->pointer};
  intptr_t count = api->mlirOperationGetNumOperands(operation);
  MlirValue operand;
  if (index < 0)
    index += count;
  if (index < 0 || index >= count || !value) {
    PyErr_SetString(value ? PyExc_IndexError : PyExc_TypeError,
                    value ? "index out of range"
                          : "operands cannot be deleted");
    return -1;
  }
  if (!ir_value_argument(value, owner->tree->scope, &operand))
    return -1;
  owner->tree->scope->tainted = owner->tree->scope->edited = true;
  api->mlirOperationSetOperand(operation, index, operand);
  return 0;
}

static PyObject *get_types(PyObject *self, void *closure) {
  (void)closure;
  struct ir_handle *owner = list_check(self);
  PyObject *types = owner ? list_all(self) : NULL;
  Py_ssize_t count = types ? PyList_Size(types) : 0;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *type = PyObject_GetAttrString(PyList_GetItem(types, i), "type");
    if (!type || PyList_SetItem(types, i, type) < 0) {
      Py_DECREF(types);
      return NULL;
    }
  }
  return types;
}

static PyObject *get_owner(PyObject *self, void *closure) {
  (void)closure;
  PyObject *owner = ((struct list *)self)->owner;
  Py_INCREF(owner);
  return owner;
}

//===----------------------------------------------------------------------===//
// Blocks of a region, operations of a block: one after the other
//===----------------------------------------------------------------------===//

struct iterator {
  PyObject_HEAD;
  PyObject *owner;
  PyObject *next; ///< A handle; null or None at the end.
  enum ir_list_kind kind;
};

static PyObject *following(const struct ir_handle *handle,
                           enum ir_list_kind kind) {
  const struct ir_api *api = handle->tree->context->api;
  if (kind == IR_LIST_BLOCKS)
    return ir_block_new(handle->tree, api->mlirBlockGetNextInRegion(
                                          (MlirBlock){handle->pointer}));
  return ir_operation_new(handle->tree, api->mlirOperationGetNextInBlock(
                                            (MlirOperation){handle->pointer}));
}

PyObject *ir_iterator_new(PyObject *object, enum ir_list_kind kind) {
  struct ir_handle *owner = ir_handle_check_inside(object);
  if (!owner)
    return NULL;
  struct ir_types *types = owner->tree->context->types;
  struct iterator *iterator = ir_object_new(types->operation_iterator);
  if (!iterator)
    return NULL;
  const struct ir_api *api = owner->tree->context->api;
  Py_INCREF(object);
  iterator->owner = object;
  iterator->kind = kind;
  iterator->next =
      kind == IR_LIST_BLOCKS
          ? ir_block_new(owner->tree, api->mlirRegionGetFirstBlock(
                                          (MlirRegion){owner->pointer}))
          : ir_operation_new(owner->tree, api->mlirBlockGetFirstOperation(
                                              (MlirBlock){owner->pointer}));
  if (!iterator->next)
    Py_CLEAR(iterator);
  return (PyObject *)iterator;
}

/// What comes next is looked up before the loop gets to work on this one, which
/// it may erase.
static PyObject *iterator_next(PyObject *self) {
  struct iterator *iterator = (struct iterator *)self;
  PyObject *item = iterator->next;
  if (!item || item == Py_None)
    return NULL;
  if (!((struct ir_handle *)item)->pointer) {
    PyErr_SetString(PyExc_RuntimeError,
                    "what came next in the loop was erased in it; loop over "
                    "list(…) to erase others than the current one");
    return NULL;
  }
  struct ir_handle *handle = ir_handle_check_inside(item);
  PyObject *next = handle ? following(handle, iterator->kind) : NULL;
  if (!next)
    return NULL;
  iterator->next = next;
  return item;
}

static PyObject *iterator_self(PyObject *self) {
  Py_INCREF(self);
  return self;
}

static void iterator_dealloc(PyObject *self) {
  struct iterator *iterator = (struct iterator *)self;
  PyObject *owner = iterator->owner;
  PyObject *next = iterator->next;
  ir_object_free(self);
  Py_XDECREF(owner);
  Py_XDECREF(next);
}

static PyObject *list_iterate(PyObject *self) {
  struct list *list = (struct list *)self;
  return ir_iterator_new(list->owner, list->kind);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

PyObject *ir_list_new(PyObject *owner, enum ir_list_kind kind) {
  struct ir_types *types = ((struct ir_handle *)owner)->tree->context->types;
  struct list *list = ir_object_new(types->lists[kind]);
  if (!list)
    return NULL;
  Py_INCREF(owner);
  list->owner = owner;
  list->kind = kind;
  return (PyObject *)list;
}

static void list_dealloc(PyObject *self) {
  PyObject *owner = ((struct list *)self)->owner;
  ir_object_free(self);
  Py_XDECREF(owner);
}

static PyObject *list_append(PyObject *self, PyObject *arguments,
                             PyObject *keywords) {
  return ir_blocks_append(((struct list *)self)->owner, arguments, keywords);
}

static PyGetSetDef type_properties[] = {
    {"types", get_types, NULL, NULL, NULL},
    {"owner", get_owner, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef block_methods[] = {
    {"append", (PyCFunction)(void (*)(void))list_append,
     METH_VARARGS | METH_KEYWORDS,
     "Makes a block with arguments of these types at the end."},
    {NULL, NULL, 0, NULL},
};

#define COMMON                                                                 \
  {Py_tp_new, ir_handle_make}, {Py_tp_dealloc, list_dealloc},                  \
      {Py_sq_length, list_length}, {Py_sq_item, list_item},                    \
      {Py_sq_concat, list_concatenate}, {Py_mp_length, list_length}, {         \
    Py_mp_subscript, list_subscript                                            \
  }

static const PyType_Slot operand_slots[] = {
    COMMON,
    {Py_mp_ass_subscript, operands_assign},
    {Py_tp_getset, type_properties},
    {0, NULL},
};

static const PyType_Slot value_slots[] = {
    COMMON,
    {Py_tp_getset, type_properties},
    {0, NULL},
};

static const PyType_Slot plain_slots[] = {COMMON, {0, NULL}};

static const PyType_Slot chain_slots[] = {
    COMMON,
    {Py_tp_iter, list_iterate},
    {0, NULL},
};

static const PyType_Slot block_slots[] = {
    COMMON,
    {Py_tp_iter, list_iterate},
    {Py_tp_methods, block_methods},
    {0, NULL},
};

static const PyType_Slot iterator_slots[] = {
    {Py_tp_new, ir_handle_make},
    {Py_tp_dealloc, iterator_dealloc},
    {Py_tp_iter, iterator_self},
    {Py_tp_iternext, iterator_next},
    {0, NULL},
};

int ir_register_list(PyObject *module, struct ir_types *types) {
  static const struct {
    const char *name;
    const PyType_Slot *slots;
  } classes[] = {
      [IR_LIST_OPERANDS] = {"OpOperandList", operand_slots},
      [IR_LIST_RESULTS] = {"OpResultList", value_slots},
      [IR_LIST_REGIONS] = {"RegionSequence", plain_slots},
      [IR_LIST_SUCCESSORS] = {"OpSuccessors", plain_slots},
      [IR_LIST_BLOCKS] = {"BlockList", block_slots},
      [IR_LIST_ARGUMENTS] = {"BlockArgumentList", value_slots},
      [IR_LIST_BLOCK_SUCCESSORS] = {"BlockSuccessors", plain_slots},
      [IR_LIST_OPERATIONS] = {"OperationList", chain_slots},
  };
  for (size_t i = 0; i < IR_LIST_COUNT; ++i) {
    types->lists[i] = ir_class_make(
        module, classes[i].name, sizeof(struct list), NULL, classes[i].slots);
    if (!types->lists[i])
      return -1;
  }
  types->operation_iterator =
      ir_class_make(module, "OperationIterator", sizeof(struct iterator), NULL,
                    iterator_slots);
  return types->operation_iterator ? ir_attribute_map_register(module, types)
                                   : -1;
}
