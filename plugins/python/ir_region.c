// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes Region and Block.

#include "ir_operation.h"

#define BLOCK(self, check)                                                     \
  struct ir_handle *handle = check(self);                                      \
  if (!handle)                                                                 \
    return NULL;                                                               \
  const struct ir_api *api = handle->tree->context->api;                       \
  MlirBlock block = {handle->pointer}

//===----------------------------------------------------------------------===//
// Making blocks
//===----------------------------------------------------------------------===//

struct arguments {
  MlirType *types;
  MlirLocation *locations;
  Py_ssize_t count;
};

/// Types, with a location each: those of `locations`, or the current one, or an
/// unknown one.
static bool arguments_get(struct ir_context *context, PyObject *types,
                          PyObject *locations, struct arguments *arguments) {
  *arguments = (struct arguments){0};
  PyObject *items = ir_sequence(types, "a sequence of Types");
  PyObject *places =
      items ? ir_sequence(locations, "a sequence of Locations") : NULL;
  Py_ssize_t count = places ? PyTuple_Size(items) : 0;
  bool has_places = places && locations && locations != Py_None;
  bool good = places != NULL;
  if (good && has_places && PyTuple_Size(places) != count) {
    PyErr_SetString(PyExc_ValueError,
                    "there must be as many locations as types");
    good = false;
  }
  MlirLocation location = {NULL};
  PyObject *current = ir_frame_location(context->types);
  if (current && ((struct ir_unique *)current)->context == context)
    location.ptr = ((struct ir_unique *)current)->pointer;
  else
    location = context->api->mlirLocationUnknownGet(context->context);
  if (good) {
    arguments->types = ir_array_new(count, sizeof(*arguments->types));
    arguments->locations = ir_array_new(count, sizeof(*arguments->locations));
    good = arguments->types && arguments->locations;
  }
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    good = ir_type_argument(PyTuple_GetItem(items, i), context,
                            &arguments->types[i]);
    arguments->locations[i] = location;
    if (!good || !has_places)
      continue;
    struct ir_unique *place =
        ir_unique_argument(PyTuple_GetItem(places, i), context->types->location,
                           context, "a Location");
    good = place != NULL;
    if (good)
      arguments->locations[i] = (MlirLocation){place->pointer};
  }
  arguments->count = count;
  Py_XDECREF(items);
  Py_XDECREF(places);
  return good;
}

static void arguments_free(struct arguments *arguments) {
  PyMem_Free(arguments->types);
  PyMem_Free(arguments->locations);
}

/// Where a new block goes in its region.
enum side { START, END, BEFORE, AFTER };

/// `object` is a region for START and END, and else a block.
static PyObject *block_make(PyObject *object, enum side side, PyObject *types,
                            PyObject *locations) {
  struct ir_types *classes = module_ir_types();
  bool in_region = side == START || side == END;
  PyTypeObject *class = in_region ? classes->region : classes->block;
  const char *expected = in_region ? "a Region" : "a Block";
  struct ir_handle *handle = ir_handle_argument(object, class, NULL, expected);
  if (!handle)
    return NULL;
  const struct ir_api *api = handle->tree->context->api;
  struct arguments arguments;
  PyObject *result = NULL;
  // Reading the types may have changed the IR.
  if (arguments_get(handle->tree->context, types, locations, &arguments) &&
      (handle = ir_handle_argument(object, class, NULL, expected))) {
    MlirBlock block = api->mlirBlockCreate(arguments.count, arguments.types,
                                           arguments.locations);
    MlirBlock other = {handle->pointer};
    MlirRegion region = {handle->pointer};
    if (!in_region)
      region = api->mlirBlockGetParentRegion(other);
    if (side == START)
      api->mlirRegionInsertOwnedBlock(region, 0, block);
    else if (side == END)
      api->mlirRegionAppendOwnedBlock(region, block);
    else if (side == BEFORE)
      api->mlirRegionInsertOwnedBlockBefore(region, other, block);
    else
      api->mlirRegionInsertOwnedBlockAfter(region, other, block);
    handle->tree->scope->edited = true;
    result = ir_block_new(handle->tree, block);
  }
  arguments_free(&arguments);
  return result;
}

