// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of MLIR that the core itself calls, as one table for each copy
// of MLIR in the process.

#ifndef MLIRPLUG_PROVIDER_API_H
#define MLIRPLUG_PROVIDER_API_H

#include <mlirplug/ir.h>
#include <string.h>

/// A string as MLIR takes it; not copied.
static inline MlirStringRef provider_string(const char *string) {
  return (MlirStringRef){string, strlen(string)};
}

/// Every provider has these.
#define PROVIDER_API(X)                                                        \
  X(mlirBlockGetFirstOperation)                                                \
  X(mlirBlockGetNextInRegion)                                                  \
  X(mlirContextGetOrLoadDialect)                                               \
  X(mlirCreateExternalPass)                                                    \
  X(mlirEmitError)                                                             \
  X(mlirExternalPassSignalFailure)                                             \
  X(mlirIdentifierGet)                                                         \
  X(mlirIdentifierStr)                                                         \
  X(mlirLocationFileLineColGet)                                                \
  X(mlirLocationUnknownGet)                                                    \
  X(mlirOpPassManagerAddOwnedPass)                                             \
  X(mlirOpPassManagerAddPipeline)                                              \
  X(mlirOpPassManagerGetNestedUnder)                                           \
  X(mlirOperationGetFirstRegion)                                               \
  X(mlirOperationGetLocation)                                                  \
  X(mlirOperationGetName)                                                      \
  X(mlirOperationGetNextInBlock)                                               \
  X(mlirOperationGetParentOperation)                                           \
  X(mlirPassManagerCreateOnOperation)                                          \
  X(mlirPassManagerDestroy)                                                    \
  X(mlirPassManagerEnableVerifier)                                             \
  X(mlirPassManagerGetAsOpPassManager)                                         \
  X(mlirPassManagerRunOnOp)                                                    \
  X(mlirRegionGetFirstBlock)                                                   \
  X(mlirRegionGetNextInOperation)                                              \
  X(mlirTypeIDCreate)

/// Bits of mlirplugExtOperationTraits.
#define PROVIDER_TRAIT_REGISTERED 1
#define PROVIDER_TRAIT_ISOLATED 2
#define PROVIDER_TRAIT_FUNCTION 4

struct provider_api {
#define MEMBER(name) __typeof__(&name) name;
  PROVIDER_API(MEMBER)
#undef MEMBER

  // The provider extension (mlir22/extension.h); null where there is none.
  void (*emit)(MlirLocation location, int32_t severity, MlirStringRef text);
  int32_t (*operation_traits)(MlirContext context, MlirStringRef name);
  bool (*operation_is_function)(MlirOperation operation);
};

#endif // MLIRPLUG_PROVIDER_API_H
