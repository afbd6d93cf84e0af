// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "extension.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"

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

void mlirplugExtEmitWithNotes(MlirLocation location, int32_t severity,
                              MlirStringRef text, intptr_t noteCount,
                              const MlirLocation *noteLocations,
                              const MlirStringRef *noteTexts) {
  mlir::Location where = unwrap(location);
  mlir::InFlightDiagnostic diagnostic =
      where->getContext()->getDiagEngine().emit(where, severityOf(severity));
  diagnostic << llvm::Twine(unwrap(text));
  for (intptr_t i = 0; i < noteCount; ++i)
    diagnostic.attachNote(unwrap(noteLocations[i]))
        << llvm::Twine(unwrap(noteTexts[i]));
}
