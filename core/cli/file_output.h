// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making bytes the content of a file. Whoever reads it meanwhile sees the old
// content or the new one, and the old one stays if something goes wrong; but
// where that would lose the file's owner, access list, other attributes or
// names, or is not possible, it is written in place. What is standard output or
// standard error as well is written through that.

#ifndef MLIRPLUG_CLI_FILE_OUTPUT_H
#define MLIRPLUG_CLI_FILE_OUTPUT_H

#include <stddef.h>

/// Writes the file at `path`, at the end of symbolic links; 0 or an errno.
int file_output_write(const char *path, const char *bytes, size_t length);

/// Whether file_output_write could begin; 0 or an errno.
int file_output_check(const char *path);

/// The path at the end of the symbolic links that `path` is, whether there is a
/// file or not; links in its directories stay. To be freed; null with errno.
char *file_output_target(const char *path);

#endif // MLIRPLUG_CLI_FILE_OUTPUT_H
