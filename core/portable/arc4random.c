// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// arc4random, which LLVM takes its random numbers from, for glibc before 2.36
// (MLIRPLUG_PORTABLE). As there, a machine without random numbers is no machine
// to go on with.

#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

uint32_t arc4random(void) __attribute__((visibility("hidden")));

uint32_t arc4random(void) {
  uint32_t number;
  if (getentropy(&number, sizeof number) != 0)
    abort();
  return number;
}
