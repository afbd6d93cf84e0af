// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of plugins as bytes, for this machine alone: sizes and the order
// of bytes are its own.

#ifndef MLIRPLUG_CATALOG_ENCODING_H
#define MLIRPLUG_CATALOG_ENCODING_H

#include "base/text.h"

#include <mlirplug/host.h>

/// Which form the bytes have. It goes up with every change to it, to the
/// structures of host.h that it holds, or to what a plugin is checked for.
enum { ENCODING_VERSION = 1 };

/// Adds all of `description` but its path to `bytes`.
void description_encode(const mlirplug_plugin_description *description,
                        struct text *bytes);

/// Makes the description of the plugin at `path` from `size` bytes, which may
/// be any. What they say is checked like what a file says. Null if that fails
/// or memory runs out; otherwise to be destroyed like one that was read.
mlirplug_plugin_description *description_decode(const char *path,
                                                const void *bytes, size_t size);

#endif // MLIRPLUG_CATALOG_ENCODING_H
