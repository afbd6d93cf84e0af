// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that look into affine expressions and maps. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_AFFINE_H
#define MLIRPLUG_PROVIDER_ADAPT_AFFINE_H

#include "provider/adapt/own.h"

static bool adapt_is_function_of_dim(MlirAffineExpr expression,
                                     intptr_t position) {
  if (own.mlirAffineExprIsADim(expression))
    return own.mlirAffineDimExprGetPosition(expression) == position;
  return own.mlirAffineExprIsABinary(expression) &&
         (adapt_is_function_of_dim(own.mlirAffineBinaryOpExprGetLHS(expression),
                                   position) ||
          adapt_is_function_of_dim(own.mlirAffineBinaryOpExprGetRHS(expression),
                                   position));
}

/// Whether the results are the dimensions from `first` on, in order.
static bool results_are_dims(MlirAffineMap map, intptr_t first) {
  intptr_t count = own.mlirAffineMapGetNumResults(map);
  for (intptr_t i = 0; i < count; ++i) {
    MlirAffineExpr result = own.mlirAffineMapGetResult(map, i);
    if (!own.mlirAffineExprIsADim(result) ||
        own.mlirAffineDimExprGetPosition(result) != first + i)
      return false;
  }
  return true;
}

static bool adapt_is_identity(MlirAffineMap map) {
  return own.mlirAffineMapGetNumDims(map) ==
             own.mlirAffineMapGetNumResults(map) &&
         results_are_dims(map, 0);
}

static bool adapt_is_minor_identity(MlirAffineMap map) {
  intptr_t first =
      own.mlirAffineMapGetNumDims(map) - own.mlirAffineMapGetNumResults(map);
  return first >= 0 && own.mlirAffineMapGetNumSymbols(map) == 0 &&
         results_are_dims(map, first);
}

static bool adapt_is_empty(MlirAffineMap map) {
  return own.mlirAffineMapGetNumDims(map) == 0 &&
         own.mlirAffineMapGetNumSymbols(map) == 0 &&
         own.mlirAffineMapGetNumResults(map) == 0;
}

static bool adapt_is_single_constant(MlirAffineMap map) {
  return own.mlirAffineMapGetNumResults(map) == 1 &&
         own.mlirAffineExprIsAConstant(own.mlirAffineMapGetResult(map, 0));
}

static int64_t adapt_single_constant(MlirAffineMap map) {
  return own.mlirAffineConstantExprGetValue(own.mlirAffineMapGetResult(map, 0));
}

#endif // MLIRPLUG_PROVIDER_ADAPT_AFFINE_H
