// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin with the pass PASS that leaves a mark when it is loaded: the file
// PASS in the directory that MLIRPLUG_TEST_MARKS names.

#include <mlirplug/plugin.h>

#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void mark(void) {
  const char *directory = getenv("MLIRPLUG_TEST_MARKS");
  if (!directory)
    return;
  char path[4096];
  (void)snprintf(path, sizeof path, "%s/" PASS, directory);
  FILE *file = fopen(path, "we");
  if (file)
    (void)fclose(file);
}

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  mlirplug_emit(run, MlirDiagnosticRemark, mlirOperationGetLocation(root),
                PASS " ran");
  return MLIRPLUG_OK;
}

static const mlirplug_pass pass = {
    MLIRPLUG_PASS(PASS, "Says that it ran"),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test." PASS, "1.0.0", &pass);
