// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A policy file says what must be so, whoever runs the command:
//
//     {"require-signature": true, "key-directories": ["/etc/mlirplug/keys"]}
//
// Policies only tighten. One that is there and cannot be read, is damaged or
// not to be trusted is an error, for nobody knows what it wants.

#ifndef MLIRPLUG_SIGN_POLICY_H
#define MLIRPLUG_SIGN_POLICY_H

#include "base/error.h"

/// Zero bytes demand nothing.
struct policy {
  bool require_signature;
  char **key_directories; ///< Absolute; null if none are named.
  size_t key_directory_count;
};

/// Reads the file at `path`; one that does not exist demands nothing. `policy`
/// is released by the caller, and untouched on failure.
mlirplug_status policy_read(const char *path, struct policy *policy,
                            mlirplug_error **error);

void policy_release(struct policy *policy);

#endif // MLIRPLUG_SIGN_POLICY_H
