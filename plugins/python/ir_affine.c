// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Affine expressions.

#include "ir_affine.h"

#define IS(name, function)                                                     \
  static bool is_##name(const struct ir_api *api, const void *pointer) {       \
    return api->function((MlirAffineExpr){pointer});                           \
  }

IS(dim, mlirAffineExprIsADim)
IS(symbol, mlirAffineExprIsASymbol)
IS(constant, mlirAffineExprIsAConstant)
IS(add, mlirAffineExprIsAAdd)
IS(mul, mlirAffineExprIsAMul)
IS(mod, mlirAffineExprIsAMod)
IS(floor_div, mlirAffineExprIsAFloorDiv)
IS(ceil_div, mlirAffineExprIsACeilDiv)
IS(binary, mlirAffineExprIsABinary)

/// At the end of the file, with what they have.
enum { KINDS = 10 };
static const struct ir_kind kinds[KINDS];

PyObject *ir_affine_expr_new(struct ir_context *context, MlirAffineExpr expr) {
  struct ir_types *types = context->types;
  PyTypeObject *class = types->affine_expr;
  if (expr.ptr)
    class = ir_kinds_find(kinds, types->affine_classes, context->api, NULL,
                          NULL, expr.ptr, class);
  return ir_unique_new(context, class, expr.ptr);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static PyObject *leaf_get(PyObject *arguments, PyObject *keywords, char kind) {
  static char *names[] = {"position", "context", NULL};
  static char *constant_names[] = {"value", "context", NULL};
  PyObject *object = NULL;
  long long number;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "L|O",
                                   kind == 'c' ? constant_names : names,
                                   &number, &object))
    return NULL;
  struct ir_context *context = ir_context_default(object);
  if (!context)
    return NULL;
  if (kind != 'c' && (number < 0 || number > INT32_MAX)) {
    PyErr_SetString(PyExc_ValueError, "a position is not negative");
    return NULL;
  }
  const struct ir_api *api = context->api;
  return ir_affine_expr_new(
      context, kind == 'd' ? api->mlirAffineDimExprGet(context->context, number)
               : kind == 's'
                   ? api->mlirAffineSymbolExprGet(context->context, number)
                   : api->mlirAffineConstantExprGet(context->context, number));
}

#define LEAF(name, kind)                                                       \
  static PyObject *name(PyObject *class, PyObject *arguments,                  \
                        PyObject *keywords) {                                  \
    (void)class;                                                               \
    return leaf_get(arguments, keywords, kind);                                \
  }
LEAF(get_dim, 'd')
LEAF(get_symbol, 's')
LEAF(get_constant, 'c')

/// Converts two operands, one of which may be a number.
static struct ir_context *operands_get(PyObject *left, PyObject *right,
                                       MlirAffineExpr operands[2]) {
  PyTypeObject *class = module_ir_types()->affine_expr;
  PyObject *objects[2] = {left, right};
  struct ir_context *context = NULL;
  for (size_t i = 0; i < 2; ++i)
    if (PyObject_TypeCheck(objects[i], class)) {
      struct ir_unique *expr =
          ir_unique_argument(objects[i], class, context, "an AffineExpr");
      if (!expr)
        return NULL;
      context = expr->context;
      operands[i] = (MlirAffineExpr){expr->pointer};
    }
  for (size_t i = 0; context && i < 2; ++i)
    if (!PyObject_TypeCheck(objects[i], class)) {
      PyObject *index = PyNumber_Index(objects[i]);
      long long number = index ? PyLong_AsLongLong(index) : -1;
      Py_XDECREF(index);
      if (PyErr_Occurred())
        return NULL;
      operands[i] =
          context->api->mlirAffineConstantExprGet(context->context, number);
    }
  if (!context)
    PyErr_SetString(PyExc_TypeError, "expected an AffineExpr");
  return context;
}

