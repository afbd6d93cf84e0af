// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a plugin that host.h shows, with the memory it is made of.

#ifndef MLIRPLUG_READ_DESCRIPTION_H
#define MLIRPLUG_READ_DESCRIPTION_H

#include "base/arena.h"

#include <mlirplug/host.h>

/// Whoever makes one fills in `shown` with what it allocates in `arena`, and
/// hands out `&shown`, which mlirplug_plugin_description_destroy frees.
struct owned_description {
  mlirplug_plugin_description shown; // first, so that either is the other
  struct arena arena;
};

/// An empty one; null if memory runs out.
struct owned_description *description_create(void);

#endif // MLIRPLUG_READ_DESCRIPTION_H
