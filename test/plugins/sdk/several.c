// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "several.h"

struct options {
  int64_t least;
};

static const mlirplug_option options[] = {
    MLIRPLUG_INT_RANGE(struct options, least, "least", 2, 0, 100,
                       "Say nothing below this depth"),
};

static mlirplug_status run(const mlirplug_run *run, MlirOperation root) {
  const struct options *chosen = (const struct options *)run->options;
  int depth = several_depth(root);
  if (depth >= chosen->least)
    mlirplug_emit(run, MlirDiagnosticRemark, mlirOperationGetLocation(root),
                  "%d operations in %ld regions, %d deep", several_count(root),
                  (long)mlirOperationGetNumRegions(root), depth);
  return MLIRPLUG_OK;
}

static const mlirplug_pass several = {
    MLIRPLUG_PASS("several", "A pass in several files"),
    MLIRPLUG_OPTIONS(struct options, options),
    .run = run,
};

MLIRPLUG_PLUGIN("org.mlirplug.test.several", "1.0.0", &several);
