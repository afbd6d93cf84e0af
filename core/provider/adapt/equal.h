// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters of equality. MLIR has one object for each of these things, and its
// own functions compare where they are too. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_EQUAL_H
#define MLIRPLUG_PROVIDER_ADAPT_EQUAL_H

#include "provider/adapt/own.h"

#define ADAPT_EQUAL(X)                                                         \
  X(mlirAffineExprEqual, MlirAffineExpr)                                       \
  X(mlirAffineMapEqual, MlirAffineMap)                                         \
  X(mlirAttributeEqual, MlirAttribute)                                         \
  X(mlirBlockEqual, MlirBlock)                                                 \
  X(mlirContextEqual, MlirContext)                                             \
  X(mlirDialectEqual, MlirDialect)                                             \
  X(mlirIdentifierEqual, MlirIdentifier)                                       \
  X(mlirIntegerSetEqual, MlirIntegerSet)                                       \
  X(mlirLocationEqual, MlirLocation)                                           \
  X(mlirModuleEqual, MlirModule)                                               \
  X(mlirOperationEqual, MlirOperation)                                         \
  X(mlirRegionEqual, MlirRegion)                                               \
  X(mlirTypeEqual, MlirType)                                                   \
  X(mlirTypeIDEqual, MlirTypeID)                                               \
  X(mlirValueEqual, MlirValue)

#define EQUAL(name, handle)                                                    \
  static bool adapt_##name(handle one, handle other) {                         \
    return one.ptr == other.ptr;                                               \
  }
ADAPT_EQUAL(EQUAL)
#undef EQUAL

static bool adapt_string_equal(MlirStringRef one, MlirStringRef other) {
  return one.length == other.length &&
         (one.length == 0 || memcmp(one.data, other.data, one.length) == 0);
}

#endif // MLIRPLUG_PROVIDER_ADAPT_EQUAL_H
