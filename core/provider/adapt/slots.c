// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "provider/adapt/slots.h"

#include <pthread.h>

extern const struct adapt_slot adapt_slot_0, adapt_slot_1, adapt_slot_2,
    adapt_slot_3, adapt_slot_4, adapt_slot_5, adapt_slot_6, adapt_slot_7;

const struct adapt_slot *const adapt_slots[ADAPT_SLOTS] = {
    &adapt_slot_0, &adapt_slot_1, &adapt_slot_2, &adapt_slot_3,
    &adapt_slot_4, &adapt_slot_5, &adapt_slot_6, &adapt_slot_7};

// A process-wide fact, like the bindings.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool taken[ADAPT_SLOTS];

const struct adapt_slot *adapt_slot_take(void) {
  const struct adapt_slot *slot = NULL;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; !slot && i < ADAPT_SLOTS; ++i)
    if (!taken[i]) {
      taken[i] = true;
      slot = adapt_slots[i];
    }
  pthread_mutex_unlock(&lock);
  return slot;
}

void adapt_slot_give_back(const struct adapt_slot *slot) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < ADAPT_SLOTS; ++i)
    if (adapt_slots[i] == slot)
      taken[i] = false;
  pthread_mutex_unlock(&lock);
}
