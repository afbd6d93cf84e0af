// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin files in one directory: what ends in ".so", or in a suffix that a
// host plugin serves if the name does not begin with "__", and is not hidden,
// in the order of the bytes of the names. Directories below are not entered.

#ifndef MLIRPLUG_FIND_DIRECTORY_H
#define MLIRPLUG_FIND_DIRECTORY_H

#include "base/arena.h"
#include "base/error.h"

/// Names in one directory.
struct directory_listing {
  const char **names; ///< Sorted, each once; bytes in no particular encoding.
  size_t count;
  struct arena arena; ///< Where they are, unless they are somebody else's.
};

/// Opens the directory at `path`; the caller closes `*descriptor`. That is -1
/// for one that does not exist, unless it is `required`: then this is an error,
/// like one that cannot be read or is no directory. On failure it is untouched.
mlirplug_status directory_open(const char *path, bool required, int *descriptor,
                               mlirplug_error **error);

/// Lists the open directory, wherever `path` leads by now; -1 has no names. It
/// is an error if it cannot be read or has more than 65,536 plugin files. Only
/// names are read, no file is looked at: whether "x.so" is a file shows when it
/// is opened. `suffixes` are those beside ".so", separated by commas. `listing`
/// is released by the caller, and untouched on failure.
mlirplug_status directory_list(const char *path, int descriptor,
                               const char *suffixes,
                               struct directory_listing *listing,
                               mlirplug_error **error);

/// True if `name` ends in one of the `suffixes`, and has something before it.
bool directory_suffix_is_one(const char *name, const char *suffixes);

void directory_listing_release(struct directory_listing *listing);

#endif // MLIRPLUG_FIND_DIRECTORY_H
