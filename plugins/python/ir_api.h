// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of one copy of MLIR, filled in by name through the host. The
// same binary works with several copies in one process, so nothing here is
// static, and the inline functions of ir.h are never called: they only lend
// their types.

#ifndef MLIRPLUG_PYTHON_IR_API_H
#define MLIRPLUG_PYTHON_IR_API_H

#include "ir.h"

#include <mlirplug/ir.h>

#define IR_API_CONTEXT(F)                                                      \
  F(mlirContextAttachDiagnosticHandler)                                        \
  F(mlirContextCreateWithThreading)                                            \
  F(mlirContextDestroy)                                                        \
  F(mlirContextDetachDiagnosticHandler)                                        \
  F(mlirContextEnableMultithreading)                                           \
  F(mlirContextAppendDialectRegistry)                                          \
  F(mlirContextGetAllowUnregisteredDialects)                                   \
  F(mlirContextGetNumLoadedDialects)                                           \
  F(mlirContextGetOrLoadDialect)                                               \
  F(mlirContextIsRegisteredOperation)                                          \
  F(mlirContextLoadAllAvailableDialects)                                       \
  F(mlirContextSetAllowUnregisteredDialects)                                   \
  F(mlirDialectGetNamespace)                                                   \
  F(mlirDialectRegistryCreate)                                                 \
  F(mlirDialectRegistryDestroy)                                                \
  F(mlirRegisterAllDialects)                                                   \
  F(mlirRegisterAllLLVMTranslations)                                           \
  F(mlirRegisterAllPasses)                                                     \
  F(mlirDiagnosticGetLocation)                                                 \
  F(mlirDiagnosticGetNote)                                                     \
  F(mlirDiagnosticGetNumNotes)                                                 \
  F(mlirDiagnosticGetSeverity)                                                 \
  F(mlirDiagnosticPrint)                                                       \
  F(mlirEmitError)                                                             \
  F(mlirIdentifierGet)                                                         \
  F(mlirIdentifierStr)

#define IR_API_LOCATION(F)                                                     \
  F(mlirLocationCallSiteGet)                                                   \
  F(mlirLocationCallSiteGetCallee)                                             \
  F(mlirLocationCallSiteGetCaller)                                             \
  F(mlirLocationFileLineColGet)                                                \
  F(mlirLocationFileLineColRangeGet)                                           \
  F(mlirLocationFileLineColRangeGetEndColumn)                                  \
  F(mlirLocationFileLineColRangeGetEndLine)                                    \
  F(mlirLocationFileLineColRangeGetFilename)                                   \
  F(mlirLocationFileLineColRangeGetStartColumn)                                \
  F(mlirLocationFileLineColRangeGetStartLine)                                  \
  F(mlirLocationFromAttribute)                                                 \
  F(mlirLocationFusedGet)                                                      \
  F(mlirLocationFusedGetLocations)                                             \
  F(mlirLocationFusedGetNumLocations)                                          \
  F(mlirLocationGetAttribute)                                                  \
  F(mlirLocationGetContext)                                                    \
  F(mlirLocationIsACallSite)                                                   \
  F(mlirLocationIsAFileLineColRange)                                           \
  F(mlirLocationIsAFused)                                                      \
  F(mlirLocationIsAName)                                                       \
  F(mlirLocationNameGet)                                                       \
  F(mlirLocationNameGetChildLoc)                                               \
  F(mlirLocationNameGetName)                                                   \
  F(mlirLocationPrint)                                                         \
  F(mlirLocationUnknownGet)

