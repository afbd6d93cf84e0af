// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of plugin passes in MLIR's own registry, by the provider extension.
// The registry is one for the process and knows no manager, so those at work
// are noted here.

#ifndef MLIRPLUG_PASS_REGISTRATION_H
#define MLIRPLUG_PASS_REGISTRATION_H

#include "pass/manager.h"

/// A manager at work, on a thread. Lies on that thread's stack.
struct registration_scope {
  struct mlirplug_manager *manager;
  struct registration_scope *outer; ///< On the same thread.
  struct registration_scope *next;  ///< On any.
};

/// The manager begins to be built or to run on this thread: it makes what MLIR
/// asks for by name here, and on threads without one of their own.
void registration_enter(struct registration_scope *scope,
                        struct mlirplug_manager *manager);
void registration_leave(struct registration_scope *scope);

/// Whether the name was entered by us.
bool registration_has(const struct binding *binding, const char *name);

#endif // MLIRPLUG_PASS_REGISTRATION_H
