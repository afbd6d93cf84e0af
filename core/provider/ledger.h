// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger (sdk/abi) as data: which functions of the C API were seen in which
// versions of MLIR, and which had another signature once.

#ifndef MLIRPLUG_PROVIDER_LEDGER_H
#define MLIRPLUG_PROVIDER_LEDGER_H

#include <stdbool.h>
#include <stddef.h>

struct ledger_entry {
  const char *name;
  const char *seen; ///< "13 14 22 23git", in order.
  bool in_sdk;      ///< It is in ir.h, so its signature is known.
};

/// All names that the ledger has.
extern const struct ledger_entry ledger_entries[];
extern const size_t ledger_entry_count;

/// Functions with another signature in older versions.
struct ledger_older {
  const char *name;
  const char *versions; ///< Where the signature was another, "13 14 15".
  const char *signature;
};
extern const struct ledger_older ledger_olders[];
extern const size_t ledger_older_count;

/// The entry for `name`; null if the ledger does not know it.
const struct ledger_entry *ledger_find(const char *name);

/// The versions that were looked at, oldest first, ended by null.
extern const char *const ledger_versions[];

/// Whether `version` is one of `versions`.
bool ledger_has_version(const char *versions, const char *version);

#endif // MLIRPLUG_PROVIDER_LEDGER_H
