// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether two names are one file, so that one output does not overwrite
// another.

#ifndef MLIRPLUG_CLI_SAME_FILE_H
#define MLIRPLUG_CLI_SAME_FILE_H

#include <stdbool.h>

/// True if writing to `left` and to `right` writes to one place: the same file
/// by any path or link, existing or not yet; "-" is standard output. The null
/// device is never the same.
bool same_file(const char *left, const char *right);

#endif // MLIRPLUG_CLI_SAME_FILE_H
