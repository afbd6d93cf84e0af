// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/signature.h"

#include <sodium.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

static const char *block_take(char **rest, struct signature *signature) {
  uint8_t block[FORM_SIGNATURE];
  const char *fault = form_take_block(rest, block, sizeof block);
  if (fault)
    return fault;
  signature->hashed = block[1] == 'D';
  if (block[0] != 'E' || (block[1] != 'D' && block[1] != 'd'))
    return "it is for another method than Ed25519";
  memcpy(signature->key_id, block + 2, FORM_KEY_ID);
  memcpy(signature->bytes, block + 10, sizeof signature->bytes);
  return NULL;
}

const char *signature_parse(char *text, struct signature *signature) {
  if (!form_take_comment(&text, FORM_UNTRUSTED))
    return "its first line does not begin with 'untrusted comment: '";
  const char *fault = block_take(&text, signature);
  if (fault)
    return fault;
  signature->comment = form_take_comment(&text, FORM_TRUSTED);
  if (!signature->comment)
    return "its third line does not begin with 'trusted comment: '";
  if (strlen(signature->comment) > SIGNATURE_COMMENT_LIMIT)
    return "its trusted comment is too long";
  fault = form_take_block(&text, signature->global, FORM_GLOBAL_SIGNATURE);
  return fault ? fault : form_take_end(&text);
}

void signature_write(const struct signature *signature, struct text *text) {
  uint8_t block[FORM_SIGNATURE] = {'E', signature->hashed ? 'D' : 'd'};
  memcpy(block + 2, signature->key_id, FORM_KEY_ID);
  memcpy(block + 10, signature->bytes, sizeof signature->bytes);
  text_format(text, FORM_UNTRUSTED "signature from the secret key %s\n",
              form_key_id(signature->key_id).text);
  form_add_block(text, block, sizeof block);
  text_format(text, FORM_TRUSTED "%s\n", signature->comment);
  form_add_block(text, signature->global, FORM_GLOBAL_SIGNATURE);
}

//===----------------------------------------------------------------------===//
// Signing
//===----------------------------------------------------------------------===//

/// Puts what the global signature is of to `bytes`: the other one and the
/// comment. Returns the length.
static size_t global_bytes(const struct signature *signature, uint8_t *bytes) {
  size_t comment = strlen(signature->comment);
  memcpy(bytes, signature->bytes, sizeof signature->bytes);
  memcpy(bytes + sizeof signature->bytes, signature->comment, comment);
  return sizeof signature->bytes + comment;
}

void signature_make(const struct secret_key *key, const uint8_t *hash,
                    const char *comment, struct signature *signature) {
  uint8_t bytes[sizeof signature->bytes + SIGNATURE_COMMENT_LIMIT];
  *signature = (struct signature){.hashed = true, .comment = comment};
  memcpy(signature->key_id, key->id, FORM_KEY_ID);
  crypto_sign_detached(signature->bytes, NULL, hash, 64, key->key);
  crypto_sign_detached(signature->global, NULL, bytes,
                       global_bytes(signature, bytes), key->key);
}

bool signature_fits(const struct signature *signature,
                    const struct public_key *key, const uint8_t *bytes,
                    size_t length) {
  return crypto_sign_verify_detached(signature->bytes, bytes, length,
                                     key->key) == 0;
}

bool signature_comment_fits(const struct signature *signature,
                            const struct public_key *key) {
  uint8_t bytes[sizeof signature->bytes + SIGNATURE_COMMENT_LIMIT];
  return crypto_sign_verify_detached(signature->global, bytes,
                                     global_bytes(signature, bytes),
                                     key->key) == 0;
}
