// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file in which the user's approvals are kept,
// $XDG_STATE_HOME/mlirplug/trusted.json:
//
//     {"trusted": {"/home/me/project/mlirplug.json": "<64 hex digits>"}}
//
// Only its owner can read it. It is replaced as a whole, under a lock, so that
// readers need none and writers lose nothing of each other.

#ifndef MLIRPLUG_CONFIGURE_RECORD_H
#define MLIRPLUG_CONFIGURE_RECORD_H

#include "base/error.h"

#include <jansson.h>

/// Where it is, to be freed; null with the error set if this user has no place
/// for it. Reads the environment.
char *record_path(mlirplug_error **error);

/// The object "trusted" of the record at `path`, to be released by json_decref;
/// without a record an empty one. A record that others could have written is an
/// error, and so is one that is damaged.
mlirplug_status record_read(const char *path, json_t **trusted,
                            mlirplug_error **error);

/// What record_read makes of the bytes of a file.
mlirplug_status record_parse(const char *path, const char *bytes, size_t length,
                             json_t **trusted, mlirplug_error **error);

/// Keeps other writers out until `lock` is closed. Makes the directory where it
/// is missing. Waits for others, but not for ever.
mlirplug_status record_lock(const char *path, int *lock,
                            mlirplug_error **error);

/// Puts a new record in the place of the old one; the caller has the lock.
mlirplug_status record_write(const char *path, const json_t *trusted,
                             mlirplug_error **error);

#endif // MLIRPLUG_CONFIGURE_RECORD_H
