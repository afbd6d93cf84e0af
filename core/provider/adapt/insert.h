// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters that put operations into blocks. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_INSERT_H
#define MLIRPLUG_PROVIDER_ADAPT_INSERT_H

#include "provider/adapt/own.h"

/// Before nothing means at the end, after nothing means at the beginning.
static void adapt_insert_after(MlirBlock block, MlirOperation reference,
                               MlirOperation operation) {
  MlirOperation next = reference.ptr
                           ? own.mlirOperationGetNextInBlock(reference)
                           : own.mlirBlockGetFirstOperation(block);
  own.mlirBlockInsertOwnedOperationBefore(block, next, operation);
}

static void adapt_insert_at(MlirBlock block, intptr_t position,
                            MlirOperation operation) {
  MlirOperation next = own.mlirBlockGetFirstOperation(block);
  for (; next.ptr && position > 0; --position)
    next = own.mlirOperationGetNextInBlock(next);
  own.mlirBlockInsertOwnedOperationBefore(block, next, operation);
}

static void adapt_append(MlirBlock block, MlirOperation operation) {
  own.mlirBlockInsertOwnedOperationBefore(block, (MlirOperation){NULL},
                                          operation);
}

static void adapt_insert_before(MlirBlock block, MlirOperation reference,
                                MlirOperation operation) {
  MlirOperation before = {NULL};
  for (MlirOperation next = own.mlirBlockGetFirstOperation(block);
       next.ptr && next.ptr != reference.ptr;
       next = own.mlirOperationGetNextInBlock(next))
    before = next;
  own.mlirBlockInsertOwnedOperationAfter(block, before, operation);
}

#endif // MLIRPLUG_PROVIDER_ADAPT_INSERT_H