/// `*types, arg_locs=None`
static PyObject *block_make_from(PyObject *object, enum side side,
                                 PyObject *arguments, PyObject *keywords) {
  PyObject *locations = NULL;
  if (keywords) {
    locations = PyDict_GetItemString(keywords, "arg_locs");
    if (PyDict_Size(keywords) != (locations ? 1 : 0)) {
      PyErr_SetString(PyExc_TypeError, "the only keyword is arg_locs");
      return NULL;
    }
  }
  return block_make(object, side, arguments, locations);
}

PyObject *ir_blocks_append(PyObject *region, PyObject *arguments,
                           PyObject *keywords) {
  return block_make_from(region, END, arguments, keywords);
}

static PyObject *create_before(PyObject *self, PyObject *arguments,
                               PyObject *keywords) {
  return block_make_from(self, BEFORE, arguments, keywords);
}

static PyObject *create_after(PyObject *self, PyObject *arguments,
                              PyObject *keywords) {
  return block_make_from(self, AFTER, arguments, keywords);
}

static PyObject *create_at_start(PyObject *class, PyObject *arguments,
                                 PyObject *keywords) {
  (void)class;
  static char *names[] = {"parent", "arg_types", "arg_locs", NULL};
  PyObject *region, *types = NULL, *locations = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|OO:create_at_start",
                                   names, &region, &types, &locations))
    return NULL;
  return block_make(region, START, types, locations);
}

//===----------------------------------------------------------------------===//
// Changing blocks
//===----------------------------------------------------------------------===//

static PyObject *add_argument(PyObject *self, PyObject *arguments,
                              PyObject *keywords) {
  static char *names[] = {"type", "loc", NULL};
  PyObject *type, *loc = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O:add_argument",
                                   names, &type, &loc))
    return NULL;
  BLOCK(self, ir_handle_check_inside);
  struct ir_context *context = handle->tree->context;
  MlirType of;
  struct ir_unique *location =
      ir_type_argument(type, context, &of) ? ir_location_default(loc) : NULL;
  if (!location)
    return NULL;
  if (location->context != context) {
    PyErr_SetString(PyExc_ValueError, "the location is of another context");
    return NULL;
  }
  return ir_value_new(
      handle->tree,
      api->mlirBlockAddArgument(block, of, (MlirLocation){location->pointer}));
}

static PyObject *erase_argument(PyObject *self, PyObject *number) {
  Py_ssize_t index = PyNumber_AsSsize_t(number, PyExc_IndexError);
  if (index == -1 && PyErr_Occurred())
    return NULL;
  BLOCK(self, ir_handle_check_inside);
  if (!IR_NEED(api, mlirBlockEraseArgument))
    return NULL;
  if (index < 0 || index >= api->mlirBlockGetNumArguments(block)) {
    PyErr_SetString(PyExc_IndexError, "the block has no such argument");
    return NULL;
  }
  MlirValue argument = api->mlirBlockGetArgument(block, index);
  if (!api->mlirOpOperandIsNull(api->mlirValueGetFirstUse(argument))) {
    PyErr_SetString(PyExc_RuntimeError,
                    "cannot erase an argument that is still used; replace its "
                    "uses first");
    return NULL;
  }
  handle->tree->scope->edited = true;
  ir_pointer_forget(handle->tree->scope, argument.ptr);
  api->mlirBlockEraseArgument(block, (unsigned)index);
  Py_RETURN_NONE;
}

