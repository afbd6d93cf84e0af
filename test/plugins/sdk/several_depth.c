// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "several.h"

int several_depth(MlirOperation op) {
  int deepest = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    for (MlirBlock block =
             mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block);
           !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner)) {
        int depth = several_depth(inner);
        if (deepest < depth)
          deepest = depth;
      }
  return deepest + 1;
}
