// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A private copy of a plugin file. The imports are data of the plugin, so one
// image can serve one copy of MLIR; a second one in the process gets an image
// of its own, and the system's loader makes that only of another file.

#ifndef MLIRPLUG_LOAD_COPY_H
#define MLIRPLUG_LOAD_COPY_H

#include "find/file.h"

/// Copies `file` to memory, or to a file without a name if the system does not
/// run code from memory, and loads the copy. The result is a handle of dlopen;
/// null with an error when there is none. The plugin's constructors run again.
void *copy_load(const struct file *file, mlirplug_error **error);

#endif // MLIRPLUG_LOAD_COPY_H
