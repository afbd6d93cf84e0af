// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that walk operations. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_WALK_H
#define MLIRPLUG_PROVIDER_ADAPT_WALK_H

#include "provider/adapt/own.h"

/// Like MLIR's: the next operation is known before one is visited, so that the
/// callback can erase that; a skip in post-order means nothing.
static MlirWalkResult operation_walk(MlirOperation operation,
                                     MlirOperationWalkCallback callback,
                                     void *user_data, MlirWalkOrder order) {
  if (order == MlirWalkPreOrder) {
    MlirWalkResult result = callback(operation, user_data);
    if (result == MlirWalkResultSkip)
      return MlirWalkResultAdvance;
    if (result == MlirWalkResultInterrupt)
      return result;
  }
  intptr_t regions = own.mlirOperationGetNumRegions(operation);
  for (intptr_t i = 0; i < regions; ++i) {
    MlirRegion region = own.mlirOperationGetRegion(operation, i);
    for (MlirBlock block = own.mlirRegionGetFirstBlock(region); block.ptr;
         block = own.mlirBlockGetNextInRegion(block)) {
      MlirOperation next;
      for (MlirOperation child = own.mlirBlockGetFirstOperation(block);
           child.ptr; child = next) {
        next = own.mlirOperationGetNextInBlock(child);
        if (operation_walk(child, callback, user_data, order) ==
            MlirWalkResultInterrupt)
          return MlirWalkResultInterrupt;
      }
    }
  }
  return order == MlirWalkPostOrder ? callback(operation, user_data)
                                    : MlirWalkResultAdvance;
}

static void adapt_walk(MlirOperation operation,
                       MlirOperationWalkCallback callback, void *user_data,
                       MlirWalkOrder order) {
  (void)operation_walk(operation, callback, user_data, order);
}

static MlirRegion adapt_first_region(MlirOperation operation) {
  if (own.mlirOperationGetNumRegions(operation) == 0)
    return (MlirRegion){NULL};
  return own.mlirOperationGetRegion(operation, 0);
}

/// A region without blocks does not tell whose it is, so it gets one for a
/// moment.
static MlirOperation region_parent(MlirRegion region) {
  MlirBlock block = own.mlirRegionGetFirstBlock(region);
  if (block.ptr)
    return own.mlirBlockGetParentOperation(block);
  block = own.mlirBlockCreate(0, NULL, NULL);
  own.mlirRegionAppendOwnedBlock(region, block);
  MlirOperation parent = own.mlirBlockGetParentOperation(block);
  own.mlirBlockDetach(block);
  // The block goes with a module: not every provider destroys blocks alone.
  MlirOperation grave = own.mlirModuleGetOperation(own.mlirModuleCreateEmpty(
      own.mlirLocationUnknownGet(own.mlirOperationGetContext(parent))));
  own.mlirRegionAppendOwnedBlock(own.mlirOperationGetRegion(grave, 0), block);
  own.mlirOperationDestroy(grave);
  return parent;
}

static MlirRegion adapt_next_region(MlirRegion region) {
  MlirOperation parent = region_parent(region);
  intptr_t count = parent.ptr ? own.mlirOperationGetNumRegions(parent) : 0;
  for (intptr_t i = 0; i + 1 < count; ++i)
    if (own.mlirOperationGetRegion(parent, i).ptr == region.ptr)
      return own.mlirOperationGetRegion(parent, i + 1);
  return (MlirRegion){NULL};
}

static bool adapt_is_before(MlirOperation operation, MlirOperation other) {
  MlirOperation next = operation;
  do
    next = own.mlirOperationGetNextInBlock(next);
  while (next.ptr && next.ptr != other.ptr);
  return next.ptr;
}

static MlirOperation last_operation(MlirBlock block) {
  MlirOperation last = {NULL};
  for (MlirOperation next = own.mlirBlockGetFirstOperation(block); next.ptr;
       next = own.mlirOperationGetNextInBlock(next))
    last = next;
  return last;
}

static intptr_t adapt_successor_count(MlirBlock block) {
  MlirOperation last = last_operation(block);
  return last.ptr ? own.mlirOperationGetNumSuccessors(last) : 0;
}

static MlirBlock adapt_successor(MlirBlock block, intptr_t position) {
  return own.mlirOperationGetSuccessor(last_operation(block), position);
}

#endif // MLIRPLUG_PROVIDER_ADAPT_WALK_H
