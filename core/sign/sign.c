// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signing a plugin, and what its signature says.

#include "sign/demand.h"
#include "sign/digest.h"
#include "sign/keyring.h"
#include "sign/secret.h"
#include "sign/signature.h"
#include "sign/write.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char doing[] = "cannot sign the plugin";

//===----------------------------------------------------------------------===//
// Signing
//===----------------------------------------------------------------------===//

/// What is wrong with a comment, or null.
static const char *comment_fault(const char *comment) {
  if (strlen(comment) > SIGNATURE_COMMENT_LIMIT)
    return "the comment has more than 8000 bytes";
  for (const char *c = comment; *c; ++c)
    if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
      return "there is a control character in the comment";
  return NULL;
}

static mlirplug_status comment_check(const struct file *file,
                                     const char *comment,
                                     mlirplug_error **error) {
  const char *fault = comment_fault(comment);
  if (!fault)
    return MLIRPLUG_OK;
  return error_set(error, &(mlirplug_error){.doing = doing,
                                            .subject = file->path,
                                            .found = fault,
                                            .expected = "one line of text",
                                            .remedy = "give another comment"});
}

/// What minisign writes; null if memory runs out.
static char *comment_default(const char *path) {
  const char *slash = strrchr(path, '/');
  char *name = strdup(slash ? slash + 1 : path);
  char *comment = NULL;
  if (name) {
    text_make_line(name);
    if (asprintf(&comment, "timestamp:%lld\tfile:%s\thashed",
                 (long long)time(NULL), name) < 0)
      comment = NULL;
  }
  free(name);
  return comment;
}

static mlirplug_status signature_save(const struct file *file,
                                      const struct signature *signature,
                                      mlirplug_error **error) {
  struct text text = {0};
  signature_write(signature, &text);
  char *content = text_take(&text);
  char *path = NULL;
  if (asprintf(&path, "%s.minisig", file->path) < 0)
    path = NULL;
  mlirplug_status result =
      content && path
          ? write_replace(path, content, "cannot write the signature", error)
          : error_set_memory(error);
  free(path);
  free(content);
  return result;
}

static mlirplug_status file_sign(const struct secret_key *key,
                                 const struct file *file, const char *comment,
                                 mlirplug_error **error) {
  uint8_t hash[DIGEST_SIZE];
  struct signature signature;
  if (comment_check(file, comment, error) != MLIRPLUG_OK ||
      digest_make(file, doing, hash, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  signature_make(key, hash, comment, &signature);
  return signature_save(file, &signature, error);
}

mlirplug_status mlirplug_sign(const mlirplug_secret_key *key, const char *path,
                              const char *trusted_comment,
                              mlirplug_error **error) {
  struct file file;
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  char *made = trusted_comment ? NULL : comment_default(file.path);
  const char *comment = trusted_comment ? trusted_comment : made;
  mlirplug_status result = comment ? file_sign(&key->key, &file, comment, error)
                                   : error_set_memory(error);
  free(made);
  file_close(&file);
  return result;
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

bool mlirplug_signature_exists(const char *path) {
  // No memory to run out of: "no" is no answer then. There is no longer path.
  char signature[PATH_MAX];
  int length = snprintf(signature, sizeof signature, "%s.minisig", path);
  return length > 0 && (size_t)length < sizeof signature &&
         faccessat(AT_FDCWD, signature, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/// A copy of its own; null if memory runs out.
static mlirplug_signature *signature_copy(const struct keyring_match *match) {
  mlirplug_signature *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->key_id = strdup(form_key_id(match->key->key.id).text);
  made->key_file = strdup(match->key->path);
  made->trusted_comment = strdup(match->comment);
  if (made->key_id && made->key_file && made->trusted_comment)
    return made;
  mlirplug_signature_destroy(made);
  return NULL;
}

static mlirplug_status file_check(const struct keyring *keyring,
                                  const char *path,
                                  mlirplug_signature **signature,
                                  mlirplug_error **error) {
  struct file file;
  struct keyring_match match;
  if (file_open(path, &file, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status result = keyring_check(keyring, &file, &match, error);
  file_close(&file);
  if (result != MLIRPLUG_OK)
    return result;
  mlirplug_signature *made = signature_copy(&match);
  free(match.comment);
  if (!made)
    return error_set_memory(error);
  *signature = made;
  return MLIRPLUG_OK;
}

mlirplug_status mlirplug_signature_check(const char *path,
                                         const char *key_directory,
                                         mlirplug_signature **signature,
                                         mlirplug_error **error) {
  struct keyring keyring = {0};
  mlirplug_status result =
      key_directory
          ? keyring_add_directory(&keyring, key_directory, true, error)
          : keyring_add_defaults(&keyring, DEMAND_SYSTEM, error);
  if (result == MLIRPLUG_OK)
    result = file_check(&keyring, path, signature, error);
  keyring_release(&keyring);
  return result;
}

void mlirplug_signature_destroy(mlirplug_signature *signature) {
  if (!signature)
    return;
  free((void *)signature->key_id);
  free((void *)signature->key_file);
  free((void *)signature->trusted_comment);
  free(signature);
}
