// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which version of MLIR a provider is: by LLVM's own word, or else by the
// functions that it has, as far as the ledger knows them.

#ifndef MLIRPLUG_PROVIDER_VERSION_H
#define MLIRPLUG_PROVIDER_VERSION_H

#include <stdbool.h>

/// How to ask a provider for one of its own functions; null if it has none of
/// the name.
struct own_functions {
  void (*(*find)(const void *provider, const char *name))(void);
  const void *provider;
};

/// A range of major versions. A build of the development branch counts as the
/// version that it becomes.
struct version {
  unsigned low;      ///< 0 if nothing is known.
  unsigned high;     ///< 0 if there is no limit.
  bool by_functions; ///< LLVM did not say. Then the next two are 0.
  unsigned minor;
  unsigned patch;
};

struct version version_find(const struct own_functions *own);

/// "MLIR 22.1.8", "MLIR 24 git", "MLIR 20 or newer (by its functions)". Freed
/// by the caller; null if memory runs out.
char *version_text(const struct version *version);

/// What is known of the signature of a function that a provider has.
enum version_signature {
  VERSION_FROZEN,  ///< The one in ir.h.
  VERSION_OLDER,   ///< The older one that the ledger gives.
  VERSION_UNKNOWN, ///< One of these.
};

/// Whether `name`, if a provider of this version has it, has the signature of
/// ir.h there. What no version is known to have otherwise has.
enum version_signature version_signature(const struct version *version,
                                         const char *name);

#endif // MLIRPLUG_PROVIDER_VERSION_H
