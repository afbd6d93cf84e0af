// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that only the providers of mlirplug have, as imports: ask for each
// with MLIRPLUG_HAS. What they promise is in provider/bundle/extension/.

#ifndef MLIRPLUG_CLI_EXTENSION_H
#define MLIRPLUG_CLI_EXTENSION_H

#include "cli/mlir.h"

/// What mlirplugExtParse is asked for, as bits.
enum {
  EXTENSION_UNVERIFIED = 1,
  EXTENSION_EXPLICIT_ROOT = 2,
  EXTENSION_WITHOUT_REPRODUCER = 4,
};

MLIRPLUG_FUNCTION(void *, mlirplugExtResourcesCreate, (void), ())
MLIRPLUG_PROCEDURE(mlirplugExtResourcesDestroy, (void *resources), (resources))
MLIRPLUG_FUNCTION(MlirOperation, mlirplugExtParse,
                  (MlirContext context, MlirStringRef text, MlirStringRef name,
                   int32_t how, void *resources),
                  (context, text, name, how, resources))
MLIRPLUG_PROCEDURE(mlirplugExtPrint,
                   (MlirOperation operation, MlirOpPrintingFlags flags,
                    void *resources, MlirStringCallback callback,
                    void *userData),
                   (operation, flags, resources, callback, userData))
MLIRPLUG_FUNCTION(bool, mlirplugExtWriteBytecode,
                  (MlirOperation operation, int64_t version,
                   bool elideResources, void *resources,
                   MlirStringCallback callback, void *userData),
                  (operation, version, elideResources, resources, callback,
                   userData))
MLIRPLUG_FUNCTION(bool, mlirplugExtSetOption,
                  (MlirStringRef name, MlirStringRef value), (name, value))
MLIRPLUG_PROCEDURE(mlirplugExtDialectNames,
                   (MlirDialectRegistry registry, MlirStringCallback callback,
                    void *userData),
                   (registry, callback, userData))
MLIRPLUG_FUNCTION(bool, mlirplugExtHasPass, (MlirStringRef name), (name))

/// MlirplugExtRemarks.
struct extension_remarks {
  MlirStringRef all, passed, missed, analysis, failed;
  MlirStringRef file;
  bool bitstream;
  bool only_final;
};

MLIRPLUG_FUNCTION(bool, mlirplugExtEnableRemarks,
                  (MlirContext context, const struct extension_remarks *wanted),
                  (context, wanted))

/// A function of the C API that the headers for plugins do not have.
MLIRPLUG_FUNCTION(MlirLogicalResult, mlirLoadIRDLDialects, (MlirModule module),
                  (module))

#endif // MLIRPLUG_CLI_EXTENSION_H
