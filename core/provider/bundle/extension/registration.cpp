// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Config/llvm-config.h"

static MlirLogicalResult
buildPass(mlirplugExtBuildPass build, void *userData,
          mlir::OpPassManager &passes, llvm::StringRef options,
          llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse) {
  auto tell = [](MlirStringRef message, void *handler) {
    (void)(*static_cast<decltype(refuse) *>(handler))(
        llvm::Twine(unwrap(message)));
  };
  return build(wrap(&passes), wrap(passes.getOpAnchorName()), wrap(options),
               tell, &refuse, userData);
}

bool mlirplugExtHasPass(MlirStringRef name) {
#if LLVM_VERSION_MAJOR >= 17
  return mlir::PassInfo::lookup(unwrap(name)) != nullptr;
#else
  return mlir::Pass::lookupPassInfo(unwrap(name)) != nullptr;
#endif
}

bool mlirplugExtRegisterPass(MlirStringRef name, MlirStringRef summary,
                             mlirplugExtBuildPass build, void *userData) {
  if (mlirplugExtHasPass(name))
    return false;
#if LLVM_VERSION_MAJOR >= 17 // Before, the first of a name simply stays.
  if (mlir::PassPipelineInfo::lookup(unwrap(name)))
    return false;
#endif
  mlir::registerPassPipeline(
      unwrap(name), unwrap(summary),
      [build, userData](
          mlir::OpPassManager &passes, llvm::StringRef options,
          llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> refuse) {
        return unwrap(buildPass(build, userData, passes, options, refuse));
      },
      // Options as objects of C++, for mlir-opt's help.
      [](llvm::function_ref<void(const mlir::detail::PassOptions &)>) {});
  return true;
}
