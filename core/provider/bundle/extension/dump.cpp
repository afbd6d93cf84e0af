// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace {

/// Who wants to see the IR around which passes.
struct Viewer {
  MlirplugExtWantsDump wants;
  MlirplugExtShowDump show;
  void *userData;
};

class Dumps : public mlir::PassManager::IRPrinterConfig {
public:
  Dumps(const Viewer &viewer, int32_t how, const mlir::OpPrintingFlags &flags)
      : IRPrinterConfig(how & MLIRPLUG_EXTENSION_DUMP_WHOLE,
                        how & MLIRPLUG_EXTENSION_DUMP_CHANGED,
                        how & MLIRPLUG_EXTENSION_DUMP_FAILED, flags),
        viewer(viewer) {}

  void printBeforeIfEnabled(mlir::Pass *pass, mlir::Operation *operation,
                            PrintCallbackFn print) override {
    dump(pass, operation, /*after=*/false, print);
  }

  void printAfterIfEnabled(mlir::Pass *pass, mlir::Operation *operation,
                           PrintCallbackFn print) override {
    dump(pass, operation, /*after=*/true, print);
  }

private:
  void dump(mlir::Pass *pass, mlir::Operation *operation, bool after,
            PrintCallbackFn print) const {
    MlirStringRef name = wrap(pass->getName());
    MlirStringRef argument = wrap(pass->getArgument());
    if (!viewer.wants(name, argument, after, viewer.userData))
      return;
    std::string text;
    llvm::raw_string_ostream stream(text);
    print(stream);
    stream.flush();
    viewer.show(wrap(operation), name, argument, wrap(llvm::StringRef(text)),
                viewer.userData);
  }

  Viewer viewer;
};

} // namespace

bool mlirplugExtDumpIR(MlirPassManager manager, int32_t how,
                       MlirOpPrintingFlags flags, MlirplugExtWantsDump wants,
                       MlirplugExtShowDump show, void *userData) {
  mlir::PassManager *passes = unwrap(manager);
  if ((how & MLIRPLUG_EXTENSION_DUMP_WHOLE) &&
      passes->getContext()->isMultithreadingEnabled())
    return false;
  passes->enableIRPrinting(std::make_unique<Dumps>(
      Viewer{wants, show, userData}, how,
      flags.ptr ? *unwrap(flags) : mlir::OpPrintingFlags()));
  return true;
}
