// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public keys that may have signed a plugin: all *.pub of some directories,
// which must be trusted like directories of plugins. Never changes once made,
// so any thread may use it.

#ifndef MLIRPLUG_SIGN_KEYRING_H
#define MLIRPLUG_SIGN_KEYRING_H

#include "find/file.h"
#include "sign/key.h"

struct keyring_key {
  struct public_key key;
  char *path; ///< Owned.
};

/// Zero bytes are an empty one.
struct keyring {
  struct keyring_key *keys;
  size_t count;
  char *directories; ///< "'/etc/mlirplug/keys', …", for errors; owned.
  char *demanded_by; ///< The policy that demands it, or null; owned.
};

/// Adds the keys in the directory at `path`. A directory that is missing is an
/// error if it is `required`; a key that cannot be read or is damaged always.
mlirplug_status keyring_add_directory(struct keyring *keyring, const char *path,
                                      bool required, mlirplug_error **error);

/// Adds the keys of the whole system, those in `system`/keys if that exists.
mlirplug_status keyring_add_system(struct keyring *keyring, const char *system,
                                   mlirplug_error **error);

/// Adds the keys that count by default: the user's, if there are any, and those
/// of the system.
mlirplug_status keyring_add_defaults(struct keyring *keyring,
                                     const char *system,
                                     mlirplug_error **error);

void keyring_release(struct keyring *keyring);

/// What a good signature says.
struct keyring_match {
  const struct keyring_key *key;
  char *comment; ///< The trusted one; freed by the caller.
};

/// Checks the signature that lies beside an open plugin file, FILE.minisig: one
/// of the keys must have made it of just this content. `match` may be null.
mlirplug_status keyring_check(const struct keyring *keyring,
                              const struct file *file,
                              struct keyring_match *match,
                              mlirplug_error **error);

#endif // MLIRPLUG_SIGN_KEYRING_H
