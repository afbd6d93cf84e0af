// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signature is made of: the content of an open file, read and never
// mapped.

#ifndef MLIRPLUG_SIGN_DIGEST_H
#define MLIRPLUG_SIGN_DIGEST_H

#include "find/file.h"

enum { DIGEST_SIZE = 64 };

/// BLAKE2b of the file. `doing` begins the error.
mlirplug_status digest_make(const struct file *file, const char *doing,
                            uint8_t hash[DIGEST_SIZE], mlirplug_error **error);

/// The whole file, to be freed, for signatures of the old kind; one of more
/// than 256 MiB is an error.
mlirplug_status digest_read_file(const struct file *file, const char *doing,
                                 uint8_t **bytes, size_t *length,
                                 mlirplug_error **error);

#endif // MLIRPLUG_SIGN_DIGEST_H
