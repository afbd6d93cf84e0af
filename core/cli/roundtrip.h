// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --verify-roundtrip: whether IR is the same after it was written and read.

#ifndef MLIRPLUG_CLI_ROUNDTRIP_H
#define MLIRPLUG_CLI_ROUNDTRIP_H

#include "cli/command.h"
#include "cli/diagnostic.h"

/// Tries it as text and as bytecode, in contexts of their own. False after
/// saying how it differs.
bool roundtrip_verify(const struct arguments *arguments, mlirplug_host *host,
                      MlirOperation root, struct diagnostics *diagnostics);

#endif // MLIRPLUG_CLI_ROUNDTRIP_H
