// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points of a module: its public functions with a body.

#ifndef MLIRPLUG_OBJECT_ENTRY_H
#define MLIRPLUG_OBJECT_ENTRY_H

#include "base/text.h"
#include "object/llvm.h"

/// Marks them, so that lowering makes each callable from C, and never writes
/// into a tensor that the caller passes; private functions stay inside.
void entry_mark(const struct object_api *api, MlirModule module);

/// Keeps all but what C calls out of the object's symbols, of a module that was
/// marked and lowered: a kernel may be called "main", as JAX does.
void entry_hide(const struct object_api *api, MlirModule module);

/// Adds the C header for them, of a module that was not lowered yet.
void entry_declare(const struct object_api *api, MlirModule module,
                   struct text *out);

/// Is called for a function.
typedef void (*entry_visit)(const struct object_api *api,
                            MlirOperation function, void *data);

/// Visits each function that is an entry point.
void entry_each(const struct object_api *api, MlirModule module,
                entry_visit visit, void *data);

/// The type of a function of the func dialect.
MlirType entry_type(const struct object_api *api, MlirOperation function);

#endif // MLIRPLUG_OBJECT_ENTRY_H
