// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef MLIRPLUG_PIPELINE_LIMIT_H
#define MLIRPLUG_PIPELINE_LIMIT_H

/// Nests inside one another, the outermost included. Real pipelines have three
/// or four; the limit lets trees be walked by recursion.
#define PIPELINE_DEPTH_LIMIT 256

#endif // MLIRPLUG_PIPELINE_LIMIT_H
