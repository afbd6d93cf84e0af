// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the Python packages are that may have plugins.

#ifndef MLIRPLUG_FIND_PYTHON_PATH_H
#define MLIRPLUG_FIND_PYTHON_PATH_H

#include "base/error.h"

/// Absolute directories.
struct python_path {
  char **directories;
  size_t count;
};

/// The directories:
///   1. those in MLIRPLUG_PYTHON_PATH, separated by ':', which the command that
///      pip installs sets to what its Python searches; else site-packages of
///      the active virtual environment (VIRTUAL_ENV);
///   2. the one that libmlirplug itself was installed in by pip.
/// Entries that are not absolute, and in a process with more rights than its
/// user (AT_SECURE) all of 1, are left out. `path` is released by the caller,
/// and untouched on failure, which is for want of memory. Reads the
/// environment.
mlirplug_status python_path_make(struct python_path *path,
                                 mlirplug_error **error);

/// The absolute ones of the directories in `list`, which have a ':' between
/// two.
mlirplug_status python_path_parse(const char *list, struct python_path *path,
                                  mlirplug_error **error);

void python_path_release(struct python_path *path);

#endif // MLIRPLUG_FIND_PYTHON_PATH_H
