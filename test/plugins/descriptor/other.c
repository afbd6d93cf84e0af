// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass that another file of the plugin names, visible to all the world.

#include <mlirplug/plugin.h>

static mlirplug_status run(const mlirplug_run *its_run, MlirOperation root) {
  (void)its_run;
  (void)root;
  return MLIRPLUG_OK;
}

extern __attribute__((visibility("default"))) const mlirplug_pass other_pass;
const mlirplug_pass other_pass = {
    MLIRPLUG_PASS("other-pass", "From another file"),
    .run = run,
};