#define IR_API_OPERATION(F)                                                    \
  F(mlirModuleCreateEmpty)                                                     \
  F(mlirModuleCreateParse)                                                     \
  F(mlirModuleCreateParseFromFile)                                             \
  F(mlirModuleDestroy)                                                         \
  F(mlirModuleFromOperation)                                                   \
  F(mlirModuleGetOperation)                                                    \
  F(mlirOperationClone)                                                        \
  F(mlirOperationCreate)                                                       \
  F(mlirOperationCreateParse)                                                  \
  F(mlirOperationDestroy)                                                      \
  F(mlirOperationGetAttribute)                                                 \
  F(mlirOperationGetAttributeByName)                                           \
  F(mlirOperationGetBlock)                                                     \
  F(mlirOperationGetContext)                                                   \
  F(mlirOperationGetFirstRegion)                                               \
  F(mlirOperationGetLocation)                                                  \
  F(mlirOperationGetName)                                                      \
  F(mlirOperationGetNextInBlock)                                               \
  F(mlirOperationGetNumAttributes)                                             \
  F(mlirOperationGetNumOperands)                                               \
  F(mlirOperationGetNumRegions)                                                \
  F(mlirOperationGetNumResults)                                                \
  F(mlirOperationGetNumSuccessors)                                             \
  F(mlirOperationGetOperand)                                                   \
  F(mlirOperationGetParentOperation)                                           \
  F(mlirOperationGetRegion)                                                    \
  F(mlirOperationGetResult)                                                    \
  F(mlirOperationGetSuccessor)                                                 \
  F(mlirOperationIsBeforeInBlock)                                              \
  F(mlirOperationMoveAfter)                                                    \
  F(mlirOperationMoveBefore)                                                   \
  F(mlirOperationPrintWithFlags)                                               \
  F(mlirOperationRemoveAttributeByName)                                        \
  F(mlirOperationRemoveFromParent)                                             \
  F(mlirOperationReplaceUsesOfWith)                                            \
  F(mlirOperationSetAttributeByName)                                           \
  F(mlirOperationSetLocation)                                                  \
  F(mlirOperationSetOperand)                                                   \
  F(mlirOperationSetOperands)                                                  \
  F(mlirOperationStateAddAttributes)                                           \
  F(mlirOperationStateAddOperands)                                             \
  F(mlirOperationStateAddOwnedRegions)                                         \
  F(mlirOperationStateAddResults)                                              \
  F(mlirOperationStateAddSuccessors)                                           \
  F(mlirOperationStateEnableResultTypeInference)                               \
  F(mlirOperationStateGet)                                                     \
  F(mlirOperationVerify)                                                       \
  F(mlirOperationWriteBytecode)                                                \
  F(mlirOpPrintingFlagsAssumeVerified)                                         \
  F(mlirOpPrintingFlagsCreate)                                                 \
  F(mlirOpPrintingFlagsDestroy)                                                \
  F(mlirOpPrintingFlagsElideLargeElementsAttrs)                                \
  F(mlirOpPrintingFlagsElideLargeResourceString)                               \
  F(mlirOpPrintingFlagsEnableDebugInfo)                                        \
  F(mlirOpPrintingFlagsPrintGenericOpForm)                                     \
  F(mlirOpPrintingFlagsPrintNameLocAsPrefix)                                   \
  F(mlirOpPrintingFlagsSkipRegions)                                            \
  F(mlirOpPrintingFlagsUseLocalScope)                                          \
  F(mlirSymbolTableCreate)                                                     \
  F(mlirSymbolTableDestroy)                                                    \
  F(mlirSymbolTableInsert)                                                     \
  F(mlirSymbolTableLookup)                                                     \
  F(mlirSymbolTableReplaceAllSymbolUses)

#define IR_API_REGION(F)                                                       \
  F(mlirRegionAppendOwnedBlock)                                                \
  F(mlirRegionCreate)                                                          \
  F(mlirRegionDestroy)                                                         \
  F(mlirRegionGetFirstBlock)                                                   \
  F(mlirRegionGetNextInOperation)                                              \
  F(mlirRegionInsertOwnedBlock)                                                \
  F(mlirRegionInsertOwnedBlockAfter)                                           \
  F(mlirRegionInsertOwnedBlockBefore)                                          \
  F(mlirBlockAddArgument)                                                      \
  F(mlirBlockAppendOwnedOperation)                                             \
  F(mlirBlockArgumentGetArgNumber)                                             \
  F(mlirBlockArgumentGetOwner)                                                 \
  F(mlirBlockArgumentSetLocation)                                              \
  F(mlirBlockArgumentSetType)                                                  \
  F(mlirBlockCreate)                                                           \
  F(mlirBlockDestroy)                                                          \
  F(mlirBlockDetach)                                                           \
  F(mlirBlockEraseArgument)                                                    \
  F(mlirBlockGetArgument)                                                      \
  F(mlirBlockGetFirstOperation)                                                \
  F(mlirBlockGetNextInRegion)                                                  \
  F(mlirBlockGetNumArguments)                                                  \
  F(mlirBlockGetParentOperation)                                               \
  F(mlirBlockGetParentRegion)                                                  \
  F(mlirBlockGetTerminator)                                                    \
  F(mlirBlockInsertArgument)                                                   \
  F(mlirBlockInsertOwnedOperationBefore)                                       \
  F(mlirBlockPrint)                                                            \
  F(mlirOpOperandGetNextUse)                                                   \
  F(mlirOpOperandGetOperandNumber)                                             \
  F(mlirOpOperandGetOwner)                                                     \
  F(mlirOpOperandIsNull)                                                       \
  F(mlirOpResultGetOwner)                                                      \
  F(mlirOpResultGetResultNumber)                                               \
  F(mlirValueGetFirstUse)                                                      \
  F(mlirValueGetLocation)                                                      \
  F(mlirValueGetType)                                                          \
  F(mlirValueIsABlockArgument)                                                 \
  F(mlirValuePrint)                                                            \
  F(mlirValuePrintAsOperand)                                                   \
  F(mlirAsmStateCreateForValue)                                                \
  F(mlirAsmStateDestroy)                                                       \
  F(mlirValueReplaceAllUsesOfWith)                                             \
  F(mlirValueSetType)

