// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's diagnostics on standard error, in the form that mlir-opt gives them:
//
//     input.mlir:4:10: error: operation is marked forbidden
//         %0 = arith.addi %a, %a {forbidden} : i32
//              ^

#ifndef MLIRPLUG_CLI_DIAGNOSTIC_H
#define MLIRPLUG_CLI_DIAGNOSTIC_H

#include "cli/console.h"
#include "cli/mlir.h"
#include "cli/place.h"
#include "cli/source.h"

/// What the handler needs; outlives the context it is attached to.
struct diagnostics {
  struct console *console;
  struct source source;
  size_t errors; ///< So far, also those that were not shown.
  /// Compares them instead of showing them; null: shows them. Not owned.
  struct verification *verification;
  bool no_warnings, no_remarks; ///< Those are not shown.
  bool no_notes;
  /// What is being read, for places in text that MLIR has no name for.
  const char *input;
};

void diagnostics_attach(struct diagnostics *diagnostics, MlirContext context);

/// Shows a message of the command's own about a place in a file.
void diagnostics_say(struct diagnostics *diagnostics, const char *file,
                     size_t line, size_t column, const char *severity,
                     const char *text);

/// The same for a location.
void diagnostics_say_at(struct diagnostics *diagnostics, MlirLocation location,
                        const char *severity, const char *text);

/// The place in a file that a location points to, if there is one. Its text is
/// to be freed.
bool diagnostics_place(MlirLocation location, struct place *place);

/// The text of a diagnostic without its notes, to be freed; null if memory runs
/// out.
char *diagnostics_text(MlirDiagnostic diagnostic);

/// "error" and so on.
const char *diagnostics_severity(MlirDiagnosticSeverity severity);

#endif // MLIRPLUG_CLI_DIAGNOSTIC_H
