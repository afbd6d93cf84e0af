// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plugin in memory: loaded with dlopen, checked once more against what its
// file said, its imports filled for one copy of MLIR. The only place that opens
// plugins for running.
//
// bind.h     the addresses of its imports
// segments.h where its memory lies
// copy.h     an image of a copy, for a second copy of MLIR or a signed plugin

#ifndef MLIRPLUG_LOAD_IMAGE_H
#define MLIRPLUG_LOAD_IMAGE_H

#include "catalog/catalogue.h"
#include "load/bind.h"

#include <mlirplug/plugin.h>

/// A loaded plugin. It stays loaded, and never changes, for ever.
struct image {
  const mlirplug_descriptor *descriptor; ///< In the plugin's own memory.
  const char *path; ///< The file it was loaded from, or a private copy's name.
};

/// Loads `plugin` for `environment`, or finds the image that it has there
/// already. Refuses, before a line of the plugin runs, one that needs a
/// function which is not to be had. Any thread.
mlirplug_status image_load(const struct plugin *plugin,
                           const struct environment *environment,
                           const struct image **image, mlirplug_error **error);

/// The pass at `index` of the plugin's table with its callbacks; what an older
/// plugin does not have is zero.
mlirplug_pass image_pass(const struct image *image, size_t index);

#endif // MLIRPLUG_LOAD_IMAGE_H