#define IR_API_TYPE(F)                                                         \
  F(mlirFloat8E5M2TypeGet)                                                     \
  F(mlirTypeIsAFloat8E5M2)                                                     \
  F(mlirFloat8E4M3FNTypeGet)                                                   \
  F(mlirTypeIsAFloat8E4M3FN)                                                   \
  F(mlirFloat8E5M2FNUZTypeGet)                                                 \
  F(mlirTypeIsAFloat8E5M2FNUZ)                                                 \
  F(mlirFloat8E4M3FNUZTypeGet)                                                 \
  F(mlirTypeIsAFloat8E4M3FNUZ)                                                 \
  F(mlirTypeGetContext)                                                        \
  F(mlirTypeGetTypeID)                                                         \
  F(mlirTypeParseGet)                                                          \
  F(mlirTypePrint)                                                             \
  F(mlirBF16TypeGet)                                                           \
  F(mlirComplexTypeGet)                                                        \
  F(mlirComplexTypeGetElementType)                                             \
  F(mlirF16TypeGet)                                                            \
  F(mlirF32TypeGet)                                                            \
  F(mlirF64TypeGet)                                                            \
  F(mlirFloatTypeGetWidth)                                                     \
  F(mlirFunctionTypeGet)                                                       \
  F(mlirFunctionTypeGetInput)                                                  \
  F(mlirFunctionTypeGetNumInputs)                                              \
  F(mlirFunctionTypeGetNumResults)                                             \
  F(mlirFunctionTypeGetResult)                                                 \
  F(mlirIndexTypeGet)                                                          \
  F(mlirIntegerTypeGet)                                                        \
  F(mlirIntegerTypeGetWidth)                                                   \
  F(mlirIntegerTypeIsSigned)                                                   \
  F(mlirIntegerTypeIsSignless)                                                 \
  F(mlirIntegerTypeIsUnsigned)                                                 \
  F(mlirIntegerTypeSignedGet)                                                  \
  F(mlirIntegerTypeUnsignedGet)                                                \
  F(mlirMemRefTypeGetAffineMap)                                                \
  F(mlirMemRefTypeGetChecked)                                                  \
  F(mlirMemRefTypeGetLayout)                                                   \
  F(mlirMemRefTypeGetMemorySpace)                                              \
  F(mlirMemRefTypeGetStridesAndOffset)                                         \
  F(mlirNoneTypeGet)                                                           \
  F(mlirOpaqueTypeGet)                                                         \
  F(mlirOpaqueTypeGetData)                                                     \
  F(mlirOpaqueTypeGetDialectNamespace)                                         \
  F(mlirRankedTensorTypeGetChecked)                                            \
  F(mlirRankedTensorTypeGetEncoding)                                           \
  F(mlirShapedTypeGetDimSize)                                                  \
  F(mlirShapedTypeGetDynamicSize)                                              \
  F(mlirShapedTypeGetDynamicStrideOrOffset)                                    \
  F(mlirShapedTypeGetElementType)                                              \
  F(mlirShapedTypeGetRank)                                                     \
  F(mlirShapedTypeHasRank)                                                     \
  F(mlirShapedTypeHasStaticShape)                                              \
  F(mlirShapedTypeIsDynamicDim)                                                \
  F(mlirTF32TypeGet)                                                           \
  F(mlirTupleTypeGet)                                                          \
  F(mlirTupleTypeGetNumTypes)                                                  \
  F(mlirTupleTypeGetType)                                                      \
  F(mlirTypeIsABF16)                                                           \
  F(mlirTypeIsAComplex)                                                        \
  F(mlirTypeIsAF16)                                                            \
  F(mlirTypeIsAF32)                                                            \
  F(mlirTypeIsAF64)                                                            \
  F(mlirTypeIsAFloat)                                                          \
  F(mlirTypeIsAFunction)                                                       \
  F(mlirTypeIsAIndex)                                                          \
  F(mlirTypeIsAInteger)                                                        \
  F(mlirTypeIsAMemRef)                                                         \
  F(mlirTypeIsANone)                                                           \
  F(mlirTypeIsAOpaque)                                                         \
  F(mlirTypeIsARankedTensor)                                                   \
  F(mlirTypeIsAShaped)                                                         \
  F(mlirTypeIsATF32)                                                           \
  F(mlirTypeIsATuple)                                                          \
  F(mlirTypeIsAUnrankedMemRef)                                                 \
  F(mlirTypeIsAUnrankedTensor)                                                 \
  F(mlirTypeIsAVector)                                                         \
  F(mlirUnrankedMemrefGetMemorySpace)                                          \
  F(mlirUnrankedMemRefTypeGetChecked)                                          \
  F(mlirUnrankedTensorTypeGetChecked)                                          \
  F(mlirVectorTypeGetChecked)                                                  \
  F(mlirVectorTypeGetScalableChecked)                                          \
  F(mlirVectorTypeIsDimScalable)                                               \
  F(mlirVectorTypeIsScalable)

