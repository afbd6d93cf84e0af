// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect plugin of MLIR's own kind: operations "guest.…" of any form.

#include "mlir/IR/Dialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

namespace {
class GuestDialect : public mlir::Dialect {
public:
  explicit GuestDialect(mlir::MLIRContext *context)
      : Dialect("guest", context, mlir::TypeID::get<GuestDialect>()) {
    allowUnknownOperations();
  }
  static llvm::StringRef getDialectNamespace() { return "guest"; }
};
} // namespace

extern "C" mlir::DialectPluginLibraryInfo mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "guest", "1",
          [](mlir::DialectRegistry *registry) {
            registry->insert<GuestDialect>();
          }};
}
