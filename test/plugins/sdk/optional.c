// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin that uses a function only where the host has it.
// mlirLocationIsAUnknown is not in MLIR 22.

#include <mlirplug/ir/Operation.h>
#include <mlirplug/plugin.h>

MLIRPLUG_FUNCTION(bool, mlirLocationIsAUnknown, (MlirLocation location),
                  (location))

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  MlirLocation location = mlirOperationGetLocation(root);
  bool known = !MLIRPLUG_HAS(mlirLocationIsAUnknown);
  if (!known)
    known = !mlirLocationIsAUnknown(location);
  mlirplug_emit(run, MlirDiagnosticRemark, location,
                known ? "as far as is known" : "from nowhere");
  return MLIRPLUG_OK;
}

static const mlirplug_pass optional = {
    MLIRPLUG_PASS("optional", "Needs nothing"),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.optional", "1.0.0", &optional);
