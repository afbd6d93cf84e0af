// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths as users write them.

#ifndef MLIRPLUG_FIND_PATH_H
#define MLIRPLUG_FIND_PATH_H

/// `path`, which is not empty, behind the working directory; to be freed.
/// Symbolic links stay as they are: the user knows the file by this name, and
/// $ORIGIN depends on it. Null with errno set if memory runs out (ENOMEM) or
/// there is no working directory.
char *path_make_absolute(const char *path);

#endif // MLIRPLUG_FIND_PATH_H