#define IR_API_ATTRIBUTE(F)                                                    \
  F(mlirAttributeGetContext)                                                   \
  F(mlirAttributeGetType)                                                      \
  F(mlirAttributeGetTypeID)                                                    \
  F(mlirAttributeParseGet)                                                     \
  F(mlirAttributePrint)                                                        \
  F(mlirAffineMapAttrGet)                                                      \
  F(mlirAffineMapAttrGetValue)                                                 \
  F(mlirArrayAttrGet)                                                          \
  F(mlirArrayAttrGetElement)                                                   \
  F(mlirArrayAttrGetNumElements)                                               \
  F(mlirAttributeIsAAffineMap)                                                 \
  F(mlirAttributeIsAArray)                                                     \
  F(mlirAttributeIsABool)                                                      \
  F(mlirAttributeIsADenseBoolArray)                                            \
  F(mlirAttributeIsADenseElements)                                             \
  F(mlirAttributeIsADenseF32Array)                                             \
  F(mlirAttributeIsADenseF64Array)                                             \
  F(mlirAttributeIsADenseFPElements)                                           \
  F(mlirAttributeIsADenseI16Array)                                             \
  F(mlirAttributeIsADenseI32Array)                                             \
  F(mlirAttributeIsADenseI64Array)                                             \
  F(mlirAttributeIsADenseI8Array)                                              \
  F(mlirAttributeIsADenseIntElements)                                          \
  F(mlirAttributeIsADenseResourceElements)                                     \
  F(mlirAttributeIsADictionary)                                                \
  F(mlirAttributeIsAFlatSymbolRef)                                             \
  F(mlirAttributeIsAFloat)                                                     \
  F(mlirAttributeIsAInteger)                                                   \
  F(mlirAttributeIsAIntegerSet)                                                \
  F(mlirAttributeIsALocation)                                                  \
  F(mlirAttributeIsAOpaque)                                                    \
  F(mlirAttributeIsAStridedLayout)                                             \
  F(mlirAttributeIsAString)                                                    \
  F(mlirAttributeIsASymbolRef)                                                 \
  F(mlirAttributeIsAType)                                                      \
  F(mlirAttributeIsAUnit)                                                      \
  F(mlirBoolAttrGet)                                                           \
  F(mlirBoolAttrGetValue)                                                      \
  F(mlirDenseArrayGetNumElements)                                              \
  F(mlirDenseBoolArrayGet)                                                     \
  F(mlirDenseBoolArrayGetElement)                                              \
  F(mlirDenseElementsAttrGet)                                                  \
  F(mlirDenseElementsAttrGetRawData)                                           \
  F(mlirDenseElementsAttrGetSplatValue)                                        \
  F(mlirDenseElementsAttrGetBoolValue)                                         \
  F(mlirDenseElementsAttrGetDoubleValue)                                       \
  F(mlirDenseElementsAttrGetFloatValue)                                        \
  F(mlirDenseElementsAttrGetIndexValue)                                        \
  F(mlirDenseElementsAttrGetInt16Value)                                        \
  F(mlirDenseElementsAttrGetInt32Value)                                        \
  F(mlirDenseElementsAttrGetInt64Value)                                        \
  F(mlirDenseElementsAttrGetInt8Value)                                         \
  F(mlirDenseElementsAttrGetUInt16Value)                                       \
  F(mlirDenseElementsAttrGetUInt32Value)                                       \
  F(mlirDenseElementsAttrGetUInt64Value)                                       \
  F(mlirDenseElementsAttrGetUInt8Value)                                        \
  F(mlirDenseElementsAttrIsSplat)                                              \
  F(mlirDenseElementsAttrRawBufferGet)                                         \
  F(mlirDenseElementsAttrSplatGet)                                             \
  F(mlirDenseF32ArrayGet)                                                      \
  F(mlirDenseF32ArrayGetElement)                                               \
  F(mlirDenseF64ArrayGet)                                                      \
  F(mlirDenseF64ArrayGetElement)                                               \
  F(mlirDenseI16ArrayGet)                                                      \
  F(mlirDenseI16ArrayGetElement)                                               \
  F(mlirDenseI32ArrayGet)                                                      \
  F(mlirDenseI32ArrayGetElement)                                               \
  F(mlirDenseI64ArrayGet)                                                      \
  F(mlirDenseI64ArrayGetElement)                                               \
  F(mlirDenseI8ArrayGet)                                                       \
  F(mlirDenseI8ArrayGetElement)                                                \
  F(mlirDictionaryAttrGet)                                                     \
  F(mlirDictionaryAttrGetElement)                                              \
  F(mlirDictionaryAttrGetElementByName)                                        \
  F(mlirDictionaryAttrGetNumElements)                                          \
  F(mlirElementsAttrGetNumElements)                                            \
  F(mlirFlatSymbolRefAttrGet)                                                  \
  F(mlirFlatSymbolRefAttrGetValue)                                             \
  F(mlirFloatAttrDoubleGetChecked)                                             \
  F(mlirFloatAttrGetValueDouble)                                               \
  F(mlirIntegerAttrGet)                                                        \
  F(mlirIntegerAttrGetValueInt)                                                \
  F(mlirIntegerAttrGetValueSInt)                                               \
  F(mlirIntegerAttrGetValueUInt)                                               \
  F(mlirOpaqueAttrGet)                                                         \
  F(mlirOpaqueAttrGetData)                                                     \
  F(mlirOpaqueAttrGetDialectNamespace)                                         \
  F(mlirStridedLayoutAttrGet)                                                  \
  F(mlirStridedLayoutAttrGetNumStrides)                                        \
  F(mlirStridedLayoutAttrGetOffset)                                            \
  F(mlirStridedLayoutAttrGetStride)                                            \
  F(mlirStringAttrGet)                                                         \
  F(mlirStringAttrGetValue)                                                    \
  F(mlirStringAttrTypedGet)                                                    \
  F(mlirSymbolRefAttrGet)                                                      \
  F(mlirSymbolRefAttrGetLeafReference)                                         \
  F(mlirSymbolRefAttrGetNestedReference)                                       \
  F(mlirSymbolRefAttrGetNumNestedReferences)                                   \
  F(mlirSymbolRefAttrGetRootReference)                                         \
  F(mlirTypeAttrGet)                                                           \
  F(mlirTypeAttrGetValue)                                                      \
  F(mlirUnitAttrGet)

