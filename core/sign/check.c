// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a plugin is signed by one of the keys of a keyring.

#include "sign/digest.h"
#include "sign/keyring.h"
#include "sign/signature.h"
#include "sign/small_file.h"

#include "base/shell.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// One check.
struct check {
  const struct keyring *keyring;
  const struct file *file;
  struct signature signature;
  mlirplug_error **error;
};

static const char doing[] = "cannot verify the plugin";

/// `found` and `remedy` are taken; null for want of memory.
static mlirplug_status refuse_as(const struct check *check, bool is_unsigned,
                                 char *found, char *remedy) {
  const struct keyring *keyring = check->keyring;
  struct text expected = {0};
  text_format(&expected, "a signature by a key in %s",
              keyring->directories ? keyring->directories : "a directory");
  if (keyring->demanded_by)
    text_format(&expected, ", as '%s' demands", keyring->demanded_by);
  char *wanted = text_take(&expected);
  if (found && remedy && wanted)
    error_set(check->error, &(mlirplug_error){.doing = doing,
                                              .subject = check->file->path,
                                              .found = found,
                                              .expected = wanted,
                                              .remedy = remedy,
                                              .is_unsigned = is_unsigned});
  else
    error_set_memory(check->error);
  free(wanted);
  free(found);
  free(remedy);
  return MLIRPLUG_FAILED;
}

static mlirplug_status refuse(const struct check *check, char *found,
                              char *remedy) {
  return refuse_as(check, false, found, remedy);
}

static mlirplug_status refuse_unsigned(const struct check *check,
                                       const char *path) {
  struct text found = {0}, remedy = {0};
  text_format(&found, "it is not signed: there is no '%s'", path);
  text_add(&remedy, "whoever made it signs it: mlirplug sign --key=FILE ");
  shell_add_word(&remedy, check->file->path);
  return refuse_as(check, true, text_take(&found), text_take(&remedy));
}

static mlirplug_status refuse_stranger(const struct check *check) {
  struct text found = {0}, remedy = {0};
  text_format(&found, "it is signed by the key %s, ",
              form_key_id(check->signature.key_id).text);
  if (check->keyring->count)
    text_format(&found, "which is not among those there (%zu)",
                check->keyring->count);
  else
    text_add(&found, "and there are no keys to check that");
  text_add(&remedy, "if you trust whoever has that key, put its .pub file "
                    "there");
  return refuse(check, text_take(&found), text_take(&remedy));
}

static mlirplug_status refuse_misfit(const struct check *check,
                                     const char *what) {
  struct text found = {0}, remedy = {0};
  text_format(&found, "its signature by the key %s does not fit: %s",
              form_key_id(check->signature.key_id).text, what);
  text_add(&remedy, "get the plugin and its .minisig file again; if you built "
                    "it, sign it again: mlirplug sign --key=FILE ");
  shell_add_word(&remedy, check->file->path);
  return refuse(check, text_take(&found), text_take(&remedy));
}

static bool key_has_id(const struct keyring_key *key, const uint8_t *id) {
  return memcmp(key->key.id, id, FORM_KEY_ID) == 0;
}

/// Among the keys with the id of the signature, the one that made it of these
/// bytes.
static mlirplug_status key_find(const struct check *check, const uint8_t *bytes,
                                size_t length,
                                const struct keyring_key **match) {
  const struct signature *signature = &check->signature;
  bool fits = false;
  for (size_t i = 0; i < check->keyring->count; ++i) {
    const struct keyring_key *key = &check->keyring->keys[i];
    if (!key_has_id(key, signature->key_id) ||
        !signature_fits(signature, &key->key, bytes, length))
      continue;
    fits = true;
    if (!signature_comment_fits(signature, &key->key))
      continue;
    *match = key;
    return MLIRPLUG_OK;
  }
  return refuse_misfit(check, fits ? "the trusted comment was changed"
                                   : "the plugin was changed after it was "
                                     "signed, or another key has the same id");
}

static bool key_id_is_known(const struct check *check) {
  for (size_t i = 0; i < check->keyring->count; ++i)
    if (key_has_id(&check->keyring->keys[i], check->signature.key_id))
      return true;
  return false;
}

static mlirplug_status content_check(const struct check *check,
                                     const struct keyring_key **match) {
  // A stranger's signature is not worth reading the file for.
  if (!key_id_is_known(check))
    return refuse_stranger(check);
  if (check->signature.hashed) {
    uint8_t hash[DIGEST_SIZE];
    if (digest_make(check->file, doing, hash, check->error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
    return key_find(check, hash, sizeof hash, match);
  }
  uint8_t *bytes;
  size_t length;
  if (digest_read_file(check->file, doing, &bytes, &length, check->error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status result = key_find(check, bytes, length, match);
  free(bytes);
  return result;
}

/// Checks the signature whose file holds `text`.
static mlirplug_status text_check(struct check *check, char *text,
                                  const struct small_file *file,
                                  struct keyring_match *match) {
  const char *fault = signature_parse(text, &check->signature);
  if (fault)
    return small_file_refuse(
        file, fault, "get it again, or sign the plugin again", check->error);
  const struct keyring_key *key;
  // Without random numbers it is slower, but no less right.
  (void)form_begin();
  if (content_check(check, &key) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!match)
    return MLIRPLUG_OK;
  char *comment = strdup(check->signature.comment);
  if (!comment)
    return error_set_memory(check->error);
  *match = (struct keyring_match){key, comment};
  return MLIRPLUG_OK;
}

mlirplug_status keyring_check(const struct keyring *keyring,
                              const struct file *file,
                              struct keyring_match *match,
                              mlirplug_error **error) {
  struct check check = {.keyring = keyring, .file = file, .error = error};
  char *path = NULL, *text = NULL;
  if (asprintf(&path, "%s.minisig", file->path) < 0)
    return error_set_memory(error);
  const struct small_file signature = {
      .kind = "signature",
      .path = path,
      .expected = "a signature of minisign's form",
      .limit = SIGNATURE_FILE_LIMIT,
      .may_be_missing = true,
  };
  mlirplug_status result = small_file_read(&signature, &text, error);
  if (result == MLIRPLUG_OK)
    result = text ? text_check(&check, text, &signature, match)
                  : refuse_unsigned(&check, path);
  free(text);
  free(path);
  return result;
}
