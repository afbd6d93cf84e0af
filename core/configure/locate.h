// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which configuration file an input has: the nearest mlirplug.json, in the
// directory of the input or one above.

#ifndef MLIRPLUG_CONFIGURE_LOCATE_H
#define MLIRPLUG_CONFIGURE_LOCATE_H

#include "base/error.h"

/// The directory in which the search for `input` begins, to be freed: that of
/// the file itself where the path is a symbolic link, the input itself if it is
/// a directory, and the working directory if it is null, or in no directory (a
/// pipe, /dev/fd/0). Null with errno set if it cannot be told: ENOENT if there
/// is no such input.
char *locate_start(const char *input);

/// The configuration file nearest to `directory`, which is absolute and
/// without symbolic links; to be freed. Null with errno 0 if there is none, or
/// ENOMEM.
///
/// Anything called mlirplug.json counts, whether it can be used or not. The
/// search goes up to the root and, as clang-format's and unlike git's, across
/// the borders of file systems: which configuration is meant should not depend
/// on what is mounted where, the kernel has been through all these directories
/// anyway, and nothing that is found runs unless it was approved.
char *locate_configuration(const char *directory);

#endif // MLIRPLUG_CONFIGURE_LOCATE_H
