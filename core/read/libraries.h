// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The libraries that the system's loader would bring along with a plugin.

#ifndef MLIRPLUG_READ_LIBRARIES_H
#define MLIRPLUG_READ_LIBRARIES_H

#include "find/file.h"

/// Refuses a plugin one of whose libraries would be looked for beside the
/// plugin
/// ($ORIGIN) or at a relative path: a signature of the plugin says nothing of
/// what lies there. System directories and absolute paths are fine.
mlirplug_status libraries_check(const struct file *file,
                                mlirplug_error **error);

#endif // MLIRPLUG_READ_LIBRARIES_H
