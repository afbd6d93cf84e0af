// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

#include <string>

namespace {

/// Called by one thread at a time, which MLIR's lock sees to.
class Watch : public mlir::PassInstrumentation {
public:
  Watch(MlirplugExtPassWatch watch, void *userData)
      : watch(watch), userData(userData) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *operation) override {
    tell(MLIRPLUG_EXTENSION_PASS_BEFORE, pass, operation);
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *operation) override {
    tell(MLIRPLUG_EXTENSION_PASS_AFTER, pass, operation);
  }
  void runAfterPassFailed(mlir::Pass *pass,
                          mlir::Operation *operation) override {
    tell(MLIRPLUG_EXTENSION_PASS_FAILED, pass, operation);
  }

private:
  void tell(int32_t event, mlir::Pass *pass, mlir::Operation *operation) {
    // What runs nested pipelines is a pass, too, but none that anybody wrote.
    if (pass->getName().contains("OpToOpPassAdaptor"))
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    pass->printAsTextualPipeline(stream);
    stream.flush();
    watch(event, pass, wrap(pass->getName()), wrap(llvm::StringRef(text)),
          wrap(operation), userData);
  }

  MlirplugExtPassWatch watch;
  void *userData;
};

} // namespace

void mlirplugExtWatchPasses(MlirPassManager manager, MlirplugExtPassWatch watch,
                            void *userData) {
  unwrap(manager)->addInstrumentation(std::make_unique<Watch>(watch, userData));
}
