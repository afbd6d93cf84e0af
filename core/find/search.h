// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where plugins are looked for when nobody names a file: a list of directories,
// the most specific first.

#ifndef MLIRPLUG_FIND_SEARCH_H
#define MLIRPLUG_FIND_SEARCH_H

#include "base/error.h"

/// A directory and why it is on the list.
struct search_directory {
  char *path;         ///< Absolute, without a slash at its end.
  const char *origin; ///< "MLIRPLUG_PATH", "the user's directory", …: static.
};

struct search_path {
  struct search_directory *directories;
  size_t count;
};

/// The default list:
///   1. the directories in MLIRPLUG_PATH, separated by ':';
///   2. $XDG_DATA_HOME/mlirplug/plugins, by default ~/.local/share/…;
///   3. mlirplug/plugins beside libmlirplug, the prefix it is installed in;
///   4. /usr/local/lib/mlirplug/plugins and /usr/lib/mlirplug/plugins.
/// In a process with more rights than its user (AT_SECURE) 1 and 2 are left
/// out. A directory that is there twice, by its name or through a symbolic
/// link, counts once; one that does not exist stays, for it may be shown.
///
/// Relative or empty entries of MLIRPLUG_PATH are an error: they would mean
/// another place in each directory. An empty MLIRPLUG_PATH is none at all. The
/// XDG specification wants a relative XDG_DATA_HOME ignored; so is a relative
/// HOME. Without either there is no user's directory.
///
/// `path` is released by the caller, and untouched on failure. Reads the
/// environment, so no other thread may change it meanwhile.
mlirplug_status search_path_make(struct search_path *path,
                                 mlirplug_error **error);

void search_path_release(struct search_path *path);

#endif // MLIRPLUG_FIND_SEARCH_H
