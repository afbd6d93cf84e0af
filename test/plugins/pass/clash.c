// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass with the name of one that MLIR has.

#include <mlirplug/plugin.h>

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  (void)root;
  return MLIRPLUG_OK;
}

static const mlirplug_pass cse = {
    MLIRPLUG_PASS("cse", "Is not the one from MLIR"),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.clash", "1.0.0", &cse);
