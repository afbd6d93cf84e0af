// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/key.h"

#include "sign/small_file.h"

#include <stdlib.h>
#include <string.h>

const char *public_key_parse(char *text, struct public_key *key) {
  uint8_t block[FORM_PUBLIC_KEY];
  if (!form_take_comment(&text, FORM_UNTRUSTED))
    return "its first line does not begin with 'untrusted comment: '";
  const char *fault = form_take_block(&text, block, sizeof block);
  if (fault)
    return fault;
  if (memcmp(block, "Ed", 2) != 0)
    return "it is for another method than Ed25519";
  memcpy(key->id, block + 2, sizeof key->id);
  memcpy(key->key, block + 10, sizeof key->key);
  return form_take_end(&text);
}

void public_key_write(const struct public_key *key, struct text *text) {
  uint8_t block[FORM_PUBLIC_KEY] = "Ed";
  memcpy(block + 2, key->id, sizeof key->id);
  memcpy(block + 10, key->key, sizeof key->key);
  text_format(text, FORM_UNTRUSTED "minisign public key %s\n",
              form_key_id(key->id).text);
  form_add_block(text, block, sizeof block);
}

mlirplug_status public_key_read(const char *path, struct public_key *key,
                                mlirplug_error **error) {
  const struct small_file file = {
      .kind = "key",
      .path = path,
      .expected = "a public key of minisign's form",
      .limit = 4096,
      .must_be_trusted = true,
  };
  char *text;
  if (small_file_read(&file, &text, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const char *fault = public_key_parse(text, key);
  free(text);
  return fault ? small_file_refuse(&file, fault,
                                   "copy the .pub file again, or remove it "
                                   "from the directory of keys",
                                   error)
               : MLIRPLUG_OK;
}
