// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One plugin in two VERSIONs, of which the second takes the first one's place.

#include <mlirplug/plugin.h>

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  (void)root;
  static const char text[] = "{\"version\": " VERSION "}";
  return mlirplug_record_write(run, (MlirStringRef){text, sizeof text - 1});
}

static const mlirplug_pass version_pass = {
    MLIRPLUG_PASS("version", "Says which version it is"),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.version", VERSION ".0.0", &version_pass);