static PyObject *block_append(PyObject *self, PyObject *object) {
  PyObject *operation = ir_operation_of(object);
  struct ir_handle *handle = operation ? ir_handle_check_inside(self) : NULL;
  PyObject *result = NULL;
  if (handle) {
    struct ir_place place = {
        .scope = handle->tree->scope,
        .tree = handle->tree,
        .block = {handle->pointer},
    };
    // Unlike InsertionPoint.insert it takes an operation from elsewhere, too.
    const struct ir_api *api = handle->tree->context->api;
    struct ir_handle *moved = ir_handle_check_inside(operation);
    bool attached =
        moved &&
        api->mlirOperationGetBlock((MlirOperation){moved->pointer}).ptr;
    PyObject *detached = attached ? ir_operation_detach(operation, NULL) : NULL;
    if (moved && (!attached || detached))
      result = ir_operation_put(operation, &place);
    Py_XDECREF(detached);
  }
  Py_XDECREF(operation);
  return result;
}

/// Whether branches tie `block` to others of its region.
static bool is_tied(const struct ir_api *api, MlirBlock block) {
  MlirRegion region = api->mlirBlockGetParentRegion(block);
  for (MlirBlock each = api->mlirRegionGetFirstBlock(region); each.ptr;
       each = api->mlirBlockGetNextInRegion(each))
    for (MlirOperation operation = api->mlirBlockGetFirstOperation(each);
         operation.ptr;
         operation = api->mlirOperationGetNextInBlock(operation)) {
      intptr_t count = api->mlirOperationGetNumSuccessors(operation);
      if (count && each.ptr == block.ptr)
        return true;
      for (intptr_t i = 0; i < count; ++i)
        if (api->mlirOperationGetSuccessor(operation, i).ptr == block.ptr)
          return true;
    }
  return false;
}

