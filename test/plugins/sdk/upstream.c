// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "upstream.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/Support.h"

static bool is_unused(MlirOperation op) {
  intptr_t count = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < count; ++i)
    if (!mlirOpOperandIsNull(
            mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return false;
  return count > 0 && mlirOperationGetNumRegions(op) == 0;
}

static MlirWalkResult visit(MlirOperation op, void *user_data) {
  if (is_unused(op)) {
    mlirOperationDestroy(op);
    ++*(int *)user_data;
  }
  return MlirWalkResultAdvance;
}

int erase_unused(MlirOperation op) {
  int count = 0;
  mlirOperationWalk(op, visit, &count, MlirWalkPostOrder);
  return count;
}

void set_number(MlirOperation op, const char *name, int64_t number) {
  MlirType type = mlirIntegerTypeGet(mlirOperationGetContext(op), 64);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name),
                                  mlirIntegerAttrGet(type, number));
}
