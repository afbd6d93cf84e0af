// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass plugin of MLIR's own kind, as its documentation has one.

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

namespace {
struct TagPass : mlir::PassWrapper<TagPass, mlir::OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TagPass)

  TagPass() = default;
  TagPass(const TagPass &other) : PassWrapper(other) {}

  llvm::StringRef getArgument() const final { return "cxx-tag"; }
  llvm::StringRef getDescription() const final { return "Tags an operation"; }

  void runOnOperation() override {
    getOperation()->setAttr(name, mlir::UnitAttr::get(&getContext()));
  }

  Option<std::string> name{*this, "name", llvm::cl::desc("The attribute"),
                           llvm::cl::init("cxx.tagged")};
};
} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK ::mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {CXX_API_VERSION, "cxx-tag", "1.0",
          [] { mlir::PassRegistration<TagPass>(); }};
}
