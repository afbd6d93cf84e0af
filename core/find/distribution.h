// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plugins in Python packages. A distribution (what pip installs) announces them
// by entry points in the group "mlirplug.plugins":
//
//     [mlirplug.plugins]
//     example = mlirplug_example.plugins
//
// The value names a directory of plugins as Python names a package: here
// mlirplug_example/plugins in one of the directories that Python looks for
// modules in. Only the metadata is read; no Python runs, nothing is imported.

#ifndef MLIRPLUG_FIND_DISTRIBUTION_H
#define MLIRPLUG_FIND_DISTRIBUTION_H

#include "base/arena.h"
#include "base/error.h"

/// An entry point and the distribution that it is of.
struct distribution {
  const char *name;      ///< "mlirplug-example"
  const char *version;   ///< "1.0.0"; may be empty.
  const char *file;      ///< Where the entry point stands. Absolute.
  const char *module;    ///< What it names.
  const char *directory; ///< Where that is. Null if it names no directory.
};

struct distributions {
  struct distribution *items;
  size_t count;
  struct arena arena; ///< Where the strings are.
};

/// Reads the entry points in the directories of `path`, which are absolute:
/// first those in the first one, in the order of the bytes of the names of the
/// metadata. Directories and metadata that cannot be read have none; that is
/// Python's business. An error is only that memory or descriptors run out.
/// `list` is released by the caller, and untouched on failure.
mlirplug_status distributions_read(const char *const *path, size_t count,
                                   struct distributions *list,
                                   mlirplug_error **error);

void distributions_release(struct distributions *list);

#endif // MLIRPLUG_FIND_DISTRIBUTION_H
