// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the system's loader says when it refuses a plugin.

#ifndef MLIRPLUG_LOAD_REASON_H
#define MLIRPLUG_LOAD_REASON_H

#include "base/error.h"

/// Makes `reason`, the loader's, the error of the plugin at `plugin`, with what
/// helps against it. `opened` is the path that the loader was given.
mlirplug_status loader_refuse(const char *plugin, const char *opened,
                              const char *reason, mlirplug_error **error);

#endif // MLIRPLUG_LOAD_REASON_H
