// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline that is ready to be built: parsed, and resolved against a snapshot
// of the catalogue.

#ifndef MLIRPLUG_PIPELINE_PIPELINE_H
#define MLIRPLUG_PIPELINE_PIPELINE_H

#include "host/host.h"
#include "pipeline/tree.h"

struct mlirplug_pipeline {
  const mlirplug_host *host;
  struct catalogue *catalogue; ///< The snapshot that its passes come from.
  struct arena arena;          ///< Of the tree.
  struct pipeline_node *root;
  const char *source; ///< As written: what positions in errors refer to.
  const char *text;   ///< As printed.
};

/// Resolves another tree, made in `arena`, against the pipeline's snapshot, as
/// pipeline_tree_resolve does without nesting freely.
mlirplug_status pipeline_resolve(const mlirplug_pipeline *pipeline,
                                 struct pipeline_node *root, const char *text,
                                 struct arena *arena, mlirplug_error **error);

#endif // MLIRPLUG_PIPELINE_PIPELINE_H
