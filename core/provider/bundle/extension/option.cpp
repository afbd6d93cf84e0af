// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/Support.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"

bool mlirplugExtSetOption(MlirStringRef name, MlirStringRef value) {
  mlir::registerAsmPrinterCLOptions();
  mlir::registerMLIRContextCLOptions();
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find(unwrap(name));
  if (found == options.end())
    return false;
  // True is a failure.
  return !found->second->addOccurrence(1, unwrap(name), unwrap(value));
}
