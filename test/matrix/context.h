// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A context on any provider: with whatever dialects it offers.

#ifndef MLIRPLUG_TEST_MATRIX_CONTEXT_H
#define MLIRPLUG_TEST_MATRIX_CONTEXT_H

#include <mlirplug/host.h>

/// Fills this program's imports from the provider of `host`, and registers the
/// passes of MLIR if it has them.
mlirplug_status context_prepare(mlirplug_host *host, mlirplug_error **error);

/// A context with threads and all dialects of the provider, which takes unknown
/// operations. The caller destroys it.
MlirContext context_create(void);

#endif // MLIRPLUG_TEST_MATRIX_CONTEXT_H
