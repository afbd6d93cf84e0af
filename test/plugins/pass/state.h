// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What state.c counts of its callbacks, exported for the tests to look at.

#ifndef MLIRPLUG_TEST_STATE_H
#define MLIRPLUG_TEST_STATE_H

#include <stdatomic.h>

struct state_counts {
  atomic_int created;
  atomic_int cloned;
  atomic_int destroyed;
  atomic_int initialized;
  atomic_int merged;
  atomic_int finished;
  atomic_int reset;
};

#endif // MLIRPLUG_TEST_STATE_H
