// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private copy of a plugin file. The imports are data of the plugin, so one
// image can serve one copy of MLIR; a second one in the process gets an image
// of its own, and the system's loader makes that only of another file. And a
// plugin whose signature is demanded is loaded from a copy that nobody can
// change once its signature was checked.

#ifndef MLIRPLUG_LOAD_COPY_H
#define MLIRPLUG_LOAD_COPY_H

#include "find/file.h"
#include "sign/demand.h"

/// Copies `file` to memory, or to a file without a name if the system does not
/// run code from memory, and loads the copy, if that satisfies `demands`, which
/// may be null. The result is a handle of dlopen; null with an error when there
/// is none. The plugin's constructors run again.
void *copy_load(const struct file *file, const struct demands *demands,
                mlirplug_error **error);

#endif // MLIRPLUG_LOAD_COPY_H
