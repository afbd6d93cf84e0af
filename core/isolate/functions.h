// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of MLIR that isolation needs besides provider_api.

#ifndef MLIRPLUG_ISOLATE_FUNCTIONS_H
#define MLIRPLUG_ISOLATE_FUNCTIONS_H

#include "base/error.h"
#include "provider/binding.h"

#define ISOLATE_FUNCTIONS(X)                                                   \
  X(mlirAttributeParseGet)                                                     \
  X(mlirContextAttachDiagnosticHandler)                                        \
  X(mlirContextGetAllowUnregisteredDialects)                                   \
  X(mlirContextGetNumThreads)                                                  \
  X(mlirDiagnosticGetLocation)                                                 \
  X(mlirDiagnosticGetNote)                                                     \
  X(mlirDiagnosticGetNumNotes)                                                 \
  X(mlirDiagnosticGetSeverity)                                                 \
  X(mlirDiagnosticPrint)                                                       \
  X(mlirLocationFromAttribute)                                                 \
  X(mlirLocationPrint)                                                         \
  X(mlirOperationCreateParse)                                                  \
  X(mlirOperationDestroy)                                                      \
  X(mlirOperationGetAttribute)                                                 \
  X(mlirOperationGetNumAttributes)                                             \
  X(mlirOperationPrint)                                                        \
  X(mlirOperationRemoveAttributeByName)                                        \
  X(mlirOperationSetAttributeByName)                                           \
  X(mlirOperationWriteBytecode)                                                \
  X(mlirRegionTakeBody)

struct isolate_functions {
#define MEMBER(name) __typeof__(&name) name;
  ISOLATE_FUNCTIONS(MEMBER)
#undef MEMBER
  /// Of the extension; may be null.
  void (*catch_fatal)(void (*tell)(const char *reason, void *user_data),
                      void *user_data);
};

/// Finds all of them. False with the first that is missing in `*absent`.
bool isolate_functions_find(const struct binding *binding,
                            struct isolate_functions *functions,
                            const char **absent);

#endif // MLIRPLUG_ISOLATE_FUNCTIONS_H
