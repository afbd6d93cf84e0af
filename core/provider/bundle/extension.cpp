// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Config/llvm-config.h"
#if LLVM_VERSION_MAJOR >= 17
#include "mlir/Interfaces/FunctionInterfaces.h"
#else
#include "mlir/IR/FunctionInterfaces.h"
#endif

static mlir::DiagnosticSeverity severityOf(int32_t severity) {
  switch (severity) {
  case MlirDiagnosticWarning:
    return mlir::DiagnosticSeverity::Warning;
  case MlirDiagnosticNote:
    return mlir::DiagnosticSeverity::Note;
  case MlirDiagnosticRemark:
    return mlir::DiagnosticSeverity::Remark;
  default:
    return mlir::DiagnosticSeverity::Error;
  }
}

void mlirplugExtEmit(MlirLocation location, int32_t severity,
                     MlirStringRef text) {
  mlir::Location where = unwrap(location);
  // A Twine is copied into the diagnostic, a StringRef would be referred to;
  // with threads, MLIR keeps diagnostics until the passes are done.
  where->getContext()->getDiagEngine().emit(where, severityOf(severity))
      << llvm::Twine(unwrap(text));
}

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

bool mlirplugExtOperationIsFunction(MlirOperation operation) {
  return llvm::isa<mlir::FunctionOpInterface>(unwrap(operation));
}
