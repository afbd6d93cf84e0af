// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin whose id is ID and whose pass is called NAME. Compiled as C or C++.

#ifdef __cplusplus
#include <mlirplug/plugin.hpp>

static mlirplug_status run(const mlirplug_run *, MlirOperation) noexcept {
  return MLIRPLUG_OK;
}

constexpr mlirplug_pass own = mlirplug::pass(NAME, "Does nothing").run(run);
#else
#include <mlirplug/plugin.h>

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  (void)run;
  (void)root;
  return MLIRPLUG_OK;
}

static const mlirplug_pass own = {
    MLIRPLUG_PASS(NAME, "Does nothing"),
    .run = run,
};
#endif

MLIRPLUG_PLUGIN(ID, "1.0.0", &own);
