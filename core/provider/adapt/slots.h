// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapters: functions of the C API in terms of others, for providers that lack
// them or have them with another signature.
//
// An import has no argument that says which provider is meant, so an adapter
// has to know. The adapters are therefore compiled several times, once a slot,
// each with a table of one provider's functions (slot.h). A provider that needs
// adapters takes a slot, for ever.

#ifndef MLIRPLUG_PROVIDER_ADAPT_SLOTS_H
#define MLIRPLUG_PROVIDER_ADAPT_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#define ADAPT_SLOTS 8
#define ADAPTERS_AT_MOST 128

struct adapter {
  const char *name; ///< The function it is, with the signature of ir.h.
  void (*function)(void);
  /// What it calls, with blanks between: names of the provider's own functions;
  /// with "/older" behind where the older signature of the ledger is meant.
  const char *needs;
  /// It serves only in part: enough for the core, which knows, and not for
  /// plugins.
  bool for_core;
};

/// Where a slot has the address of a function that adapters call.
struct adapt_member {
  const char *name; ///< As in `needs`.
  void *place;      ///< Of a pointer to a function.
};

struct adapt_slot {
  const struct adapter *adapters; ///< Of several for one name the first counts.
  size_t adapter_count;
  const struct adapt_member *members;
  size_t member_count;
};

/// The slots; all have the same adapters.
extern const struct adapt_slot *const adapt_slots[ADAPT_SLOTS];

/// A slot that nobody has; null if there is none. Any thread.
const struct adapt_slot *adapt_slot_take(void);

/// Gives a slot back whose functions nobody has got.
void adapt_slot_give_back(const struct adapt_slot *slot);

#endif // MLIRPLUG_PROVIDER_ADAPT_SLOTS_H
