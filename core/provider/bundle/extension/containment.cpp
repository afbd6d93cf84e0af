// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/ErrorHandling.h"

static void (*fatalTell)(const char *reason, void *userData);

static void onFatal(void *userData, const char *reason, bool /*wantsReport*/) {
  fatalTell(reason, userData);
}

void mlirplugExtCatchFatal(void (*tell)(const char *reason, void *userData),
                           void *userData) {
  fatalTell = tell;
  llvm::install_fatal_error_handler(onFatal, userData);
  llvm::install_bad_alloc_error_handler(onFatal, userData);
}
