// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding the copy of MLIR that somebody else has brought into this process.
// One that cannot be told from another is never guessed: a context of one means
// nothing to the other.

#ifndef MLIRPLUG_PROVIDER_PROCESS_H
#define MLIRPLUG_PROVIDER_PROCESS_H

#include "provider/library.h"

/// The only copy of MLIR in this process. `library` is released by the caller.
mlirplug_status process_find(struct library *library, mlirplug_error **error);

/// The copy that the Python package `package` brought: "jaxlib.mlir", or the
/// name of one of its capsules, "jaxlib.mlir.ir.Module._CAPIPtr". It is looked
/// for among the package's own files, nearest to its extension modules first.
mlirplug_status process_find_package(const char *package,
                                     struct library *library,
                                     mlirplug_error **error);

#endif // MLIRPLUG_PROVIDER_PROCESS_H
