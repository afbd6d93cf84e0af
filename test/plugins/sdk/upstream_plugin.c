// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass around upstream.c.

#include <mlirplug/plugin.h>

#include "upstream.h"

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  set_number(root, "erased", erase_unused(root));
  return MLIRPLUG_OK;
}

static const mlirplug_pass upstream = {
    MLIRPLUG_PASS("upstream", "Runs code that was written for MLIR's headers"),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.upstream", "1.0.0", &upstream);
