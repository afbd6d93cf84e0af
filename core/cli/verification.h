// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --verify-diagnostics at work: the diagnostics of one input are compared with
// what it expects, and what differs is an error.

#ifndef MLIRPLUG_CLI_VERIFICATION_H
#define MLIRPLUG_CLI_VERIFICATION_H

#include "cli/expectation.h"

struct diagnostics;

/// Zero bytes are one that has not begun.
struct verification {
  struct diagnostics *diagnostics;
  const char *file; ///< In whose text the expectations are.
  struct expectations expectations;
  bool only_expected; ///< Others are no error.
  bool failed;
};

/// Begins to compare what comes to `diagnostics`, instead of showing it. False
/// after saying why not.
bool verification_begin(struct verification *verification,
                        struct diagnostics *diagnostics, const char *file,
                        const char *content, size_t length, bool only_expected);

/// Takes a diagnostic and its notes. Any thread, one at a time.
void verification_take(struct verification *verification,
                       MlirDiagnostic diagnostic);

/// Says what was expected and did not come. True if all was as expected.
bool verification_end(struct verification *verification);

#endif // MLIRPLUG_CLI_VERIFICATION_H
