// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Direct mode: where MLIR takes no passes of others, the core runs a pipeline's
// plugin passes itself, in the order in which MLIR would without threads. The
// passes notice nothing; those of MLIR cannot be had.

#ifndef MLIRPLUG_PASS_DIRECT_H
#define MLIRPLUG_PASS_DIRECT_H

#include "pass/manager.h"

struct direct;

/// Makes the places of the pipeline's passes, with an instance each, and
/// `manager->direct`.
mlirplug_status direct_build(struct mlirplug_manager *manager,
                             mlirplug_error **error);

/// Runs all passes on `root`. False if one failed, which was reported.
bool direct_run(struct mlirplug_manager *manager, MlirOperation root);

/// Destroys the instances too. The places are still there.
void direct_destroy(struct mlirplug_manager *manager);

#endif // MLIRPLUG_PASS_DIRECT_H
