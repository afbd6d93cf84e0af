// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Anchors that are a property of operations: "@function" and "@symbol". They
// are told by attributes, which every copy of MLIR shows alike.

#ifndef MLIRPLUG_PASS_PROPERTY_H
#define MLIRPLUG_PASS_PROPERTY_H

#include "provider/api.h"

/// Whether this copy of MLIR has the functions for it.
bool property_can_be_told(const struct provider_api *api);

/// Whether `operation` has the property that `anchor` names. Any thread.
bool property_holds(const struct provider_api *api, const char *anchor,
                    MlirOperation operation);

#endif // MLIRPLUG_PASS_PROPERTY_H
