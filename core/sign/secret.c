// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of keys: made, and read for signing.

#include "sign/secret.h"

#include "sign/small_file.h"
#include "sign/write.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char creating[] = "cannot create the key";
static const char reading[] = "cannot read the secret key";
static const char expected[] = "a secret key of minisign's form";

static mlirplug_status begin(const char *doing, const char *path,
                             mlirplug_error **error) {
  if (form_begin())
    return MLIRPLUG_OK;
  return error_set(
      error, &(mlirplug_error){.doing = doing,
                               .subject = path,
                               .found = "there is no source of random numbers",
                               .remedy = "see that /dev/urandom can be read"});
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// Writes both files or none.
static mlirplug_status pair_write(const char *name, const char *secret,
                                  const char *public, mlirplug_error **error) {
  char *secret_path = NULL, *public_path = NULL;
  mlirplug_status result = MLIRPLUG_FAILED;
  if (asprintf(&secret_path, "%s.key", name) < 0 ||
      asprintf(&public_path, "%s.pub", name) < 0) {
    error_set_memory(error);
    goto done;
  }
  if (write_new(secret_path, 0600, secret, creating, error) != MLIRPLUG_OK)
    goto done;
  result = write_new(public_path, 0644, public, creating, error);
  if (result != MLIRPLUG_OK)
    (void)remove(secret_path);
done:
  free(secret_path);
  free(public_path);
  return result;
}

static void text_wipe(char *text) {
  if (text)
    sodium_memzero(text, strlen(text));
  free(text);
}

static mlirplug_status pair_create(const char *name, const char *password,
                                   struct secret_key *key,
                                   mlirplug_error **error) {
  struct public_key public_key;
  struct sealed_key sealed;
  struct text secret_text = {0}, public_text = {0};
  secret_key_generate(key, &public_key);
  if (!secret_key_seal(key, password, &sealed))
    return error_set_memory(error);
  sealed_key_write(&sealed, &secret_text);
  public_key_write(&public_key, &public_text);
  sodium_memzero(&sealed, sizeof sealed);
  char *secret = text_take(&secret_text);
  char *public = text_take(&public_text);
  mlirplug_status result = secret && public
                               ? pair_write(name, secret, public, error)
                               : error_set_memory(error);
  text_wipe(secret);
  free(public);
  return result;
}

mlirplug_status mlirplug_key_create(const char *name, const char *password,
                                    mlirplug_error **error) {
  if (password && !*password)
    return error_set(
        error, &(mlirplug_error){.doing = creating,
                                 .subject = name,
                                 .found = "the password is empty",
                                 .remedy = "give one, or ask for a key without "
                                           "a password"});
  if (begin(creating, name, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct secret_key key;
  mlirplug_status result = pair_create(name, password, &key, error);
  sodium_memzero(&key, sizeof key);
  return result;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static mlirplug_status refuse(const char *path, const char *found,
                              const char *wanted, const char *remedy,
                              mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = reading,
                                            .subject = path,
                                            .found = found,
                                            .expected = wanted,
                                            .remedy = remedy});
}

static mlirplug_status sealed_read(const char *path, struct sealed_key *sealed,
                                   mlirplug_error **error) {
  char *text;
  if (small_file_read(&(struct small_file){.kind = "secret key",
                                           .path = path,
                                           .expected = expected,
                                           .limit = 4096},
                      &text, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  // Taking the text apart cuts it into several strings.
  size_t length = strlen(text);
  const char *fault = sealed_key_parse(text, sealed);
  sodium_memzero(text, length);
  free(text);
  return fault ? refuse(path, fault, expected, "give the right file", error)
               : MLIRPLUG_OK;
}

static mlirplug_status sealed_open(const char *path,
                                   const struct sealed_key *sealed,
                                   mlirplug_password ask, void *user_data,
                                   struct secret_key *key,
                                   mlirplug_error **error) {
  char password[1024] = "";
  bool memory = false;
  mlirplug_status result = MLIRPLUG_OK;
  if (sealed->encrypted &&
      (!ask || !ask(path, password, sizeof password, user_data))) {
    result = refuse(path, "it is encrypted, and no password was given", NULL,
                    "give the password that it was made with", error);
  } else {
    const char *fault = secret_key_open(sealed, password, key, &memory);
    if (memory)
      result = error_set_memory(error);
    else if (fault)
      result = refuse(path, fault, NULL,
                      "try again, or take the key from a backup", error);
  }
  sodium_memzero(password, sizeof password);
  return result;
}

mlirplug_status mlirplug_secret_key_read(const char *path,
                                         mlirplug_password password,
                                         void *user_data,
                                         mlirplug_secret_key **key,
                                         mlirplug_error **error) {
  if (begin(reading, path, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct sealed_key sealed;
  if (sealed_read(path, &sealed, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_secret_key *made = calloc(1, sizeof *made);
  if (made)
    (void)sodium_mlock(made, sizeof *made); // Better not on the disk.
  mlirplug_status result =
      made ? sealed_open(path, &sealed, password, user_data, &made->key, error)
           : error_set_memory(error);
  sodium_memzero(&sealed, sizeof sealed);
  if (result == MLIRPLUG_OK)
    *key = made;
  else
    mlirplug_secret_key_destroy(made);
  return result;
}

void mlirplug_secret_key_destroy(mlirplug_secret_key *key) {
  if (!key)
    return;
  (void)sodium_munlock(key, sizeof *key); // wipes it
  free(key);
}
