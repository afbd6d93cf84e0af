// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public keys (Ed25519) in minisign's form:
//
//     untrusted comment: minisign public key 7AD7E18DF59492E2
//     base64 of "Ed", id[8], key[32]

#ifndef MLIRPLUG_SIGN_KEY_H
#define MLIRPLUG_SIGN_KEY_H

#include "base/error.h"
#include "sign/form.h"

struct public_key {
  uint8_t id[FORM_KEY_ID];
  uint8_t key[32];
};

/// Takes the text of a file; says what is wrong with it (see form.h).
const char *public_key_parse(char *text, struct public_key *key);

/// Adds the text of a file.
void public_key_write(const struct public_key *key, struct text *text);

/// Reads a file, which must be trusted: who can change it says whose plugins
/// run.
mlirplug_status public_key_read(const char *path, struct public_key *key,
                                mlirplug_error **error);

#endif // MLIRPLUG_SIGN_KEY_H
