// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Secret keys in minisign's form:
//
//     untrusted comment: minisign encrypted secret key
//     base64 of "Ed", "Sc" or two zero bytes, "B2", salt[32], operations[8],
//     memory[8], and, encrypted with a stream that scrypt makes of the password
//     unless there are zero bytes: id[8], key[64], checksum[32]
//
// The checksum is BLAKE2b of "Ed", id and key; zero bytes in a key without a
// password.

#ifndef MLIRPLUG_SIGN_SECRET_KEY_H
#define MLIRPLUG_SIGN_SECRET_KEY_H

#include "sign/key.h"

/// Wiped by whoever made it.
struct secret_key {
  uint8_t id[FORM_KEY_ID];
  uint8_t key[64];
};

enum { SEALED_SALT = 32, SEALED_PAYLOAD = 104 };

/// As it lies in a file.
struct sealed_key {
  bool encrypted;
  uint8_t salt[SEALED_SALT];
  uint64_t operations; ///< What scrypt may cost.
  uint64_t memory;     ///< Likewise, in bytes.
  uint8_t payload[SEALED_PAYLOAD];
};

/// Takes the text of a file; says what is wrong with it (see form.h).
const char *sealed_key_parse(char *text, struct sealed_key *sealed);

/// Adds the text of a file.
void sealed_key_write(const struct sealed_key *sealed, struct text *text);

/// Makes a new pair of keys.
void secret_key_generate(struct secret_key *key, struct public_key *public_key);

/// Seals `key` with `password`, or without if that is null; the costs are those
/// that minisign asks for. False if memory runs out: scrypt needs 1 GiB.
bool secret_key_seal(const struct secret_key *key, const char *password,
                     struct sealed_key *sealed);

/// Says what is wrong with the file or the password; `*memory` if it is want of
/// memory.
const char *secret_key_open(const struct sealed_key *sealed,
                            const char *password, struct secret_key *key,
                            bool *memory);

#endif // MLIRPLUG_SIGN_SECRET_KEY_H