static PyObject *combine(PyObject *left, PyObject *right, char kind) {
  MlirAffineExpr operands[2];
  struct ir_context *context = operands_get(left, right, operands);
  if (!context)
    return NULL;
  const struct ir_api *api = context->api;
  MlirAffineExpr a = operands[0], b = operands[1];
  if (kind == '-') {
    kind = '+';
    b = api->mlirAffineMulExprGet(
        b, api->mlirAffineConstantExprGet(context->context, -1));
  }
  return ir_affine_expr_new(
      context, kind == '+'   ? api->mlirAffineAddExprGet(a, b)
               : kind == '*' ? api->mlirAffineMulExprGet(a, b)
               : kind == '%' ? api->mlirAffineModExprGet(a, b)
               : kind == '/' ? api->mlirAffineFloorDivExprGet(a, b)
                             : api->mlirAffineCeilDivExprGet(a, b));
}

#define OPERATOR(name, kind)                                                   \
  static PyObject *name##_operator(PyObject *left, PyObject *right) {          \
    PyTypeObject *class = module_ir_types()->affine_expr;                      \
    PyObject *other = PyObject_TypeCheck(left, class) ? right : left;          \
    if (!PyObject_TypeCheck(other, class) && !PyLong_Check(other))             \
      Py_RETURN_NOTIMPLEMENTED;                                                \
    return combine(left, right, kind);                                         \
  }                                                                            \
  static PyObject *get_##name(PyObject *class, PyObject *arguments) {          \
    (void)class;                                                               \
    PyObject *left, *right;                                                    \
    return PyArg_ParseTuple(arguments, "OO", &left, &right)                    \
               ? combine(left, right, kind)                                    \
               : NULL;                                                         \
  }
OPERATOR(add, '+')
OPERATOR(mul, '*')
OPERATOR(mod, '%')

static PyObject *sub_operator(PyObject *left, PyObject *right) {
  return combine(left, right, '-');
}

static PyObject *get_floor_div(PyObject *class, PyObject *arguments) {
  (void)class;
  PyObject *left, *right;
  return PyArg_ParseTuple(arguments, "OO", &left, &right)
             ? combine(left, right, '/')
             : NULL;
}

static PyObject *get_ceil_div(PyObject *class, PyObject *arguments) {
  (void)class;
  PyObject *left, *right;
  return PyArg_ParseTuple(arguments, "OO", &left, &right)
             ? combine(left, right, '^')
             : NULL;
}

//===----------------------------------------------------------------------===//
// Looking
//===----------------------------------------------------------------------===//

#define EXPR(self)                                                             \
  struct ir_unique *unique = ir_unique_check(self);                            \
  if (!unique)                                                                 \
    return NULL;                                                               \
  struct ir_context *context = unique->context;                                \
  const struct ir_api *api = context->api;                                     \
  MlirAffineExpr expr = {unique->pointer};                                     \
  (void)context
#define EXPR_GETTER(name, expression)                                          \
  static PyObject *name(PyObject *self, void *closure) {                       \
    (void)closure;                                                             \
    EXPR(self);                                                                \
    return expression;                                                         \
  }

EXPR_GETTER(dim_position,
            PyLong_FromSsize_t(api->mlirAffineDimExprGetPosition(expr)))
EXPR_GETTER(symbol_position,
            PyLong_FromSsize_t(api->mlirAffineSymbolExprGetPosition(expr)))
EXPR_GETTER(constant_value,
            PyLong_FromLongLong(api->mlirAffineConstantExprGetValue(expr)))
EXPR_GETTER(binary_lhs,
            ir_affine_expr_new(context,
                               api->mlirAffineBinaryOpExprGetLHS(expr)))
EXPR_GETTER(binary_rhs,
            ir_affine_expr_new(context,
                               api->mlirAffineBinaryOpExprGetRHS(expr)))

static PyObject *compose(PyObject *self, PyObject *object) {
  EXPR(self);
  struct ir_unique *map = ir_unique_argument(object, context->types->affine_map,
                                             context, "an AffineMap");
  if (!map || !IR_NEED(api, mlirAffineExprCompose))
    return NULL;
  MlirAffineMap other = {map->pointer};
  int64_t dims = 0, symbols = 0;
  ir_affine_bounds(api, expr, &dims, &symbols);
  if (dims > api->mlirAffineMapGetNumResults(other)) {
    PyErr_SetString(PyExc_ValueError,
                    "the map has fewer results than the expression dimensions");
    return NULL;
  }
  return ir_affine_expr_new(context, api->mlirAffineExprCompose(expr, other));
}