#define IR_API_AFFINE(F)                                                       \
  F(mlirAffineAddExprGet)                                                      \
  F(mlirAffineBinaryOpExprGetLHS)                                              \
  F(mlirAffineBinaryOpExprGetRHS)                                              \
  F(mlirAffineCeilDivExprGet)                                                  \
  F(mlirAffineConstantExprGet)                                                 \
  F(mlirAffineConstantExprGetValue)                                            \
  F(mlirAffineDimExprGet)                                                      \
  F(mlirAffineDimExprGetPosition)                                              \
  F(mlirAffineExprCompose)                                                     \
  F(mlirAffineExprGetContext)                                                  \
  F(mlirAffineExprIsAAdd)                                                      \
  F(mlirAffineExprIsABinary)                                                   \
  F(mlirAffineExprIsACeilDiv)                                                  \
  F(mlirAffineExprIsAConstant)                                                 \
  F(mlirAffineExprIsADim)                                                      \
  F(mlirAffineExprIsAFloorDiv)                                                 \
  F(mlirAffineExprIsAMod)                                                      \
  F(mlirAffineExprIsAMul)                                                      \
  F(mlirAffineExprIsASymbol)                                                   \
  F(mlirAffineExprIsFunctionOfDim)                                             \
  F(mlirAffineExprPrint)                                                       \
  F(mlirAffineExprShiftDims)                                                   \
  F(mlirAffineExprShiftSymbols)                                                \
  F(mlirAffineFloorDivExprGet)                                                 \
  F(mlirAffineMapCompressUnusedSymbols)                                        \
  F(mlirAffineMapConstantGet)                                                  \
  F(mlirAffineMapEmptyGet)                                                     \
  F(mlirAffineMapGet)                                                          \
  F(mlirAffineMapGetContext)                                                   \
  F(mlirAffineMapGetMajorSubMap)                                               \
  F(mlirAffineMapGetMinorSubMap)                                               \
  F(mlirAffineMapGetNumDims)                                                   \
  F(mlirAffineMapGetNumInputs)                                                 \
  F(mlirAffineMapGetNumResults)                                                \
  F(mlirAffineMapGetNumSymbols)                                                \
  F(mlirAffineMapGetResult)                                                    \
  F(mlirAffineMapGetSubMap)                                                    \
  F(mlirAffineMapIsIdentity)                                                   \
  F(mlirAffineMapIsPermutation)                                                \
  F(mlirAffineMapIsProjectedPermutation)                                       \
  F(mlirAffineMapMinorIdentityGet)                                             \
  F(mlirAffineMapMultiDimIdentityGet)                                          \
  F(mlirAffineMapPermutationGet)                                               \
  F(mlirAffineMapPrint)                                                        \
  F(mlirAffineMapReplace)                                                      \
  F(mlirAffineModExprGet)                                                      \
  F(mlirAffineMulExprGet)                                                      \
  F(mlirAffineSymbolExprGet)                                                   \
  F(mlirAffineSymbolExprGetPosition)                                           \
  F(mlirSimplifyAffineExpr)

