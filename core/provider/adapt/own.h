// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the slot's provider that adapters call. Part of slot.h.

#ifndef MLIRPLUG_PROVIDER_ADAPT_OWN_H
#define MLIRPLUG_PROVIDER_ADAPT_OWN_H

#include "provider/adapt/slots.h"
#include "provider/api.h"

#include <mlirplug/ir.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define ADAPT_OWN(X)                                                           \
  X(mlirAffineBinaryOpExprGetLHS) X(mlirAffineBinaryOpExprGetRHS)              \
  X(mlirAffineConstantExprGetValue) X(mlirAffineDimExprGetPosition)            \
  X(mlirAffineExprIsABinary) X(mlirAffineExprIsAConstant)                      \
  X(mlirAffineExprIsADim) X(mlirAffineMapGetNumDims)                           \
  X(mlirAffineMapGetNumResults) X(mlirAffineMapGetNumSymbols)                  \
  X(mlirAffineMapGetResult)                                                    \
  X(mlirAttributeGetContext)                                                   \
  X(mlirBlockAppendOwnedOperation) X(mlirBlockArgumentGetOwner)                \
  X(mlirBlockCreate) X(mlirBlockDetach) X(mlirBlockGetFirstOperation)          \
  X(mlirBlockGetNextInRegion) X(mlirBlockGetParentOperation)                   \
  X(mlirBlockGetParentRegion) X(mlirBlockInsertOwnedOperation)                 \
  X(mlirBlockInsertOwnedOperationAfter)                                        \
  X(mlirBlockInsertOwnedOperationBefore)                                       \
  X(mlirContextAppendDialectRegistry) X(mlirContextCreate)                     \
  X(mlirContextCreateWithThreading) X(mlirContextEnableMultithreading)         \
  X(mlirEmitError) X(mlirFlatSymbolRefAttrGetValue)                            \
  X(mlirIdentifierStr) X(mlirLocationPrint) X(mlirLocationUnknownGet)          \
  X(mlirMemRefTypeGet) X(mlirMemRefTypeGetChecked)                             \
  X(mlirModuleCreateEmpty) X(mlirModuleCreateParse) X(mlirModuleDestroy)       \
  X(mlirModuleGetBody) X(mlirModuleGetOperation)                               \
  X(mlirOpOperandGetNextUse) X(mlirOpOperandGetOperandNumber)                  \
  X(mlirOpOperandGetOwner) X(mlirOpPassManagerGetNestedUnder)                  \
  X(mlirOpPrintingFlagsCreate) X(mlirOpPrintingFlagsDestroy)                   \
  X(mlirOpResultGetOwner) X(mlirOperationDestroy)                              \
  X(mlirOperationGetAttributeByName) X(mlirOperationGetBlock)                  \
  X(mlirOperationGetContext) X(mlirOperationGetLocation)                       \
  X(mlirOperationGetName) X(mlirOperationGetNextInBlock)                       \
  X(mlirOperationGetNumOperands) X(mlirOperationGetNumRegions)                 \
  X(mlirOperationGetNumSuccessors) X(mlirOperationGetOperand)                  \
  X(mlirOperationGetRegion) X(mlirOperationGetSuccessor)                       \
  X(mlirOperationPrintWithFlags) X(mlirOperationRemoveAttributeByName)         \
  X(mlirOperationRemoveFromParent) X(mlirOperationSetAttributeByName)          \
  X(mlirOperationSetOperand) X(mlirPassManagerAddOwnedPass)                    \
  X(mlirPassManagerCreate) X(mlirPassManagerGetAsOpPassManager)                \
  X(mlirPrintPassPipeline) X(mlirRegionAppendOwnedBlock)                       \
  X(mlirRegionGetFirstBlock) X(mlirShapedTypeIsDynamicDim)                     \
  X(mlirShapedTypeIsDynamicSize) X(mlirShapedTypeIsDynamicStrideOrOffset)      \
  X(mlirSymbolRefAttrGetNestedReference)                                       \
  X(mlirSymbolRefAttrGetNumNestedReferences)                                   \
  X(mlirSymbolRefAttrGetRootReference) X(mlirTypeGetContext)                   \
  X(mlirTypeIsARankedTensor) X(mlirTypeIsAUnrankedTensor)                      \
  X(mlirValueGetFirstUse) X(mlirValueGetType) X(mlirValueIsABlockArgument)

/// Functions that ir.h does not have, or has with another signature:
/// X(name, member, result, (parameters))
#define ADAPT_OWN_OTHERS(X)                                                    \
  X("mlirDistinctAttrCreate", create_distinct, MlirAttribute, (MlirAttribute)) \
  X("mlirInferTypeOpInterfaceInferReturnTypes/older", older_infer,             \
    MlirLogicalResult, (MlirStringRef, MlirContext, MlirLocation, intptr_t,    \
    MlirValue *, MlirAttribute, intptr_t, MlirRegion *, MlirTypesCallback,     \
    void *))                                                                   \
  X("mlirOpPrintingFlagsEnableDebugInfo/older", older_enable_debug_info, void, \
    (MlirOpPrintingFlags, bool))                                               \
  X("mlirParsePassPipeline/older", older_parse_pipeline, MlirLogicalResult,    \
    (MlirOpPassManager, MlirStringRef))                                        \
  X("mlirPassManagerRun", run_on_module, MlirLogicalResult,                    \
    (MlirPassManager, MlirModule))                                             \
  X("mlirplugExtEmit", emit, void, (MlirLocation, int32_t, MlirStringRef))
// clang-format on

/// Filled when the slot is taken; null is what no adapter in use needs.
static struct {
#define MEMBER(name) __typeof__(&name) name;
#define OTHER_MEMBER(name, member, result, parameters)                         \
  result(*member) parameters;
  ADAPT_OWN(MEMBER)
  ADAPT_OWN_OTHERS(OTHER_MEMBER)
#undef MEMBER
#undef OTHER_MEMBER
} own;

static const struct adapt_member own_members[] = {
#define MEMBER(name) {#name, &own.name},
#define OTHER_MEMBER(name, member, result, parameters) {name, &own.member},
    ADAPT_OWN(MEMBER) ADAPT_OWN_OTHERS(OTHER_MEMBER)
#undef MEMBER
#undef OTHER_MEMBER
};

#endif // MLIRPLUG_PROVIDER_ADAPT_OWN_H
