// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 17
#include "mlir/Interfaces/FunctionInterfaces.h"
#else
#include "mlir/IR/FunctionInterfaces.h"
#endif

int32_t mlirplugExtOperationTraits(MlirContext context, MlirStringRef name) {
  mlir::MLIRContext *known = unwrap(context);
  llvm::StringRef wanted = unwrap(name);
  known->getOrLoadDialect(wanted.split('.').first);
  // An llvm::Optional in 15 and 16, a std::optional since.
  auto found = mlir::RegisteredOperationName::lookup(wanted, known);
  if (!found)
    return 0;
  int32_t traits = MLIRPLUG_EXTENSION_REGISTERED;
  if (found->hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
    traits |= MLIRPLUG_EXTENSION_ISOLATED;
  if (found->hasInterface<mlir::FunctionOpInterface>())
    traits |= MLIRPLUG_EXTENSION_FUNCTION;
  return traits;
}
