// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What MLIR can do and its C API cannot say: extra functions that our own
// providers export. They are part of no release of MLIR; the core asks for them
// by name, as for any function, and does without where they are missing.
//
// Only extension.cpp includes this: it is what the functions promise. A
// function whose signature changes gets another name. They are the same on
// every release of MLIR that the library is built for, 15 to 22.

#ifndef MLIRPLUG_PROVIDER_LIBRARY_EXTENSION_H
#define MLIRPLUG_PROVIDER_LIBRARY_EXTENSION_H

#include <mlir-c/Diagnostics.h>
#include <mlir-c/IR.h>

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MLIRPLUG_EXTENSION __attribute__((visibility("default")))

/// Sends a diagnostic to the handlers of the location's context. `severity` is
/// a MlirDiagnosticSeverity; `text` is taken as it is and copied. Any thread
/// that may use the context. (mlirEmitError knows errors only.)
MLIRPLUG_EXTENSION void mlirplugExtEmit(MlirLocation location, int32_t severity,
                                        MlirStringRef text);

/// What mlirplugExtOperationTraits answers, as bits.
enum {
  /// The context has a dialect that defines the operation. Without this bit
  /// there are no others.
  MLIRPLUG_EXTENSION_REGISTERED = 1,
  /// Passes can run on it: nothing inside refers to values outside.
  MLIRPLUG_EXTENSION_ISOLATED = 2,
  /// It implements FunctionOpInterface.
  MLIRPLUG_EXTENSION_FUNCTION = 4,
};

/// What is known of the operation called `name`, such as "func.func". Loads the
/// dialect that the name begins with if the context's registry has it, so it
/// may not be called while passes run.
MLIRPLUG_EXTENSION int32_t mlirplugExtOperationTraits(MlirContext context,
                                                      MlirStringRef name);

/// Whether `operation` implements FunctionOpInterface. Any thread.
MLIRPLUG_EXTENSION bool mlirplugExtOperationIsFunction(MlirOperation operation);

#ifdef __cplusplus
}
#endif

#endif // MLIRPLUG_PROVIDER_LIBRARY_EXTENSION_H
