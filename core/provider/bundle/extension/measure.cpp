// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 16

#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/DenseMap.h"

namespace {

/// An operation, as it was before a pass.
struct Before {
  Before(mlir::Operation *operation) : print(operation) {}

  mlir::OperationFingerPrint print;
  int64_t operations = 0;
};

/// Called by one thread at a time, which MLIR's lock sees to.
class Measure : public mlir::PassInstrumentation {
public:
  Measure(MlirplugExtMeasured measured, void *userData)
      : measured(measured), userData(userData) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *operation) override {
    if (isAdaptor(pass))
      return;
    Before before(operation);
    before.operations = count(operation);
    under.erase(pass);
    under.try_emplace(pass, before);
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *operation) override {
    auto found = under.find(pass);
    if (found == under.end())
      return;
    mlir::OperationFingerPrint now(operation);
    tell(pass, !(found->second.print == now),
         count(operation) - found->second.operations);
    under.erase(found);
  }

  void runAfterPassFailed(mlir::Pass *pass,
                          mlir::Operation * /*operation*/) override {
    if (under.erase(pass))
      tell(pass, false, 0);
  }

private:
  /// What runs nested pipelines is a pass, too, but none that anybody wrote.
  static bool isAdaptor(const mlir::Pass *pass) {
    return pass->getArgument().empty() &&
           pass->getName().ends_with("OpToOpPassAdaptor");
  }

  static int64_t count(mlir::Operation *operation) {
    int64_t operations = 0;
    operation->walk([&](mlir::Operation *) { ++operations; });
    return operations;
  }

  void tell(const mlir::Pass *pass, bool changed, int64_t added) {
    MlirStringRef name = wrap(pass->getName());
    MlirStringRef argument = wrap(pass->getArgument());
    // Clones for threads lead to the pass that the pipeline was built with.
    // What a pass runs inside leads to what is gone: it is not looked into.
    if (const mlir::Pass *original = pass->getThreadingSibling())
      pass = original;
    measured(pass, name, argument, changed, added, userData);
  }

  MlirplugExtMeasured measured;
  void *userData;
  llvm::DenseMap<const mlir::Pass *, Before> under;
};

} // namespace

void mlirplugExtMeasure(MlirPassManager manager, MlirplugExtMeasured measured,
                        void *userData) {
  unwrap(manager)->addInstrumentation(
      std::make_unique<Measure>(measured, userData));
}

const void *mlirplugExtLastPass(MlirOpPassManager manager,
                                MlirStringRef *name) {
  auto passes = unwrap(manager)->getPasses();
  const mlir::Pass *last = nullptr;
  for (const mlir::Pass &pass : passes)
    last = &pass;
  *name = wrap(last ? last->getName() : llvm::StringRef());
  return last;
}

#endif
