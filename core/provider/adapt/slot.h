// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slot: all adapters and the functions of one provider. Each of slot0.c to
// slot7.c defines ADAPT_SLOT, the slot's name, and includes this. Nothing here
// may call a function of MLIR's by its name: that would be an import of the
// core's own.

#include "provider/adapt/affine.h"
#include "provider/adapt/attribute.h"
#include "provider/adapt/context.h"
#include "provider/adapt/equal.h"
#include "provider/adapt/insert.h"
#include "provider/adapt/pass.h"
#include "provider/adapt/slots.h"
#include "provider/adapt/type.h"
#include "provider/adapt/uses.h"
#include "provider/adapt/walk.h"

/// `function`, if it has the type that ir.h says; else it does not compile.
#define CHECKED(name, function)                                                \
  (void (*)(void)) __builtin_choose_expr(                                      \
      __builtin_types_compatible_p(__typeof__(function), __typeof__(name)),    \
      function, (void)0)
#define ADAPT(name, function, needs)                                           \
  {#name, CHECKED(name, function), needs, false}
#define ADAPT_FOR_CORE(name, function, needs)                                  \
  {#name, CHECKED(name, function), needs, true}
/// Of a function that is not in ir.h.
#define ADAPT_OUTSIDE(name, function, needs)                                   \
  {name, (void (*)(void))(function), needs, false}

static const struct adapter adapters[] = {
#define EQUAL(name, handle) ADAPT(name, adapt_##name, ""),
    ADAPT_EQUAL(EQUAL)
#undef EQUAL

    // Contexts, messages, texts
    ADAPT(mlirStringRefCreateFromCString, provider_string, ""),
    ADAPT(mlirStringRefEqual, adapt_string_equal, ""),
    ADAPT(mlirTypeIDCreate, adapt_type_id, ""),
    ADAPT(mlirContextCreate, adapt_context, "mlirContextCreateWithThreading"),
    ADAPT(mlirContextCreateWithThreading, adapt_context_with_threading,
          "mlirContextCreate mlirContextEnableMultithreading"),
    ADAPT(mlirContextCreateWithRegistry, adapt_context_with_registry,
          "mlirContextCreateWithThreading "
          "mlirContextAppendDialectRegistry"),
    ADAPT(mlirContextCreateWithRegistry, adapt_context_with_registry,
          "mlirContextCreate mlirContextEnableMultithreading "
          "mlirContextAppendDialectRegistry"),
    ADAPT_OUTSIDE("mlirEmitWarning", adapt_emit_warning, "mlirplugExtEmit"),
    ADAPT_OUTSIDE("mlirEmitRemark", adapt_emit_remark, "mlirplugExtEmit"),
    ADAPT(mlirOperationPrint, adapt_print,
          "mlirOpPrintingFlagsCreate mlirOperationPrintWithFlags "
          "mlirOpPrintingFlagsDestroy"),
    ADAPT(mlirOpPrintingFlagsEnableDebugInfo, adapt_enable_debug_info,
          "mlirOpPrintingFlagsEnableDebugInfo/older"),
    ADAPT(mlirOperationStateEnableResultTypeInference, adapt_infer_results, ""),
    ADAPT(mlirOperationCreateParse, adapt_parse,
          "mlirModuleCreateParse mlirModuleGetOperation mlirModuleGetBody "
          "mlirModuleDestroy mlirOperationGetLocation mlirLocationPrint "
          "mlirBlockGetFirstOperation mlirOperationGetNextInBlock "
          "mlirOperationRemoveFromParent mlirEmitError"),

    // The structure of the IR
    ADAPT(mlirOperationWalk, adapt_walk,
          "mlirOperationGetNumRegions mlirOperationGetRegion "
          "mlirRegionGetFirstBlock mlirBlockGetNextInRegion "
          "mlirBlockGetFirstOperation mlirOperationGetNextInBlock"),
    ADAPT(mlirOperationGetFirstRegion, adapt_first_region,
          "mlirOperationGetNumRegions mlirOperationGetRegion"),
    ADAPT(mlirRegionGetNextInOperation, adapt_next_region,
          "mlirOperationGetNumRegions mlirOperationGetRegion "
          "mlirRegionGetFirstBlock mlirBlockGetParentOperation "
          "mlirBlockCreate mlirBlockDetach mlirRegionAppendOwnedBlock "
          "mlirModuleCreateEmpty mlirModuleGetOperation "
          "mlirLocationUnknownGet mlirOperationGetContext "
          "mlirOperationDestroy"),
    ADAPT(mlirOperationIsBeforeInBlock, adapt_is_before,
          "mlirOperationGetNextInBlock"),
    ADAPT(mlirBlockGetNumSuccessors, adapt_successor_count,
          "mlirBlockGetFirstOperation mlirOperationGetNextInBlock "
          "mlirOperationGetNumSuccessors"),
    ADAPT(mlirBlockGetSuccessor, adapt_successor,
          "mlirBlockGetFirstOperation mlirOperationGetNextInBlock "
          "mlirOperationGetSuccessor"),

    // Uses
    ADAPT(mlirOpOperandGetValue, adapt_use_value,
          "mlirOpOperandGetOwner mlirOpOperandGetOperandNumber "
          "mlirOperationGetOperand"),
    ADAPT(mlirValueReplaceAllUsesOfWith, adapt_replace_all,
          "mlirValueGetFirstUse mlirOpOperandGetNextUse "
          "mlirOpOperandGetOwner mlirOpOperandGetOperandNumber "
          "mlirOperationSetOperand"),
    ADAPT(mlirValueReplaceAllUsesOfWith, adapt_replace_in_scope,
          "mlirValueIsABlockArgument mlirBlockArgumentGetOwner "
          "mlirOpResultGetOwner mlirOperationGetBlock "
          "mlirBlockGetParentRegion mlirRegionGetFirstBlock "
          "mlirBlockGetNextInRegion mlirBlockGetFirstOperation "
          "mlirOperationGetNextInBlock mlirOperationGetNumRegions "
          "mlirOperationGetRegion mlirOperationGetNumOperands "
          "mlirOperationGetOperand mlirOperationSetOperand"),
    ADAPT(mlirValueReplaceAllUsesExcept, adapt_replace_except,
          "mlirValueGetFirstUse mlirOpOperandGetNextUse "
          "mlirOpOperandGetOwner mlirOpOperandGetOperandNumber "
          "mlirOperationSetOperand"),
    ADAPT(mlirOperationReplaceUsesOfWith, adapt_replace_in,
          "mlirOperationGetNumOperands mlirOperationGetOperand "
          "mlirOperationSetOperand"),

    // Insertion
    ADAPT(mlirBlockInsertOwnedOperationAfter, adapt_insert_after,
          "mlirOperationGetNextInBlock mlirBlockGetFirstOperation "
          "mlirBlockInsertOwnedOperationBefore"),
    ADAPT(mlirBlockInsertOwnedOperation, adapt_insert_at,
          "mlirOperationGetNextInBlock mlirBlockGetFirstOperation "
          "mlirBlockInsertOwnedOperationBefore"),
    ADAPT(mlirBlockAppendOwnedOperation, adapt_append,
          "mlirBlockInsertOwnedOperationBefore"),
    ADAPT(mlirBlockInsertOwnedOperationBefore, adapt_insert_before,
          "mlirOperationGetNextInBlock mlirBlockGetFirstOperation "
          "mlirBlockInsertOwnedOperationAfter"),

    // Attributes
    ADAPT(mlirOperationHasInherentAttributeByName, adapt_has_attribute,
          "mlirOperationGetAttributeByName"),
    ADAPT(mlirOperationGetInherentAttributeByName, adapt_get_attribute,
          "mlirOperationGetAttributeByName"),
    ADAPT(mlirOperationSetInherentAttributeByName, adapt_set_attribute,
          "mlirOperationSetAttributeByName"),
    ADAPT(mlirOperationGetDiscardableAttributeByName, adapt_get_attribute,
          "mlirOperationGetAttributeByName"),
    ADAPT(mlirOperationSetDiscardableAttributeByName, adapt_set_attribute,
          "mlirOperationSetAttributeByName"),
    ADAPT(mlirOperationRemoveDiscardableAttributeByName, adapt_remove_attribute,
          "mlirOperationRemoveAttributeByName"),
    ADAPT(mlirIdentifierGetContext, adapt_identifier_context,
          "mlirAttributeGetContext"),
    ADAPT(mlirLocationGetAttribute, adapt_location_attribute, ""),
    ADAPT(mlirLocationFromAttribute, adapt_attribute_location, ""),
    ADAPT(mlirSymbolRefAttrGetLeafReference, adapt_leaf_reference,
          "mlirSymbolRefAttrGetNumNestedReferences "
          "mlirSymbolRefAttrGetNestedReference "
          "mlirFlatSymbolRefAttrGetValue "
          "mlirSymbolRefAttrGetRootReference"),
    ADAPT(mlirSymbolTableGetVisibilityAttributeName, adapt_visibility_name, ""),
    ADAPT(mlirDisctinctAttrCreate, adapt_create_distinct,
          "mlirDistinctAttrCreate"),

    // Types
    ADAPT(mlirValueGetContext, adapt_value_context,
          "mlirValueGetType mlirTypeGetContext"),
    ADAPT(mlirShapedTypeIsStaticDim, adapt_is_static_dim,
          "mlirShapedTypeIsDynamicDim"),
    ADAPT(mlirShapedTypeIsStaticSize, adapt_is_static_size,
          "mlirShapedTypeIsDynamicSize"),
    ADAPT(mlirShapedTypeIsStaticStrideOrOffset,
          adapt_is_static_stride_or_offset,
          "mlirShapedTypeIsDynamicStrideOrOffset"),
    ADAPT(mlirMemRefTypeContiguousGet, adapt_contiguous, "mlirMemRefTypeGet"),
    ADAPT(mlirMemRefTypeContiguousGetChecked, adapt_contiguous_checked,
          "mlirMemRefTypeGetChecked"),
    ADAPT(mlirInferTypeOpInterfaceInferReturnTypes, adapt_infer,
          "mlirInferTypeOpInterfaceInferReturnTypes/older"),

    // Affine maps
    ADAPT(mlirAffineExprIsFunctionOfDim, adapt_is_function_of_dim,
          "mlirAffineExprIsADim mlirAffineDimExprGetPosition "
          "mlirAffineExprIsABinary mlirAffineBinaryOpExprGetLHS "
          "mlirAffineBinaryOpExprGetRHS"),
    ADAPT(mlirAffineMapIsIdentity, adapt_is_identity,
          "mlirAffineMapGetNumDims mlirAffineMapGetNumResults "
          "mlirAffineMapGetResult mlirAffineExprIsADim "
          "mlirAffineDimExprGetPosition"),
    ADAPT(mlirAffineMapIsMinorIdentity, adapt_is_minor_identity,
          "mlirAffineMapGetNumDims mlirAffineMapGetNumSymbols "
          "mlirAffineMapGetNumResults mlirAffineMapGetResult "
          "mlirAffineExprIsADim mlirAffineDimExprGetPosition"),
    ADAPT(mlirAffineMapIsEmpty, adapt_is_empty,
          "mlirAffineMapGetNumDims mlirAffineMapGetNumSymbols "
          "mlirAffineMapGetNumResults"),
    ADAPT(mlirAffineMapIsSingleConstant, adapt_is_single_constant,
          "mlirAffineMapGetNumResults mlirAffineMapGetResult "
          "mlirAffineExprIsAConstant"),
    ADAPT(mlirAffineMapGetSingleConstantResult, adapt_single_constant,
          "mlirAffineMapGetResult mlirAffineConstantExprGetValue"),
    ADAPT(mlirTypeIsATensor, adapt_is_tensor,
          "mlirTypeIsARankedTensor mlirTypeIsAUnrankedTensor"),

    // Pass managers
    ADAPT(mlirPassManagerRunOnOp, adapt_run_on,
          "mlirPassManagerRun mlirPassManagerCreateOnOperation"),
    ADAPT(mlirPassManagerRunOnOp, adapt_run_on_checked,
          "mlirPassManagerRun mlirOperationGetName mlirIdentifierStr "
          "mlirEmitError mlirOperationGetLocation"),
    ADAPT_FOR_CORE(mlirPassManagerCreateOnOperation, adapt_manager,
                   "mlirPassManagerCreate"),
    ADAPT(mlirPassManagerGetNestedUnder, adapt_nested_under,
          "mlirPassManagerGetAsOpPassManager "
          "mlirOpPassManagerGetNestedUnder"),
    ADAPT(mlirOpPassManagerAddOwnedPass, adapt_add_pass,
          "mlirPassManagerAddOwnedPass"),
    ADAPT(mlirOpPassManagerAddPipeline, adapt_add_pipeline,
          "mlirParsePassPipeline/older"),
    ADAPT(mlirParsePassPipeline, adapt_parse_pipeline,
          "mlirParsePassPipeline/older mlirPrintPassPipeline"),
};

_Static_assert(sizeof adapters / sizeof adapters[0] <= ADAPTERS_AT_MOST,
               "raise ADAPTERS_AT_MOST");

extern const struct adapt_slot ADAPT_SLOT;
const struct adapt_slot ADAPT_SLOT = {
    adapters, sizeof adapters / sizeof adapters[0], own_members,
    sizeof own_members / sizeof own_members[0]};
