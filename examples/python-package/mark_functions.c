// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mark-functions: an attribute for every function.

#include <mlirplug/ir/BuiltinAttributes.h>
#include <mlirplug/plugin.h>

static mlirplug_status run(const mlirplug_run *run, MlirOperation function) {
  (void)run;
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString("marked"),
      mlirUnitAttrGet(mlirOperationGetContext(function)));
  return MLIRPLUG_OK;
}

static const mlirplug_pass mark_functions = {
    MLIRPLUG_PASS("mark-functions", "Mark every function"),
    .anchor = "func.func",
    .run = run,
};

MLIRPLUG_PLUGIN("org.example.mark-functions", "1.0.0", &mark_functions);
