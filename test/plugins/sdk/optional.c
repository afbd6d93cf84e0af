// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that uses a function only where the host has it. mlirEmitRemark is
// not in MLIR 22.

#include <mlirplug/ir/Operation.h>
#include <mlirplug/plugin.h>

MLIRPLUG_PROCEDURE(mlirEmitRemark, (MlirLocation location, const char *text),
                   (location, text))

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  MlirLocation location = mlirOperationGetLocation(root);
  if (MLIRPLUG_HAS(mlirEmitRemark))
    mlirEmitRemark(location, "by MLIR");
  else
    mlirplug_emit(run, MlirDiagnosticRemark, location, "by the host");
  return MLIRPLUG_OK;
}

static const mlirplug_pass optional = {
    MLIRPLUG_PASS("optional", "Needs nothing"),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.optional", "1.0.0", &optional);
