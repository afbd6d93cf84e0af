// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an import name means on one provider: the provider's own function, if it
// has the signature of ir.h there, or an adapter (adapt/slots.h), or nothing.

#ifndef MLIRPLUG_PROVIDER_RESOLVE_H
#define MLIRPLUG_PROVIDER_RESOLVE_H

#include "base/error.h"
#include "provider/adapt/slots.h"
#include "provider/version.h"

struct resolution {
  struct own_functions own;
  struct version version;
  const struct adapt_slot *slot; ///< Null if no adapter is needed.
  bool in_use[ADAPTERS_AT_MOST];
};

/// Finds out the provider's version and puts adapters in the place of what it
/// lacks. Fails if it needs some and there is no slot left; `path` is for the
/// error. What `own` points to has to stay as long as the functions are used.
mlirplug_status resolution_make(struct resolution *resolution,
                                const struct own_functions *own,
                                const char *path, mlirplug_error **error);

/// Undoes resolution_make; only if no function has been given out.
void resolution_release(struct resolution *resolution);

/// The function `name` with the signature of ir.h; null if it cannot be had.
/// Any thread.
void (*resolution_find(const struct resolution *resolution,
                       const char *name))(void);

/// The same, or what serves the core in its place: see struct adapter.
void (*resolution_find_for_core(const struct resolution *resolution,
                                const char *name))(void);

/// Whether it is an adapter that is found for `name`.
bool resolution_adapts(const struct resolution *resolution, const char *name);

#endif // MLIRPLUG_PROVIDER_RESOLVE_H
