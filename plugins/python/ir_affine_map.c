// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine maps. MLIR checks none of the numbers that one is made of.

#include "ir_affine.h"

enum { MOST = 1 << 16 }; // Of dimensions, symbols and results.

void ir_affine_bounds(const struct ir_api *api, MlirAffineExpr expr,
                      int64_t *dims, int64_t *symbols) {
  while (api->mlirAffineExprIsABinary(expr)) {
    ir_affine_bounds(api, api->mlirAffineBinaryOpExprGetRHS(expr), dims,
                     symbols);
    expr = api->mlirAffineBinaryOpExprGetLHS(expr);
  }
  if (api->mlirAffineExprIsADim(expr)) {
    int64_t position = api->mlirAffineDimExprGetPosition(expr);
    *dims = position >= *dims ? position + 1 : *dims;
  } else if (api->mlirAffineExprIsASymbol(expr)) {
    int64_t position = api->mlirAffineSymbolExprGetPosition(expr);
    *symbols = position >= *symbols ? position + 1 : *symbols;
  }
}

static bool in_range(Py_ssize_t value, const char *what) {
  if (value >= 0 && value <= MOST)
    return true;
  PyErr_Format(PyExc_ValueError, "%s is a number from 0 to %d", what, MOST);
  return false;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// The expressions of a sequence, which need no more than those dimensions and
/// symbols. By PyMem_Malloc.
static MlirAffineExpr *exprs_get(PyObject *object,
                                 const struct ir_context *context,
                                 Py_ssize_t dims, Py_ssize_t symbols,
                                 Py_ssize_t *count) {
  PyObject *items = ir_sequence(object, "a sequence of AffineExprs");
  if (!items)
    return NULL;
  *count = PyTuple_Size(items);
  MlirAffineExpr *exprs = ir_array_new(*count, sizeof(*exprs));
  for (Py_ssize_t i = 0; exprs && i < *count; ++i) {
    struct ir_unique *expr = ir_unique_argument(PyTuple_GetItem(items, i),
                                                context->types->affine_expr,
                                                context, "an AffineExpr");
    int64_t used_dims = 0, used_symbols = 0;
    if (expr) {
      exprs[i] = (MlirAffineExpr){expr->pointer};
      ir_affine_bounds(context->api, exprs[i], &used_dims, &used_symbols);
      if (used_dims <= dims && used_symbols <= symbols)
        continue;
      PyErr_SetString(PyExc_ValueError,
                      "an expression has a dimension or symbol that the map "
                      "does not have");
    }
    PyMem_Free(exprs);
    exprs = NULL;
  }
  Py_DECREF(items);
  return exprs;
}

static PyObject *get(PyObject *class, PyObject *arguments, PyObject *keywords) {
  (void)class;
  static char *names[] = {"dim_count", "symbol_count", "exprs", "context",
                          NULL};
  Py_ssize_t dims, symbols, count;
  PyObject *exprs, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "nnO|O:get", names,
                                   &dims, &symbols, &exprs, &object) ||
      !in_range(dims, "dim_count") || !in_range(symbols, "symbol_count"))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  MlirAffineExpr *results =
      context ? exprs_get(exprs, context, dims, symbols, &count) : NULL;
  PyObject *map = NULL;
  if (results)
    map = ir_affine_map_new(
        context, context->api->mlirAffineMapGet(context->context, dims, symbols,
                                                count, results));
  PyMem_Free(results);
  return map;
}

static PyObject *get_constant(PyObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)class;
  static char *names[] = {"value", "context", NULL};
  PyObject *object = NULL;
  long long value;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "L|O", names, &value,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context ? ir_affine_map_new(context,
                                     context->api->mlirAffineMapConstantGet(
                                         context->context, value))
                 : NULL;
}

static PyObject *get_empty(PyObject *class, PyObject *arguments,
                           PyObject *keywords) {
  (void)class;
  static char *names[] = {"context", NULL};
  PyObject *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|O", names, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context
             ? ir_affine_map_new(context, context->api->mlirAffineMapEmptyGet(
                                              context->context))
             : NULL;
}

static PyObject *get_identity(PyObject *class, PyObject *arguments,
                              PyObject *keywords) {
  (void)class;
  static char *names[] = {"n_dims", "context", NULL};
  PyObject *object = NULL;
  Py_ssize_t dims;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "n|O", names, &dims,
                                   &object) ||
      !in_range(dims, "n_dims"))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  return context ? ir_affine_map_new(
                       context, context->api->mlirAffineMapMultiDimIdentityGet(
                                    context->context, dims))
                 : NULL;
}

