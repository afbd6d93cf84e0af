// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/secret_key.h"

#include <endian.h>
#include <sodium.h>
#include <string.h>

/// The block of a file.
struct block {
  char signature_method[2];
  char password_method[2];
  char checksum_method[2];
  uint8_t salt[SEALED_SALT];
  uint8_t operations[8];
  uint8_t memory[8];
  uint8_t payload[SEALED_PAYLOAD];
};
_Static_assert(sizeof(struct block) == FORM_SECRET_KEY, "bytes all");

/// What is sealed.
struct payload {
  uint8_t id[FORM_KEY_ID];
  uint8_t key[64];
  uint8_t checksum[32];
};
_Static_assert(sizeof(struct payload) == SEALED_PAYLOAD, "bytes all");

static const char none[2] = {0, 0};

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static uint64_t number_get(const uint8_t *bytes) {
  uint64_t number;
  memcpy(&number, bytes, sizeof number);
  return le64toh(number);
}

static void number_put(uint64_t number, uint8_t *bytes) {
  number = htole64(number);
  memcpy(bytes, &number, sizeof number);
}

static const char *block_check(const struct block *block) {
  if (memcmp(block->signature_method, "Ed", 2) != 0)
    return "it is for another method than Ed25519";
  if (memcmp(block->checksum_method, "B2", 2) != 0)
    return "its checksum is made by another method than BLAKE2b";
  if (memcmp(block->password_method, none, 2) == 0)
    return NULL;
  if (memcmp(block->password_method, "Sc", 2) != 0)
    return "its password is used by another method than scrypt";
  // More than minisign ever asks for would be a way to stop this machine.
  if (number_get(block->operations) >
          crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_SENSITIVE ||
      number_get(block->memory) >
          crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_SENSITIVE)
    return "to open it would cost more than minisign ever asks for";
  return NULL;
}

const char *sealed_key_parse(char *text, struct sealed_key *sealed) {
  struct block block;
  if (!form_take_comment(&text, FORM_UNTRUSTED))
    return "its first line does not begin with 'untrusted comment: '";
  const char *fault = form_take_block(&text, (uint8_t *)&block, sizeof block);
  if (!fault)
    fault = form_take_end(&text);
  if (!fault)
    fault = block_check(&block);
  if (!fault) {
    sealed->encrypted = memcmp(block.password_method, none, 2) != 0;
    sealed->operations = number_get(block.operations);
    sealed->memory = number_get(block.memory);
    memcpy(sealed->salt, block.salt, sizeof block.salt);
    memcpy(sealed->payload, block.payload, sizeof block.payload);
  }
  sodium_memzero(&block, sizeof block);
  return fault;
}

void sealed_key_write(const struct sealed_key *sealed, struct text *text) {
  struct block block = {.signature_method = {'E', 'd'},
                        .checksum_method = {'B', '2'}};
  if (sealed->encrypted)
    memcpy(block.password_method, "Sc", 2);
  number_put(sealed->operations, block.operations);
  number_put(sealed->memory, block.memory);
  memcpy(block.salt, sealed->salt, sizeof block.salt);
  memcpy(block.payload, sealed->payload, sizeof block.payload);
  text_format(text, FORM_UNTRUSTED "minisign %ssecret key\n",
              sealed->encrypted ? "encrypted " : "");
  form_add_block(text, (const uint8_t *)&block, sizeof block);
  sodium_memzero(&block, sizeof block);
}

//===----------------------------------------------------------------------===//
// Sealing and opening
//===----------------------------------------------------------------------===//

void secret_key_generate(struct secret_key *key,
                         struct public_key *public_key) {
  randombytes_buf(key->id, sizeof key->id);
  crypto_sign_keypair(public_key->key, key->key);
  memcpy(public_key->id, key->id, sizeof key->id);
}

static void checksum(const struct payload *payload, uint8_t *result) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, sizeof payload->checksum);
  crypto_generichash_update(&state, (const uint8_t *)"Ed", 2);
  crypto_generichash_update(&state, payload->id, sizeof payload->id);
  crypto_generichash_update(&state, payload->key, sizeof payload->key);
  crypto_generichash_final(&state, result, sizeof payload->checksum);
  sodium_memzero(&state, sizeof state);
}

/// Encrypts or decrypts. False if memory runs out.
static bool payload_turn(const struct sealed_key *sealed, const char *password,
                         uint8_t *payload) {
  uint8_t stream[SEALED_PAYLOAD];
  if (crypto_pwhash_scryptsalsa208sha256(
          stream, sizeof stream, password, strlen(password), sealed->salt,
          sealed->operations, sealed->memory) != 0)
    return false;
  for (size_t i = 0; i < sizeof stream; ++i)
    payload[i] ^= stream[i];
  sodium_memzero(stream, sizeof stream);
  return true;
}

bool secret_key_seal(const struct secret_key *key, const char *password,
                     struct sealed_key *sealed) {
  struct payload payload = {0};
  memcpy(payload.id, key->id, sizeof payload.id);
  memcpy(payload.key, key->key, sizeof payload.key);
  *sealed = (struct sealed_key){.encrypted = password != NULL};
  if (password) {
    checksum(&payload, payload.checksum);
    sealed->operations = crypto_pwhash_scryptsalsa208sha256_OPSLIMIT_SENSITIVE;
    sealed->memory = crypto_pwhash_scryptsalsa208sha256_MEMLIMIT_SENSITIVE;
    randombytes_buf(sealed->salt, sizeof sealed->salt);
  }
  memcpy(sealed->payload, &payload, sizeof payload);
  sodium_memzero(&payload, sizeof payload);
  return !password || payload_turn(sealed, password, sealed->payload);
}

static bool checksum_is_right(const struct payload *payload, bool encrypted) {
  uint8_t expected[sizeof payload->checksum];
  checksum(payload, expected);
  return sodium_memcmp(expected, payload->checksum, sizeof expected) == 0 ||
         (!encrypted && sodium_is_zero(payload->checksum, sizeof expected));
}

/// Its second half is the public key, which follows from the first.
static bool key_is_whole(const uint8_t *key) {
  uint8_t made[64], public_key[32];
  crypto_sign_seed_keypair(public_key, made, key);
  bool same = sodium_memcmp(made, key, sizeof made) == 0;
  sodium_memzero(made, sizeof made);
  return same;
}

const char *secret_key_open(const struct sealed_key *sealed,
                            const char *password, struct secret_key *key,
                            bool *memory) {
  struct payload payload;
  const char *fault = NULL;
  memcpy(&payload, sealed->payload, sizeof payload);
  *memory =
      sealed->encrypted && !payload_turn(sealed, password, (uint8_t *)&payload);
  if (*memory)
    fault = "its password needs more memory than there is";
  else if (!checksum_is_right(&payload, sealed->encrypted))
    fault = sealed->encrypted ? "the password is wrong, or the file is damaged"
                              : "its checksum is wrong: the file is damaged";
  else if (!key_is_whole(payload.key))
    fault = "its two halves do not belong together: the file is damaged";
  if (!fault) {
    memcpy(key->id, payload.id, sizeof key->id);
    memcpy(key->key, payload.key, sizeof key->key);
  }
  sodium_memzero(&payload, sizeof payload);
  return fault;
}
