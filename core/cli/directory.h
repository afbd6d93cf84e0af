// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files in a directory that have certain endings.

#ifndef MLIRPLUG_CLI_DIRECTORY_H
#define MLIRPLUG_CLI_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

/// Zero bytes are an empty list.
struct directory_files {
  char **paths; ///< Owned, each beginning with the directory's path.
  size_t count;
  size_t capacity;
};

/// True if `name` ends in one of `endings`, a list that null ends.
bool directory_name_ends(const char *name, const char *const *endings);

/// Lists the files of `directory` itself, in the order of their bytes, without
/// hidden files and directories. 0, or an errno with `files` empty.
int directory_read(const char *directory, const char *const *endings,
                   struct directory_files *files);
void directory_release(struct directory_files *files);

#endif // MLIRPLUG_CLI_DIRECTORY_H