static PyObject *get_minor_identity(PyObject *class, PyObject *arguments,
                                    PyObject *keywords) {
  (void)class;
  static char *names[] = {"n_dims", "n_results", "context", NULL};
  PyObject *object = NULL;
  Py_ssize_t dims, results;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "nn|O", names, &dims,
                                   &results, &object) ||
      !in_range(dims, "n_dims") || !in_range(results, "n_results"))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (context && results > dims) {
    PyErr_SetString(PyExc_ValueError, "n_results is at most n_dims");
    return NULL;
  }
  return context ? ir_affine_map_new(
                       context, context->api->mlirAffineMapMinorIdentityGet(
                                    context->context, dims, results))
                 : NULL;
}

static PyObject *get_permutation(PyObject *class, PyObject *arguments,
                                 PyObject *keywords) {
  (void)class;
  static char *names[] = {"permutation", "context", NULL};
  PyObject *sequence, *object = NULL;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|O", names, &sequence,
                                   &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  int64_t *numbers;
  Py_ssize_t count;
  if (!context ||
      !ir_integers(sequence, "a sequence of positions", &numbers, &count))
    return NULL;
  unsigned *positions = ir_array_new(count, sizeof(*positions));
  bool good = positions && in_range(count, "the number of positions");
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    good = numbers[i] >= 0 && numbers[i] < count;
    for (Py_ssize_t j = 0; good && j < i; ++j)
      good = numbers[i] != numbers[j];
    if (good)
      positions[i] = (unsigned)numbers[i];
    else
      PyErr_SetString(PyExc_RuntimeError,
                      "Invalid permutation when attempting to create an "
                      "AffineMap");
  }
  PyObject *map = NULL;
  if (good && count == 0)
    map = ir_affine_map_new(
        context, context->api->mlirAffineMapEmptyGet(context->context));
  else if (good)
    map = ir_affine_map_new(context, context->api->mlirAffineMapPermutationGet(
                                         context->context, count, positions));
  PyMem_Free(positions);
  PyMem_Free(numbers);
  return map;
}

//===----------------------------------------------------------------------===//
// Others from one
//===----------------------------------------------------------------------===//

#define MAP(self)                                                              \
  struct ir_unique *unique = ir_unique_check(self);                            \
  if (!unique)                                                                 \
    return NULL;                                                               \
  struct ir_context *context = unique->context;                                \
  const struct ir_api *api = context->api;                                     \
  MlirAffineMap map = {unique->pointer};                                       \
  (void)context, (void)api

static PyObject *get_submap(PyObject *self, PyObject *sequence) {
  int64_t *numbers;
  Py_ssize_t count;
  if (!ir_integers(sequence, "a sequence of positions", &numbers, &count))
    return NULL;
  struct ir_unique *unique = ir_unique_check(self);
  intptr_t *positions = ir_array_new(count, sizeof(*positions));
  PyObject *result = NULL;
  bool good = unique && positions;
  MlirAffineMap map = {unique ? unique->pointer : NULL};
  for (Py_ssize_t i = 0; good && i < count; ++i) {
    positions[i] = numbers[i];
    if (numbers[i] < 0 ||
        numbers[i] >= unique->context->api->mlirAffineMapGetNumResults(map)) {
      PyErr_SetString(PyExc_ValueError, "result position out of bounds");
      good = false;
    }
  }
  if (good)
    result = ir_affine_map_new(
        unique->context,
        unique->context->api->mlirAffineMapGetSubMap(map, count, positions));
  PyMem_Free(positions);
  PyMem_Free(numbers);
  return result;
}

static PyObject *part(PyObject *self, PyObject *number, bool major) {
  Py_ssize_t count = PyNumber_AsSsize_t(number, PyExc_ValueError);
  if (count == -1 && PyErr_Occurred())
    return NULL;
  MAP(self);
  if (count < 0 || count > api->mlirAffineMapGetNumResults(map)) {
    PyErr_SetString(PyExc_ValueError, "number of results out of bounds");
    return NULL;
  }
  return ir_affine_map_new(
      context, major ? api->mlirAffineMapGetMajorSubMap(map, count)
                     : api->mlirAffineMapGetMinorSubMap(map, count));
}

static PyObject *get_major_submap(PyObject *self, PyObject *number) {
  return part(self, number, true);
}

static PyObject *get_minor_submap(PyObject *self, PyObject *number) {
  return part(self, number, false);
}

