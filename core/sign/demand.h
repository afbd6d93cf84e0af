// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who demands that plugins are signed, and by whose keys: the system's policy,
// the user's policy, the embedder. Each has its own keyring, and a plugin must
// satisfy them all, so that none can loosen another's. In a process with more
// rights than its user, the user has no say (find/home.h).

#ifndef MLIRPLUG_SIGN_DEMAND_H
#define MLIRPLUG_SIGN_DEMAND_H

#include "find/file.h"

/// Where the system's policy and keys are.
#define DEMAND_SYSTEM "/etc/mlirplug"

/// All that is demanded. Never changes, so any thread may use it.
struct demands;

/// Reads the policies, and the keys of each that demands signatures. `required`
/// is the embedder's wish, with the keys in `key_directory`, or the default
/// ones if that is null. `*demands` is null if nobody demands anything, and
/// destroyed by the caller.
mlirplug_status demands_create(const char *system, bool required,
                               const char *key_directory,
                               struct demands **demands,
                               mlirplug_error **error);
void demands_destroy(struct demands *demands);

/// Checks an open plugin file. Null demands nothing.
mlirplug_status demands_check(const struct demands *demands,
                              const struct file *file, mlirplug_error **error);

#endif // MLIRPLUG_SIGN_DEMAND_H
