// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the names of a plugin's imports to addresses.

#ifndef MLIRPLUG_LOAD_BIND_H
#define MLIRPLUG_LOAD_BIND_H

#include "base/error.h"
#include "provider/binding.h"

/// A function that the core offers plugins, or puts in place of one of MLIR's.
struct service {
  const char *name;
  void (*function)(void);
};

/// What imports are filled from: the core's services, then a copy of MLIR.
struct environment {
  const struct service *services; ///< Ended by a null name.
  const struct binding *binding;  ///< Null for host plugins, which use none.
};

/// The address of `name`, or null.
void (*environment_find(const struct environment *environment,
                        const char *name))(void);

/// Checks that every function that the plugin cannot do without is there. The
/// error names those that are not, and where each was seen.
mlirplug_status bind_check(const mlirplug_plugin_description *description,
                           const struct environment *environment,
                           mlirplug_error **error);

/// Fills the imports from `begin` to `end`. One whose name also occurs with a
/// '?', and which is not to be had, becomes a stub; bind_check has refused any
/// other that is not to be had.
void bind_fill(mlirplug_import *begin, mlirplug_import *end,
               const struct environment *environment);

#endif // MLIRPLUG_LOAD_BIND_H
