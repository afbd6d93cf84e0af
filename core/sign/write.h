// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing keys and signatures: whole or not at all.

#ifndef MLIRPLUG_SIGN_WRITE_H
#define MLIRPLUG_SIGN_WRITE_H

#include "base/error.h"

#include <sys/types.h>

/// Makes a new file; one that exists is an error. `doing` begins the error.
mlirplug_status write_new(const char *path, mode_t mode, const char *text,
                          const char *doing, mlirplug_error **error);

/// Makes or replaces a file; whoever reads it meanwhile gets the old one.
mlirplug_status write_replace(const char *path, const char *text,
                              const char *doing, mlirplug_error **error);

#endif // MLIRPLUG_SIGN_WRITE_H