static PyObject *shift(PyObject *self, PyObject *arguments, bool dims) {
  long long count, by, offset = 0;
  if (!PyArg_ParseTuple(arguments, "LL|L", &count, &by, &offset))
    return NULL;
  EXPR(self);
  int64_t used = 0, symbols = 0;
  ir_affine_bounds(api, expr, dims ? &used : &symbols, dims ? &symbols : &used);
  if (count < used || count > 1 << 20 || by < 0 || by > 1 << 20 || offset < 0 ||
      offset > count) {
    PyErr_SetString(PyExc_ValueError, "the numbers do not fit the expression");
    return NULL;
  }
  if (dims ? !IR_NEED(api, mlirAffineExprShiftDims)
           : !IR_NEED(api, mlirAffineExprShiftSymbols))
    return NULL;
  return ir_affine_expr_new(
      context,
      dims ? api->mlirAffineExprShiftDims(expr, (uint32_t)count, (uint32_t)by,
                                          (uint32_t)offset)
           : api->mlirAffineExprShiftSymbols(expr, (uint32_t)count,
                                             (uint32_t)by, (uint32_t)offset));
}

static PyObject *shift_dims(PyObject *self, PyObject *arguments) {
  return shift(self, arguments, true);
}

static PyObject *shift_symbols(PyObject *self, PyObject *arguments) {
  return shift(self, arguments, false);
}

static PyObject *downcast(PyObject *self, PyObject *ignored) {
  (void)ignored;
  EXPR(self);
  (void)api;
  return ir_affine_expr_new(context, expr);
}

static PyObject *expr_string(PyObject *self) {
  EXPR(self);
  struct ir_text text = {0};
  api->mlirAffineExprPrint(expr, ir_text_append, &text);
  return ir_text_take(&text);
}

static PyObject *expr_repr(PyObject *self) {
  PyObject *text = expr_string(self);
  PyObject *string = text ? PyUnicode_FromFormat("AffineExpr(%U)", text) : NULL;
  Py_XDECREF(text);
  return string;
}

static PyObject *expr_make(PyTypeObject *class, PyObject *arguments,
                           PyObject *keywords) {
  struct ir_types *types = module_ir_types();
  return ir_kinds_cast(kinds, types->affine_classes, class, types->affine_expr,
                       "an affine expression", arguments, keywords);
}

