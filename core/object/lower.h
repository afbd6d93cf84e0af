// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a module to one of the LLVM dialect alone.

#ifndef MLIRPLUG_OBJECT_LOWER_H
#define MLIRPLUG_OBJECT_LOWER_H

#include "object/llvm.h"

/// Lowers `module` in place by `pipeline`, or by the default one if that is
/// null, and checks that nothing else is left. `scalable` tells whether vectors
/// may have a size that is not known yet; `target` is for the error.
mlirplug_status lower_module(const struct object_api *api, mlirplug_host *host,
                             MlirModule module, const char *pipeline,
                             bool scalable, const char *target,
                             mlirplug_error **error);

#endif // MLIRPLUG_OBJECT_LOWER_H
