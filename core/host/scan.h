// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugins in one directory, from the cache or from their files.

#ifndef MLIRPLUG_HOST_SCAN_H
#define MLIRPLUG_HOST_SCAN_H

#include "catalog/cache.h"
#include "find/directory.h"
#include "host/host.h"

/// A directory that is about to be scanned: which files are there, and what was
/// in them the last time.
struct scan_source {
  struct directory_listing listing; ///< Its names may be the cache's.
  struct cache *cache;              ///< Null if there is none.
  struct stat status;               ///< Of the directory, before it was listed.
  int descriptor; ///< Of the directory; -1 if it does not exist.
  time_t begun;   ///< When it was opened.
  bool is_new;    ///< It was listed, for it has changed.
  char *suffixes; ///< Those of its files that host plugins serve. Owned.
};

/// Opens, checks and lists the directory at `path`, once for all: wherever the
/// path leads afterwards, this one is scanned. For one that is not `required`
/// see directory_open. The source is closed by the caller, also after a
/// failure.
mlirplug_status scan_source_open(mlirplug_host *host, const char *path,
                                 bool required, struct scan_source *source,
                                 mlirplug_error **error);
void scan_source_close(struct scan_source *source);

/// Adds the plugins of `directory`, for which `source` was opened; a file that
/// fails is warned of and refused. Fails with the error of the first file whose
/// pass is a named plugin's, or if memory runs out.
mlirplug_status host_scan(mlirplug_host *host,
                          const mlirplug_directory *directory,
                          const struct scan_source *source,
                          mlirplug_error **error);

#endif // MLIRPLUG_HOST_SCAN_H
