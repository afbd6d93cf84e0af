// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether names are one file, so that one output does not overwrite another.

#ifndef MLIRPLUG_CLI_SAME_FILE_H
#define MLIRPLUG_CLI_SAME_FILE_H

#include <stdbool.h>

/// True if writing to `left` and to `right` writes to one place: the same file
/// by any path or link, existing or not yet; "-" is standard output. The null
/// device is never the same.
bool same_file(const char *left, const char *right);

/// A text that is the same for names that are the same file, and differs for
/// others, to be freed. Null if there is none that could be the same: for the
/// null device, and in a directory that is not there.
char *file_identity(const char *path);

#endif // MLIRPLUG_CLI_SAME_FILE_H
