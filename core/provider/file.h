// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the file of a provider must be before the system's loader gets it. The
// loader's own checks come after it has mapped the file.

#ifndef MLIRPLUG_PROVIDER_FILE_H
#define MLIRPLUG_PROVIDER_FILE_H

#include "base/error.h"

/// Refuses what is no regular file, for which dlopen could wait for ever, and
/// an ELF file that is cut short, for which it would die of SIGBUS. Of anything
/// else, a missing file too, the loader says best what is wrong.
mlirplug_status provider_file_check(const char *path, mlirplug_error **error);

#endif // MLIRPLUG_PROVIDER_FILE_H
