// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which plugin passes run at this moment, for whoever has to say what hangs or
// crashes. It may be read on any thread and in a handler of a signal, so there
// are no locks.

#ifndef MLIRPLUG_PASS_RUNNING_H
#define MLIRPLUG_PASS_RUNNING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct place;

enum {
  RUNNING_LIMIT = 64, ///< More threads at once are not told of.
  RUNNING_NONE = RUNNING_LIMIT,
};

/// Where a thread notes what it runs.
struct running_slot {
  _Atomic(const struct place *) place; ///< Null if it is free.
  _Atomic(void *) root;                ///< The operation it runs on, or null.
  /// How many have begun here, with this one; changed by who has the slot.
  atomic_uint_fast64_t begun;
  char apart[40]; ///< From the cache line of another thread's.
};

struct running {
  struct running_slot slots[RUNNING_LIMIT];
};

/// Notes that `place` runs on `root`, which may be null. The result is for
/// running_end; RUNNING_NONE if all slots are taken.
size_t running_begin(struct running *running, const struct place *place,
                     void *root);
void running_end(struct running *running, size_t slot);

#endif // MLIRPLUG_PASS_RUNNING_H
