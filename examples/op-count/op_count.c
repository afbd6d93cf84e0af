// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mlirplug/plugin.h>

static MlirWalkResult count(MlirOperation op, void *total) {
  (void)op;
  ++*(int *)total;
  return MlirWalkResultAdvance;
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation function) {
  int total = -1; // the function itself does not count
  mlirOperationWalk(function, count, &total, MlirWalkPreOrder);
  mlirplug_emit(run, MlirDiagnosticRemark, mlirOperationGetLocation(function),
                "%d operations", total);
  return MLIRPLUG_OK;
}

static const mlirplug_pass op_count = {
    MLIRPLUG_PASS("op-count", "Count the operations of each function"),
    .anchor = "func.func",
    .run = run,
};
MLIRPLUG_PLUGIN("org.example.op-count", "1.0.0", &op_count);
