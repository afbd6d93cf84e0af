// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing files whole or not at all. Every function returns 0 or an errno.

#ifndef MLIRPLUG_BASE_STORE_H
#define MLIRPLUG_BASE_STORE_H

#include <stddef.h>
#include <sys/types.h>

/// Makes a new file with these bytes, which are on the disk afterwards; EEXIST
/// if there is something by that name. What was begun is removed on failure.
int store_new(const char *path, mode_t mode, const void *bytes, size_t length);

/// Makes such a file in the place of one that may be there: whoever reads it
/// meanwhile gets the old one or the new one, however many write it.
int store_replace(const char *path, mode_t mode, const void *bytes,
                  size_t length);

/// Makes the directory that `path` is in, and at most two above it: mlirplug's
/// own and the user's (~/.local/state/mlirplug), but no home for a user without
/// one (ENOENT). They have the mode that the XDG Base Directory Specification
/// wants. `path` is absolute, and as it was afterwards.
int store_parents(char *path);

#endif // MLIRPLUG_BASE_STORE_H