static PyObject *replace(PyObject *self, PyObject *arguments) {
  PyObject *old, *new;
  Py_ssize_t dims, symbols;
  if (!PyArg_ParseTuple(arguments, "OOnn:replace", &old, &new, &dims,
                        &symbols) ||
      !in_range(dims, "n_result_dims") || !in_range(symbols, "n_result_syms"))
    return NULL;
  MAP(self);
  PyTypeObject *class = context->types->affine_expr;
  struct ir_unique *from =
      ir_unique_argument(old, class, context, "an AffineExpr");
  struct ir_unique *to =
      from ? ir_unique_argument(new, class, context, "an AffineExpr") : NULL;
  if (!to || !IR_NEED(api, mlirAffineMapReplace))
    return NULL;
  MlirAffineExpr replacement = {to->pointer};
  int64_t most_dims = 0, most_symbols = 0;
  for (intptr_t i = 0; i < api->mlirAffineMapGetNumResults(map); ++i)
    ir_affine_bounds(api, api->mlirAffineMapGetResult(map, i), &most_dims,
                     &most_symbols);
  ir_affine_bounds(api, replacement, &most_dims, &most_symbols);
  if (most_dims > dims || most_symbols > symbols) {
    PyErr_SetString(PyExc_ValueError,
                    "the result would have dimensions or symbols that it "
                    "does not count");
    return NULL;
  }
  return ir_affine_map_new(
      context, api->mlirAffineMapReplace(map, (MlirAffineExpr){from->pointer},
                                         replacement, dims, symbols));
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

#define MAP_GETTER(name, expression)                                           \
  static PyObject *name(PyObject *self, void *closure) {                       \
    (void)closure;                                                             \
    MAP(self);                                                                 \
    return expression;                                                         \
  }

static PyObject *results_list(struct ir_context *context, MlirAffineMap map) {
  PyObject *list = PyList_New(0);
  intptr_t count = context->api->mlirAffineMapGetNumResults(map);
  for (intptr_t i = 0; list && i < count; ++i) {
    PyObject *item = ir_affine_expr_new(
        context, context->api->mlirAffineMapGetResult(map, i));
    if (!item || PyList_Append(list, item) < 0)
      Py_CLEAR(list);
    Py_XDECREF(item);
  }
  return list;
}

MAP_GETTER(n_dims, PyLong_FromSsize_t(api->mlirAffineMapGetNumDims(map)))
MAP_GETTER(n_inputs, PyLong_FromSsize_t(api->mlirAffineMapGetNumInputs(map)))
MAP_GETTER(n_symbols, PyLong_FromSsize_t(api->mlirAffineMapGetNumSymbols(map)))
MAP_GETTER(results, results_list(context, map))
MAP_GETTER(is_permutation,
           PyBool_FromLong(api->mlirAffineMapIsPermutation(map)))
MAP_GETTER(is_projected,
           PyBool_FromLong(api->mlirAffineMapIsProjectedPermutation(map)))

static PyObject *map_string(PyObject *self) {
  MAP(self);
  struct ir_text text = {0};
  api->mlirAffineMapPrint(map, ir_text_append, &text);
  return ir_text_take(&text);
}

static PyObject *map_repr(PyObject *self) {
  MAP(self);
  struct ir_text text = {0};
  api->mlirAffineMapPrint(map, ir_text_append, &text);
  return ir_text_take_as(&text, self);
}

static PyMethodDef methods[] = {
    {"get", IR_FUNCTION(get), IR_STATIC, NULL},
    {"get_constant", IR_FUNCTION(get_constant), IR_STATIC, NULL},
    {"get_empty", IR_FUNCTION(get_empty), IR_STATIC, NULL},
    {"get_identity", IR_FUNCTION(get_identity), IR_STATIC, NULL},
    {"get_minor_identity", IR_FUNCTION(get_minor_identity), IR_STATIC, NULL},
    {"get_permutation", IR_FUNCTION(get_permutation), IR_STATIC, NULL},
    {"get_submap", get_submap, METH_O, NULL},
    {"get_major_submap", get_major_submap, METH_O, NULL},
    {"get_minor_submap", get_minor_submap, METH_O, NULL},
    {"replace", replace, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"context", ir_unique_context, NULL, NULL, NULL},
    {"n_dims", n_dims, NULL, NULL, NULL},
    {"n_inputs", n_inputs, NULL, NULL, NULL},
    {"n_symbols", n_symbols, NULL, NULL, NULL},
    {"results", results, NULL, NULL, NULL},
    {"is_permutation", is_permutation, NULL, NULL, NULL},
    {"is_projected_permutation", is_projected, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "A map from dimensions and symbols to expressions of them."},
    {Py_tp_new, ir_handle_make},
    {Py_tp_dealloc, ir_unique_dealloc},
    {Py_tp_hash, ir_unique_hash},
    {Py_tp_richcompare, ir_unique_compare},
    {Py_tp_str, map_string},
    {Py_tp_repr, map_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

int ir_affine_map_register(PyObject *module, struct ir_types *types) {
  types->affine_map =
      ir_class_make(module, "AffineMap", sizeof(struct ir_unique), NULL, slots);
  return types->affine_map ? 0 : -1;
}
