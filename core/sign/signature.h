// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures in minisign's form:
//
//     untrusted comment: signature from minisign secret key
//     base64 of "ED" or "Ed", id of the key[8], signature[64]
//     trusted comment: timestamp:1796072882	file:x.so	hashed
//     base64 of a signature[64] of the first signature and the trusted comment
//
// "ED" signs BLAKE2b of the file; "Ed", which minisign no longer writes, the
// file itself.

#ifndef MLIRPLUG_SIGN_SIGNATURE_H
#define MLIRPLUG_SIGN_SIGNATURE_H

#include "sign/secret_key.h"

/// The longest trusted comment; minisign's bound is little above.
#define SIGNATURE_COMMENT_LIMIT 8000

/// The longest signature file.
#define SIGNATURE_FILE_LIMIT 10240

struct signature {
  bool hashed;
  uint8_t key_id[FORM_KEY_ID];
  uint8_t bytes[64];
  const char *comment; ///< The trusted one; in the text that was parsed.
  uint8_t global[FORM_GLOBAL_SIGNATURE];
};

/// Takes the text of a file; says what is wrong with it (see form.h).
const char *signature_parse(char *text, struct signature *signature);

/// Adds the text of a file.
void signature_write(const struct signature *signature, struct text *text);

/// Signs a hash of 64 bytes; `comment` is one line, of at most
/// SIGNATURE_COMMENT_LIMIT bytes.
void signature_make(const struct secret_key *key, const uint8_t *hash,
                    const char *comment, struct signature *signature);

/// Whether `key` signed the bytes, which are the hash if it is `hashed`.
bool signature_fits(const struct signature *signature,
                    const struct public_key *key, const uint8_t *bytes,
                    size_t length);

/// Whether it signed the trusted comment.
bool signature_comment_fits(const struct signature *signature,
                            const struct public_key *key);

#endif // MLIRPLUG_SIGN_SIGNATURE_H
