// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole text of a small file that other people may have written, and that
// may be anything: a pipe, a device, a directory.

#ifndef MLIRPLUG_CONFIGURE_CONTENT_H
#define MLIRPLUG_CONFIGURE_CONTENT_H

#include "find/file.h"

/// More is no text that somebody wrote or reads.
enum { content_size_at_most = 1 << 20 };

/// Opens the regular file at `path`, which is taken relative to the working
/// directory; never waits. `doing` begins the error: "cannot read the
/// configuration". With `missing`, a file that does not exist sets that and is
/// no error of its own: nothing else is set then.
mlirplug_status content_open(const char *doing, const char *path, bool *missing,
                             struct file *file, mlirplug_error **error);

/// Checks it like what is found (TRUST_FOUND); nothing overrules this, so the
/// error is not `untrusted`.
mlirplug_status content_trust(const char *doing, const struct file *file,
                              mlirplug_error **error);

/// Reads all of it; `*bytes` is to be freed. The file may change meanwhile, so
/// what is checked are these bytes.
mlirplug_status content_read(const char *doing, const struct file *file,
                             char **bytes, size_t *length,
                             mlirplug_error **error);

#endif // MLIRPLUG_CONFIGURE_CONTENT_H
