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
  X(mlirEmitError)                                                             \
  X(mlirIdentifierGet)                                                         \
  X(mlirIdentifierStr)                                                         \
  X(mlirLocationFileLineColGet)                                                \
  X(mlirLocationUnknownGet)                                                    \
  X(mlirOperationGetLocation)                                                  \
  X(mlirOperationGetName)                                                      \
  X(mlirOperationGetNextInBlock)                                               \
  X(mlirOperationGetNumRegions)                                                \
  X(mlirOperationGetParentOperation)                                           \
  X(mlirOperationGetRegion)                                                    \
  X(mlirRegionGetFirstBlock)

/// Those for passes that MLIR runs: all of them, or none. Without them the core
/// runs passes itself (pass/direct.h).
#define PROVIDER_PASS_API(X)                                                   \
  X(mlirCreateExternalPass)                                                    \
  X(mlirExternalPassSignalFailure)                                             \
  X(mlirOpPassManagerAddOwnedPass)                                             \
  X(mlirOpPassManagerAddPipeline)                                              \
  X(mlirPassManagerCreateOnOperation)                                          \
  X(mlirPassManagerDestroy)                                                    \
  X(mlirPassManagerEnableVerifier)                                             \
  X(mlirPassManagerGetAsOpPassManager)                                         \
  X(mlirPassManagerRunOnOp)                                                    \
  X(mlirTypeIDCreate)

/// Those that the core can do without one by one; null where there are none.
#define PROVIDER_OPTIONAL_API(X)                                               \
  X(mlirContextIsRegisteredOperation)                                          \
  X(mlirOpPassManagerGetNestedUnder)                                           \
  X(mlirOperationVerify)

/// Bits of mlirplugExtOperationTraits.
#define PROVIDER_TRAIT_REGISTERED 1
#define PROVIDER_TRAIT_ISOLATED 2
#define PROVIDER_TRAIT_FUNCTION 4

struct provider_api {
#define MEMBER(name) __typeof__(&name) name;
  PROVIDER_API(MEMBER)
  PROVIDER_PASS_API(MEMBER)
  PROVIDER_OPTIONAL_API(MEMBER)
#undef MEMBER

  /// mlirOpPassManagerAddPipeline says nowhere but to its callback why it
  /// fails. If not, it also writes to standard error.
  bool tries_quietly;

  // Those of versions whose functions are not in ir.h; null in older ones.
  void (*emit_warning)(MlirLocation location, const char *message);
  void (*emit_remark)(MlirLocation location, const char *message);

  // The provider extension (bundle/extension.h); null where there is none.
  void (*emit)(MlirLocation location, int32_t severity, MlirStringRef text);
  int32_t (*operation_traits)(MlirContext context, MlirStringRef name);
  bool (*operation_is_function)(MlirOperation operation);
};

#endif // MLIRPLUG_PROVIDER_API_H