static PyObject *is_instance(PyObject *class, PyObject *object) {
  struct ir_types *types = module_ir_types();
  return ir_kinds_is(kinds, types->affine_classes, class, types->affine_expr,
                     object);
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

#define VARARGS_STATIC METH_VARARGS | METH_STATIC

static PyMethodDef methods[] = {
    {"get_add", get_add, VARARGS_STATIC, NULL},
    {"get_mul", get_mul, VARARGS_STATIC, NULL},
    {"get_mod", get_mod, VARARGS_STATIC, NULL},
    {"get_floor_div", get_floor_div, VARARGS_STATIC, NULL},
    {"get_ceil_div", get_ceil_div, VARARGS_STATIC, NULL},
    {"get_dim", IR_FUNCTION(get_dim), IR_STATIC, NULL},
    {"get_symbol", IR_FUNCTION(get_symbol), IR_STATIC, NULL},
    {"get_constant", IR_FUNCTION(get_constant), IR_STATIC, NULL},
    {"compose", compose, METH_O, NULL},
    {"shift_dims", shift_dims, METH_VARARGS, NULL},
    {"shift_symbols", shift_symbols, METH_VARARGS, NULL},
    {"maybe_downcast", downcast, METH_NOARGS, NULL},
    {"isinstance", is_instance, METH_O | METH_CLASS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef properties[] = {
    {"context", ir_unique_context, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot slots[] = {
    {Py_tp_doc, "An affine expression of dimensions and symbols."},
    {Py_tp_new, expr_make},
    {Py_tp_dealloc, ir_unique_dealloc},
    {Py_tp_hash, ir_unique_hash},
    {Py_tp_richcompare, ir_unique_compare},
    {Py_tp_str, expr_string},
    {Py_tp_repr, expr_repr},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_nb_add, add_operator},
    {Py_nb_multiply, mul_operator},
    {Py_nb_remainder, mod_operator},
    {Py_nb_subtract, sub_operator},
    {0, NULL},
};

#define ONE_METHOD(table, function, flags)                                     \
  static PyMethodDef table[] = {                                               \
      {"get", (PyCFunction)(void (*)(void))(function), flags, NULL},           \
      {NULL, NULL, 0, NULL},                                                   \
  }

ONE_METHOD(dim_methods, get_dim, IR_STATIC);
ONE_METHOD(symbol_methods, get_symbol, IR_STATIC);
ONE_METHOD(constant_methods, get_constant, IR_STATIC);
ONE_METHOD(add_methods, get_add, VARARGS_STATIC);
ONE_METHOD(mul_methods, get_mul, VARARGS_STATIC);
ONE_METHOD(mod_methods, get_mod, VARARGS_STATIC);
ONE_METHOD(floor_methods, get_floor_div, VARARGS_STATIC);
ONE_METHOD(ceil_methods, get_ceil_div, VARARGS_STATIC);

static PyGetSetDef dim_properties[] = {
    {"position", dim_position, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyGetSetDef symbol_properties[] = {
    {"position", symbol_position, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyGetSetDef constant_properties[] = {
    {"value", constant_value, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
static PyGetSetDef binary_properties[] = {
    {"lhs", binary_lhs, NULL, NULL, NULL},
    {"rhs", binary_rhs, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static const PyType_Slot dim_slots[] = {
    {Py_tp_methods, dim_methods}, {Py_tp_getset, dim_properties}, {0, NULL}};
static const PyType_Slot symbol_slots[] = {{Py_tp_methods, symbol_methods},
                                           {Py_tp_getset, symbol_properties},
                                           {0, NULL}};
static const PyType_Slot constant_slots[] = {
    {Py_tp_methods, constant_methods},
    {Py_tp_getset, constant_properties},
    {0, NULL}};
static const PyType_Slot add_slots[] = {{Py_tp_methods, add_methods},
                                        {0, NULL}};
static const PyType_Slot mul_slots[] = {{Py_tp_methods, mul_methods},
                                        {0, NULL}};
static const PyType_Slot mod_slots[] = {{Py_tp_methods, mod_methods},
                                        {0, NULL}};
static const PyType_Slot floor_slots[] = {{Py_tp_methods, floor_methods},
                                          {0, NULL}};
static const PyType_Slot ceil_slots[] = {{Py_tp_methods, ceil_methods},
                                         {0, NULL}};
static const PyType_Slot binary_slots[] = {{Py_tp_getset, binary_properties},
                                           {0, NULL}};

#define BINARY "AffineBinaryExpr"

static const struct ir_kind kinds[KINDS] = {
    {"AffineDimExpr", is_dim, dim_slots, NULL, NULL},
    {"AffineSymbolExpr", is_symbol, symbol_slots, NULL, NULL},
    {"AffineConstantExpr", is_constant, constant_slots, NULL, NULL},
    {"AffineAddExpr", is_add, add_slots, BINARY, NULL},
    {"AffineMulExpr", is_mul, mul_slots, BINARY, NULL},
    {"AffineModExpr", is_mod, mod_slots, BINARY, NULL},
    {"AffineFloorDivExpr", is_floor_div, floor_slots, BINARY, NULL},
    {"AffineCeilDivExpr", is_ceil_div, ceil_slots, BINARY, NULL},
    {"AffineBinaryExpr", is_binary, binary_slots, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
_Static_assert(sizeof kinds / sizeof *kinds <= IR_AFFINE_KINDS, "too many");

int ir_register_affine(PyObject *module, struct ir_types *types) {
  types->affine_expr = ir_class_make(module, "AffineExpr",
                                     sizeof(struct ir_unique), NULL, slots);
  if (!types->affine_expr ||
      ir_kinds_register(module, kinds, types->affine_expr,
                        types->affine_classes) < 0)
    return -1;
  return ir_affine_map_register(module, types);
}
