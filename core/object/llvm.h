// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that object files take: those of MLIR's C API that look at
// functions and types, and LLVM's C API for modules and targets, all of the
// copy of MLIR that a host runs on.

#ifndef MLIRPLUG_OBJECT_LLVM_H
#define MLIRPLUG_OBJECT_LLVM_H

#include "base/error.h"
#include "provider/binding.h"

/// As declared in ir.h.
#define OBJECT_MLIR_API(X)                                                     \
  X(mlirAffineMapIsIdentity)                                                   \
  X(mlirArrayAttrGet)                                                          \
  X(mlirArrayAttrGetElement)                                                   \
  X(mlirAttributeParseGet)                                                     \
  X(mlirBlockInsertOwnedOperationBefore)                                       \
  X(mlirBoolAttrGet)                                                           \
  X(mlirComplexTypeGetElementType)                                             \
  X(mlirDenseI32ArrayGet)                                                      \
  X(mlirDictionaryAttrGet)                                                     \
  X(mlirDictionaryAttrGetElement)                                              \
  X(mlirDictionaryAttrGetNumElements)                                          \
  X(mlirFunctionTypeGetInput)                                                  \
  X(mlirFunctionTypeGetNumInputs)                                              \
  X(mlirFunctionTypeGetNumResults)                                             \
  X(mlirFunctionTypeGetResult)                                                 \
  X(mlirIntegerTypeGetWidth)                                                   \
  X(mlirIntegerTypeIsUnsigned)                                                 \
  X(mlirMemRefTypeGetAffineMap)                                                \
  X(mlirMemRefTypeGetMemorySpace)                                              \
  X(mlirModuleDestroy)                                                         \
  X(mlirModuleFromOperation)                                                   \
  X(mlirModuleGetOperation)                                                    \
  X(mlirOperationClone)                                                        \
  X(mlirOperationCreate)                                                       \
  X(mlirOperationDestroy)                                                      \
  X(mlirOperationGetAttributeByName)                                           \
  X(mlirOperationGetBlock)                                                     \
  X(mlirOperationGetContext)                                                   \
  X(mlirOperationGetNumOperands)                                               \
  X(mlirOperationGetNumResults)                                                \
  X(mlirOperationGetOperand)                                                   \
  X(mlirOperationGetResult)                                                    \
  X(mlirOperationSetAttributeByName)                                           \
  X(mlirOperationStateAddAttributes)                                           \
  X(mlirOperationStateAddOperands)                                             \
  X(mlirOperationStateAddOwnedRegions)                                         \
  X(mlirOperationStateGet)                                                     \
  X(mlirRegionCreate)                                                          \
  X(mlirShapedTypeGetElementType)                                              \
  X(mlirShapedTypeGetRank)                                                     \
  X(mlirStringAttrGetValue)                                                    \
  X(mlirTypeAttrGetValue)                                                      \
  X(mlirTypeIsABF16)                                                           \
  X(mlirTypeIsAComplex)                                                        \
  X(mlirTypeIsAF16)                                                            \
  X(mlirTypeIsAF32)                                                            \
  X(mlirTypeIsAF64)                                                            \
  X(mlirTypeIsAIndex)                                                          \
  X(mlirTypeIsAInteger)                                                        \
  X(mlirTypeIsAMemRef)                                                         \
  X(mlirTypeIsARankedTensor)                                                   \
  X(mlirTypeIsAUnrankedTensor)                                                 \
  X(mlirTypeIsAVector)                                                         \
  X(mlirUnitAttrGet)                                                           \
  X(mlirValueGetType)                                                          \
  X(mlirVectorTypeIsScalable)

/// As declared in llvm-c/{Core,Error,Target,TargetMachine}.h,
/// llvm-c/Transforms/PassBuilder.h and
/// mlir-c/{Dialect/Linalg,RegisterEverything, Target/LLVMIR}.h of LLVM 22;
/// LLVM's references are pointers, its booleans and enumerations have the size
/// of an int.
#define OBJECT_LLVM_API(X)                                                     \
  X(LLVMContextCreate, void *, (void))                                         \
  X(LLVMContextDispose, void, (void *context))                                 \
  X(LLVMCreatePassBuilderOptions, void *, (void))                              \
  X(LLVMCreateTargetDataLayout, void *, (void *machine))                       \
  X(LLVMCreateTargetMachine, void *,                                           \
    (void *target, const char *triple, const char *cpu, const char *features,  \
     int level, int relocations, int code_model))                              \
  X(LLVMDisposeErrorMessage, void, (char *message))                            \
  X(LLVMDisposeMemoryBuffer, void, (void *buffer))                             \
  X(LLVMDisposeMessage, void, (char *message))                                 \
  X(LLVMDisposeModule, void, (void *module))                                   \
  X(LLVMDisposePassBuilderOptions, void, (void *options))                      \
  X(LLVMDisposeTargetData, void, (void *layout))                               \
  X(LLVMDisposeTargetMachine, void, (void *machine))                           \
  X(LLVMGetBufferSize, size_t, (void *buffer))                                 \
  X(LLVMGetBufferStart, const char *, (void *buffer))                          \
  X(LLVMGetDefaultTargetTriple, char *, (void))                                \
  X(LLVMGetErrorMessage, char *, (void *error))                                \
  X(LLVMGetHostCPUFeatures, char *, (void))                                    \
  X(LLVMGetHostCPUName, char *, (void))                                        \
  X(LLVMGetTargetFromTriple, int,                                              \
    (const char *triple, void **target, char **message))                       \
  X(LLVMNormalizeTargetTriple, char *, (const char *triple))                   \
  X(LLVMRunPasses, void *,                                                     \
    (void *module, const char *passes, void *machine, void *options))          \
  X(LLVMSetModuleDataLayout, void, (void *module, void *layout))               \
  X(LLVMSetTarget, void, (void *module, const char *triple))                   \
  X(LLVMTargetMachineEmitToMemoryBuffer, int,                                  \
    (void *machine, void *module, int kind, char **message, void **buffer))    \
  X(mlirLinalgFillBuiltinNamedOpRegion, void, (MlirOperation operation))       \
  X(mlirRegisterAllLLVMTranslations, void, (MlirContext context))              \
  X(mlirRegisterAllPasses, void, (void))                                       \
  X(mlirTranslateModuleToLLVMIR, void *,                                       \
    (MlirOperation module, void *context))                                     \
  X(mlirplugExtTargetHasProcessor, bool, (void *machine, const char *cpu))     \
  X(mlirplugExtTargetUnknownFeature, size_t,                                   \
    (void *machine, const char *features, size_t *length))                     \
  X(mlirplugExtTargetHasScalableVectors, bool, (void *machine))

struct object_api {
#define MEMBER(name) __typeof__(&name) name;
  OBJECT_MLIR_API(MEMBER)
#undef MEMBER
#define MEMBER(name, result, parameters) result(*name) parameters;
  OBJECT_LLVM_API(MEMBER)
#undef MEMBER
  const struct binding *binding;
};

/// Fills the table; fails if `binding` lacks one, which it names.
mlirplug_status object_api_fill(struct object_api *api,
                                const struct binding *binding,
                                mlirplug_error **error);

/// Calls LLVMInitialize… for each kind of processor that the copy of LLVM has
/// and mlirplug compiles for. Any thread.
void object_api_start(const struct object_api *api);

#endif // MLIRPLUG_OBJECT_LLVM_H
