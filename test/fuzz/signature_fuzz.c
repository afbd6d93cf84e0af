// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as a public key, a secret key and a signature. What is taken is
// written and read again to the same; what is not has a reason.

#include "sign/signature.h"

#include <stdlib.h>
#include <string.h>

/// A copy that may be taken apart. Files with a NUL are refused before.
static char *text_copy(const unsigned char *bytes, size_t size) {
  char *text = strndup((const char *)bytes, size);
  if (!text)
    abort();
  return text;
}

static void require(bool condition) {
  if (!condition)
    abort();
}

static void try_public_key(char *text) {
  struct public_key key, again;
  struct text written = {0};
  const char *fault = public_key_parse(text, &key);
  if (fault) {
    require(*fault);
    return;
  }
  public_key_write(&key, &written);
  require(!written.failed && !public_key_parse(written.bytes, &again) &&
          memcmp(&key, &again, sizeof key) == 0);
  text_release(&written);
}

static void try_secret_key(char *text) {
  struct sealed_key sealed, again;
  struct secret_key key;
  struct text written = {0};
  bool memory = false;
  const char *fault = sealed_key_parse(text, &sealed);
  if (fault) {
    require(*fault);
    return;
  }
  sealed_key_write(&sealed, &written);
  require(!written.failed && !sealed_key_parse(written.bytes, &again) &&
          sealed.encrypted == again.encrypted &&
          memcmp(sealed.payload, again.payload, sizeof sealed.payload) == 0);
  text_release(&written);
  // Not those with passwords, which take seconds each.
  if (!sealed.encrypted)
    (void)secret_key_open(&sealed, NULL, &key, &memory);
  require(!memory);
}

static void try_signature(char *text) {
  static const struct public_key nobody;
  static const uint8_t hash[64];
  struct signature signature, again;
  struct text written = {0};
  const char *fault = signature_parse(text, &signature);
  if (fault) {
    require(*fault);
    return;
  }
  signature_write(&signature, &written);
  require(!written.failed && !signature_parse(written.bytes, &again) &&
          signature.hashed == again.hashed &&
          strcmp(signature.comment, again.comment) == 0 &&
          memcmp(signature.bytes, again.bytes, sizeof again.bytes) == 0 &&
          memcmp(signature.global, again.global, sizeof again.global) == 0);
  text_release(&written);
  require(!signature_fits(&signature, &nobody, hash, sizeof hash) &&
          !signature_comment_fits(&signature, &nobody));
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  static void (*const tries[])(char *) = {try_public_key, try_secret_key,
                                          try_signature};
  require(form_begin());
  for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
    char *text = text_copy(bytes, size);
    tries[i](text);
    free(text);
  }
  return 0;
}
