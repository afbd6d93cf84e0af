// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The MLIR of the tool whose process this is: where its registry of passes is.
// No C function of MLIR puts a pass in there, so C++ ones are called, by their
// mangled names. A name holds the types of all arguments, and with them whose
// std::function it takes: a function that has the name is the one expected.

#ifndef MLIRPLUG_STOCK_TOOL_H
#define MLIRPLUG_STOCK_TOOL_H

#include "provider/binding.h"
#include "stock/function.h"

struct tool {
  const char *path; ///< Of the object that has the registry; owned.

  /// mlir::registerPassPipeline: enters a name into the registry. The first
  /// function is copied, the second is moved from and left to the caller.
  void (*register_pipeline)(MlirStringRef name, MlirStringRef summary,
                            const struct function *build,
                            struct function *tell_options);

  // Whether a pass, or a pipeline, of a name is in the registry. Null if it
  // cannot be asked.
  const void *(*find_pass)(MlirStringRef name);     ///< mlir::PassInfo::lookup
  const void *(*find_pipeline)(MlirStringRef name); ///< PassPipelineInfo's
};

/// Finds the only registry in the process.
mlirplug_status tool_find(struct tool *tool, mlirplug_error **error);
void tool_release(struct tool *tool);

/// The C API for the tool's copy of MLIR: the one that the object with the
/// registry has, or libmlirplug-irNN.so, which is beside the providers.
mlirplug_status tool_bind(const struct tool *tool,
                          const struct binding **binding,
                          mlirplug_error **error);

#endif // MLIRPLUG_STOCK_TOOL_H