#define IR_API(F)                                                              \
  IR_API_CONTEXT(F)                                                            \
  IR_API_LOCATION(F)                                                           \
  IR_API_OPERATION(F)                                                          \
  IR_API_REGION(F)                                                             \
  IR_API_TYPE(F)                                                               \
  IR_API_ATTRIBUTE(F)                                                          \
  IR_API_AFFINE(F)

/// A place in struct ir_api for each function.
enum ir_function {
#define IR_FUNCTION_NUMBER(name) IR_FUNCTION_##name,
  IR_API(IR_FUNCTION_NUMBER)
#undef IR_FUNCTION_NUMBER
      IR_FUNCTION_COUNT
};

/// What class the types or attributes with one TypeID have (ir_kind.c).
struct ir_kinds {
  struct ir_kind_entry {
    const void *type_id;
    size_t group;
  } *entries;
  size_t count;
};

struct ir_api {
  size_t references;
  bool has[IR_FUNCTION_COUNT];
  struct ir_kinds type_kinds;
  struct ir_kinds attribute_kinds;
  bool passes_registered;
  /// Never null: what this copy does not have returns zero.
#define IR_FUNCTION_FIELD(name) __typeof__(&name) name;
  IR_API(IR_FUNCTION_FIELD)
#undef IR_FUNCTION_FIELD
};

/// Whether this copy of MLIR has `function`, or an adapter does its work.
#define IR_HAS(api, function) ((api)->has[IR_FUNCTION_##function])

/// The same, with an exception set if not.
#define IR_NEED(api, function) ir_api_need(api, IR_FUNCTION_##function)
bool ir_api_need(const struct ir_api *api, enum ir_function function);

#endif // MLIRPLUG_PYTHON_IR_API_H
