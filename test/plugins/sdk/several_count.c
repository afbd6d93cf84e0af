// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "several.h"

int several_count(MlirOperation op) {
  int count = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner))
        count += several_count(inner);
  return count;
}