static PyObject *append_to(PyObject *self, PyObject *object) {
  BLOCK(self, ir_handle_check_inside);
  struct ir_handle *target =
      ir_handle_argument(object, handle->tree->context->types->region,
                         handle->tree->scope, "a Region");
  if (!target || !IR_NEED(api, mlirBlockDetach))
    return NULL;
  if (target->tree != handle->tree) {
    PyErr_SetString(PyExc_ValueError,
                    "the region belongs to an operation that is not inserted "
                    "where the block is; insert it first");
    return NULL;
  }
  if (ir_operation_is_in(api, target->owner,
                         api->mlirBlockGetParentOperation(block)) &&
      target->owner.ptr != api->mlirBlockGetParentOperation(block).ptr) {
    // Deeper in the same operation: in this very block, perhaps.
    for (MlirOperation each = target->owner; each.ptr;
         each = api->mlirOperationGetParentOperation(each))
      if (api->mlirOperationGetBlock(each).ptr == block.ptr) {
        PyErr_SetString(PyExc_ValueError, "cannot put a block into itself");
        return NULL;
      }
  }
  MlirRegion region = {target->pointer};
  if (api->mlirBlockGetParentRegion(block).ptr != region.ptr &&
      is_tied(api, block)) {
    PyErr_SetString(PyExc_ValueError,
                    "cannot move a block to another region while branches tie "
                    "it to this one");
    return NULL;
  }
  handle->tree->scope->tainted = handle->tree->scope->edited = true;
  api->mlirBlockDetach(block);
  api->mlirRegionAppendOwnedBlock(region, block);
  Py_RETURN_NONE;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

static PyObject *block_owner(PyObject *self, void *closure) {
  (void)closure;
  BLOCK(self, ir_handle_check);
  return ir_operation_new(handle->tree,
                          api->mlirBlockGetParentOperation(block));
}

static PyObject *block_region(PyObject *self, void *closure) {
  (void)closure;
  BLOCK(self, ir_handle_check);
  return ir_region_new(handle->tree, api->mlirBlockGetParentOperation(block),
                       api->mlirBlockGetParentRegion(block));
}

static PyObject *get_list(PyObject *self, void *closure) {
  return ir_handle_check(self)
             ? ir_list_new(self, *(const enum ir_list_kind *)closure)
             : NULL;
}

static PyObject *block_iterate(PyObject *self) {
  return ir_iterator_new(self, IR_LIST_OPERATIONS);
}

static PyObject *region_iterate(PyObject *self) {
  return ir_iterator_new(self, IR_LIST_BLOCKS);
}

static PyObject *block_string(PyObject *self) {
  BLOCK(self, ir_handle_check_inside);
  struct ir_text text = {0};
  int can_print = ir_operation_can_print(
      handle->tree, api->mlirBlockGetParentOperation(block));
  if (can_print < 0 || !IR_NEED(api, mlirBlockPrint))
    return NULL;
  if (!can_print)
    return ir_operation_generic(handle);
  struct ir_pause pause = ir_pause_begin(handle->tree->context, handle->tree);
  api->mlirBlockPrint(block, ir_text_append, &text);
  ir_pause_end(pause);
  return ir_text_take(&text);
}

static PyObject *region_owner(PyObject *self, void *closure) {
  (void)closure;
  struct ir_handle *handle = ir_handle_check(self);
  return handle ? ir_operation_new(handle->tree, handle->owner) : NULL;
}

static const enum ir_list_kind kinds[] = {IR_LIST_BLOCKS, IR_LIST_ARGUMENTS,
                                          IR_LIST_OPERATIONS,
                                          IR_LIST_BLOCK_SUCCESSORS};

static PyGetSetDef region_properties[] = {
    {"blocks", get_list, NULL, NULL, (void *)&kinds[0]},
    {"owner", region_owner, NULL, NULL, NULL},
    {"context", ir_handle_context, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyGetSetDef block_properties[] = {
    {"arguments", get_list, NULL, NULL, (void *)&kinds[1]},
    {"operations", get_list, NULL, NULL, (void *)&kinds[2]},
    {"successors", get_list, NULL, NULL, (void *)&kinds[3]},
    {"owner", block_owner, NULL, "The operation it is in.", NULL},
    {"region", block_region, NULL, NULL, NULL},
    {"context", ir_handle_context, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef block_methods[] = {
    {"add_argument", (PyCFunction)(void (*)(void))add_argument,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"erase_argument", erase_argument, METH_O, "It must be unused."},
    {"append", block_append, METH_O, "Puts an operation at its end."},
    {"append_to", append_to, METH_O, "Moves it to the end of a region."},
    {"create_before", (PyCFunction)(void (*)(void))create_before,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"create_after", (PyCFunction)(void (*)(void))create_after,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"create_at_start", (PyCFunction)(void (*)(void))create_at_start,
     METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     "Makes a block at the start of a region."},
    {NULL, NULL, 0, NULL},
};

#define COMMON                                                                 \
  {Py_tp_new, ir_handle_make}, {Py_tp_dealloc, ir_handle_dealloc},             \
      {Py_tp_hash, ir_handle_hash}, {                                          \
    Py_tp_richcompare, ir_handle_compare                                       \
  }

static const PyType_Slot region_slots[] = {
    COMMON,
    {Py_tp_doc, "A region of an operation: a list of blocks."},
    {Py_tp_iter, region_iterate},
    {Py_tp_getset, region_properties},
    {0, NULL},
};

static const PyType_Slot block_slots[] = {
    COMMON,
    {Py_tp_doc, "A block of a region: arguments, and a list of operations."},
    {Py_tp_iter, block_iterate},
    {Py_tp_str, block_string},
    {Py_tp_methods, block_methods},
    {Py_tp_getset, block_properties},
    {0, NULL},
};

int ir_register_region(PyObject *module, struct ir_types *types) {
  types->region = ir_class_make(module, "Region", sizeof(struct ir_handle),
                                NULL, region_slots);
  types->block = ir_class_make(module, "Block", sizeof(struct ir_handle), NULL,
                               block_slots);
  return types->region && types->block ? 0 : -1;
}
