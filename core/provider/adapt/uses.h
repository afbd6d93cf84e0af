// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that change the uses of values. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_USES_H
#define MLIRPLUG_PROVIDER_ADAPT_USES_H

#include "provider/adapt/own.h"

static MlirValue adapt_use_value(MlirOpOperand use) {
  return own.mlirOperationGetOperand(
      own.mlirOpOperandGetOwner(use),
      (intptr_t)own.mlirOpOperandGetOperandNumber(use));
}

static bool is_among(MlirOperation operation, const MlirOperation *operations,
                     intptr_t count) {
  for (intptr_t i = 0; i < count; ++i)
    if (operations[i].ptr == operation.ptr)
      return true;
  return false;
}

/// By the list of the uses.
static void adapt_replace_except(MlirValue of, MlirValue with, intptr_t count,
                                 MlirOperation *exceptions) {
  if (of.ptr == with.ptr)
    return;
  MlirOpOperand next;
  for (MlirOpOperand use = own.mlirValueGetFirstUse(of); use.ptr; use = next) {
    next = own.mlirOpOperandGetNextUse(use); // before it is a use of `with`
    MlirOperation owner = own.mlirOpOperandGetOwner(use);
    if (!is_among(owner, exceptions, count))
      own.mlirOperationSetOperand(
          owner, (intptr_t)own.mlirOpOperandGetOperandNumber(use), with);
  }
}

static void adapt_replace_all(MlirValue of, MlirValue with) {
  adapt_replace_except(of, with, 0, NULL);
}

static void adapt_replace_in(MlirOperation operation, MlirValue of,
                             MlirValue with) {
  intptr_t count = own.mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; ++i)
    if (own.mlirOperationGetOperand(operation, i).ptr == of.ptr)
      own.mlirOperationSetOperand(operation, i, with);
}

static void replace_in_block(MlirBlock block, MlirValue of, MlirValue with);

static void replace_in_region(MlirRegion region, MlirValue of, MlirValue with) {
  for (MlirBlock block = own.mlirRegionGetFirstBlock(region); block.ptr;
       block = own.mlirBlockGetNextInRegion(block))
    replace_in_block(block, of, with);
}

static void replace_in_block(MlirBlock block, MlirValue of, MlirValue with) {
  for (MlirOperation child = own.mlirBlockGetFirstOperation(block); child.ptr;
       child = own.mlirOperationGetNextInBlock(child)) {
    adapt_replace_in(child, of, with);
    intptr_t regions = own.mlirOperationGetNumRegions(child);
    for (intptr_t i = 0; i < regions; ++i)
      replace_in_region(own.mlirOperationGetRegion(child, i), of, with);
  }
}

/// Where there are no lists of uses: by looking at every operand in the region
/// that the value is from, which is where it can be used. Uses by operations
/// that stand in no block are not found.
static void adapt_replace_in_scope(MlirValue of, MlirValue with) {
  MlirBlock block =
      own.mlirValueIsABlockArgument(of)
          ? own.mlirBlockArgumentGetOwner(of)
          : own.mlirOperationGetBlock(own.mlirOpResultGetOwner(of));
  if (!block.ptr)
    return;
  MlirRegion region = own.mlirBlockGetParentRegion(block);
  if (region.ptr)
    replace_in_region(region, of, with);
  else
    replace_in_block(block, of, with);
}

#endif // MLIRPLUG_PROVIDER_ADAPT_USES_H
