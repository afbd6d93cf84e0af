// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --verify-diagnostics: the diagnostics that a file says it causes, such as
//
//     %0 = foo() // expected-error {{unknown operation}}
//
// on their lines, or @above, @below, @+1, @-2 or @unknown; -re makes {{…}} in
// the text regular expressions. All as mlir-opt reads it.

#ifndef MLIRPLUG_CLI_EXPECTATION_H
#define MLIRPLUG_CLI_EXPECTATION_H

#include "cli/mlir.h"

#include <regex.h>
#include <stdio.h>

struct expectation {
  MlirDiagnosticSeverity severity;
  size_t line;               ///< Of the diagnostic; 0 for one without a place.
  size_t at_line, at_column; ///< Of the expectation itself.
  char *text;                ///< As written, owned.
  bool is_regex;
  regex_t regex;
  bool met;
  bool waits; ///< For the next line that expects nothing, while reading.
};

/// Zero bytes expect nothing.
struct expectations {
  struct expectation *items;
  size_t count;
  size_t capacity;
};

/// Told of an expectation that cannot be understood.
typedef void expectation_fault(size_t line, size_t column, const char *text,
                               void *user_data);

/// Finds the expectations in the text of a file. False if memory runs out.
/// Those that cannot be understood are told and not expected.
bool expectations_find(struct expectations *expectations, const char *content,
                       size_t length, expectation_fault *fault,
                       void *user_data);
void expectations_release(struct expectations *expectations);

/// Marks the one that expects this diagnostic at `line` (0 for one without a
/// place) as met. False if there is none; `*near` is then one that expects it
/// with another severity, or null.
bool expectations_meet(struct expectations *expectations, size_t line,
                       MlirDiagnosticSeverity severity, const char *text,
                       const struct expectation **near);

#endif // MLIRPLUG_CLI_EXPECTATION_H
