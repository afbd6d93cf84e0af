// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Visiting the operations of a module.

#ifndef MLIRPLUG_OBJECT_WALK_H
#define MLIRPLUG_OBJECT_WALK_H

#include "object/llvm.h"

/// Is called for an operation, which it may destroy; false ends the walk.
typedef bool (*walk_visit)(const struct object_api *api,
                           MlirOperation operation, void *data);

/// Visits `root` and all in it, a parent after its children. False if a visit
/// ended it.
bool walk_operations(const struct object_api *api, MlirOperation root,
                     walk_visit visit, void *data);

/// Visits those with a name.
bool walk_named(const struct object_api *api, MlirOperation root,
                const char *name, walk_visit visit, void *data);

#endif // MLIRPLUG_OBJECT_WALK_H
