// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages as JSON, a line each, for editors and other programs
// (--diagnostics=json):
//
//     {"severity": "error", "message": "…", "file": "x.mlir", "line": 4,
//      "column": 10, "source": "  %0 = …", "location": "loc(…)", "notes":
//      [{…}]}
//
// What is about no place in a file has no "file", "line", "column" and
// "source"; what MLIR has not said has no "location".

#ifndef MLIRPLUG_CLI_DIAGNOSTIC_JSON_H
#define MLIRPLUG_CLI_DIAGNOSTIC_JSON_H

#include "cli/diagnostic.h"

/// Prints a diagnostic with its notes. False if memory runs out.
bool diagnostic_json_print(struct diagnostics *diagnostics, FILE *stream,
                           MlirDiagnostic diagnostic);

/// The same for a message of the command's own; `place` and `location` may be
/// null.
bool diagnostic_json_say(struct diagnostics *diagnostics, FILE *stream,
                         const struct place *place,
                         const MlirLocation *location, const char *severity,
                         const char *text);

#endif // MLIRPLUG_CLI_DIAGNOSTIC_JSON_H
