// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Dialect.h"

void mlirplugExtDialectNames(MlirDialectRegistry registry,
                             MlirStringCallback callback, void *userData) {
  for (llvm::StringRef name : unwrap(registry)->getDialectNames())
    callback(wrap(name), userData);
}
