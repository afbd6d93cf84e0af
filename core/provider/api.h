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
  X(mlirAttributeIsAString)                                                    \
  X(mlirAttributeIsAType)                                                      \
  X(mlirContextGetAllowUnregisteredDialects)                                   \
  X(mlirContextGetNumThreads)                                                  \
  X(mlirContextIsRegisteredOperation)                                          \
  X(mlirLocationGetContext)                                                    \
  X(mlirOpPassManagerGetNestedUnder)                                           \
  X(mlirOperationCreate)                                                       \
  X(mlirOperationGetAttributeByName)                                           \
  X(mlirOperationPrint)                                                        \
  X(mlirOperationVerify)                                                       \
  X(mlirStringAttrGetValue)

/// Bits of mlirplugExtOperationTraits.
#define PROVIDER_TRAIT_REGISTERED 1
#define PROVIDER_TRAIT_ISOLATED 2

/// What mlirplugExtWatchPasses tells of.
#define PROVIDER_PASS_BEFORE 0
#define PROVIDER_PASS_AFTER 1
#define PROVIDER_PASS_FAILED 2

typedef void (*provider_watch)(int32_t event, const void *pass,
                               MlirStringRef name, MlirStringRef text,
                               MlirOperation operation, void *user_data);

/// mlirplugExtBuildPass.
typedef MlirLogicalResult (*provider_build_pass)(
    MlirOpPassManager passes, MlirStringRef anchor, MlirStringRef options,
    MlirStringCallback refuse, void *refuse_data, void *user_data);

/// What mlirplugExtDumpIR is asked for.
#define PROVIDER_DUMP_WHOLE 1
#define PROVIDER_DUMP_CHANGED 2
#define PROVIDER_DUMP_FAILED 4

typedef bool (*provider_wants_dump)(MlirStringRef name, MlirStringRef argument,
                                    bool after, void *user_data);
typedef void (*provider_show_dump)(MlirOperation operation, MlirStringRef name,
                                   MlirStringRef argument, MlirStringRef text,
                                   void *user_data);

/// mlirplugExtTimingCreate.
#define PROVIDER_TIMING_LIST 1
#define PROVIDER_TIMING_JSON 2

typedef void (*provider_measured)(const void *pass, MlirStringRef name,
                                  MlirStringRef argument, bool changed,
                                  int64_t added, void *user_data);

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

  // The provider extension (bundle/extension/extension.h); null where there is
  // none.
  void (*emit)(MlirLocation location, int32_t severity, MlirStringRef text);
  void (*emit_with_notes)(MlirLocation location, int32_t severity,
                          MlirStringRef text, intptr_t note_count,
                          const MlirLocation *note_locations,
                          const MlirStringRef *note_texts);
  int32_t (*operation_traits)(MlirContext context, MlirStringRef name);
  bool (*register_pass)(MlirStringRef name, MlirStringRef summary,
                        provider_build_pass build, void *user_data);
  bool (*has_pass)(MlirStringRef name);
  void (*watch_passes)(MlirPassManager manager, provider_watch watch,
                       void *user_data);
  bool (*dump_ir)(MlirPassManager manager, int32_t how,
                  MlirOpPrintingFlags flags, provider_wants_dump wants,
                  provider_show_dump show, void *user_data);
  void *(*timing_create)(int32_t how, MlirStringCallback callback,
                         void *user_data);
  void (*timing_begin)(void *timing, MlirStringRef name);
  void (*timing_end)(void *timing);
  void (*timing_attach)(void *timing, MlirPassManager manager);
  void (*timing_finish)(void *timing);
  void (*measure)(MlirPassManager manager, provider_measured measured,
                  void *user_data);
  const void *(*last_pass)(MlirOpPassManager manager, MlirStringRef *name);
};

#endif // MLIRPLUG_PROVIDER_API_H
