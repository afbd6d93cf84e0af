// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys: what minisign's files say, what is wrong with others, and new ones.

#include "sign/secret_key.h"

#include "sign_files.h"

#include <sodium.h>
#include <sys/stat.h>

//===----------------------------------------------------------------------===//
// What is wrong with a file
//===----------------------------------------------------------------------===//

struct defect {
  const char *text;
  const char *fault; ///< Null for none.
};

static const char first_line[] =
    "its first line does not begin with 'untrusted comment: '";
static const char no_base64[] = "one of its lines should be base64 and is not";

static void expect_fault(const struct defect *defect, const char *fault) {
  if (defect->fault)
    cr_expect_str_eq(fault ? fault : "nothing", defect->fault, "%s",
                     defect->text);
  else
    cr_expect_null(fault, "%s: %s", defect->text, fault);
}

static void expect_id(const uint8_t *id) {
  const struct form_key_id shown = form_key_id(id);
  cr_expect_str_eq(shown.text, KEY_ID);
}

Test(public_keys, say_what_is_wrong_with_their_files) {
  static const struct defect defects[] = {
      {PUBLIC_TEXT, NULL},
      {UNTRUSTED PUBLIC_LINE "\n\n", NULL},
      {"untrusted comment: x\r\n"
       "RWTikpT1jeHXegxAwjMPTkl20G5XxI3IMyMn9IKy3CzLsRr1gL2qyZQd\r\n",
       NULL},
      {"untrusted comment: \n"
       "RWTikpT1jeHXegxAwjMPTkl20G5XxI3IMyMn9IKy3CzLsRr1gL2qyZQd",
       NULL},
      {"", first_line},
      {"\n", first_line},
      {PUBLIC_LINE, first_line},
      {"untrusted comment: x", "it ends too early: a line is missing"},
      {UNTRUSTED "\n", "its line of base64 has not the right length"},
      {UNTRUSTED "RWTikpT1jeHX\n",
       "its line of base64 has not the right length"},
      {UNTRUSTED "RWTikpT1jeHXegxAwjMPTkl20G5XxI3IMyMn9IKy3CzLsRr1gL2qyZQ\n",
       no_base64},
      {UNTRUSTED " " PUBLIC_LINE, no_base64},
      {UNTRUSTED "not base64!\n", no_base64},
      {UNTRUSTED "\xff\xfe\n", no_base64},
      {UNTRUSTED "RVTikpT1jeHXegxAwjMPTkl20G5XxI3IMyMn9IKy3CzLsRr1gL2qyZQd\n",
       "it is for another method than Ed25519"},
      {UNTRUSTED SECRET_LINE, "it is a secret key"},
      {UNTRUSTED SIGNATURE_LINE, "it is a signature"},
      {PUBLIC_TEXT "more\n", "there is more text behind its end"},
      {PUBLIC_TEXT PUBLIC_TEXT, "there is more text behind its end"},
  };
  for (size_t i = 0; i < sizeof defects / sizeof *defects; ++i) {
    struct public_key key;
    char *text = strdup(defects[i].text);
    expect_fault(&defects[i], public_key_parse(text, &key));
    if (!defects[i].fault)
      expect_id(key.id);
    free(text);
  }
}

Test(public_keys, are_written_as_minisign_writes_them) {
  struct public_key key;
  struct text text = {0};
  char copy[] = PUBLIC_TEXT;
  cr_assert_null(public_key_parse(copy, &key));
  public_key_write(&key, &text);
  cr_expect_str_eq(text.bytes, PUBLIC_TEXT);
  text_release(&text);
}

/// The bytes of minisign's secret key with one part replaced, as a file.
static char *secret_text(size_t offset, const void *bytes, size_t length) {
  char original[] = UNTRUSTED SECRET_LINE;
  char *rest = original;
  uint8_t block[FORM_SECRET_KEY];
  struct text text = {0};
  form_take_line(&rest);
  cr_assert_null(form_take_block(&rest, block, sizeof block));
  memcpy(block + offset, bytes, length);
  text_add(&text, UNTRUSTED);
  form_add_block(&text, block, sizeof block);
  return text_take(&text);
}

static void expect_secret_fault(const struct defect *defect) {
  struct sealed_key sealed;
  char *text = strdup(defect->text);
  expect_fault(defect, sealed_key_parse(text, &sealed));
  free(text);
}

Test(secret_keys, say_what_is_wrong_with_their_files) {
  static const struct defect defects[] = {
      {UNTRUSTED SECRET_LINE, NULL},
      {SECRET_LINE, first_line},
      {UNTRUSTED PUBLIC_LINE, "it is a public key"},
      {UNTRUSTED SIGNATURE_LINE, "it is a signature"},
      {UNTRUSTED SECRET_LINE "x", "there is more text behind its end"},
  };
  for (size_t i = 0; i < sizeof defects / sizeof *defects; ++i)
    expect_secret_fault(&defects[i]);
}

Test(secret_keys, say_what_is_wrong_with_their_blocks) {
  static const char dear[] =
      "to open it would cost more than minisign ever asks for";
  static const struct {
    size_t offset;
    const char *bytes;
    size_t length;
    const char *fault;
  } changes[] = {
      {0, "XX", 2, "it is for another method than Ed25519"},
      {2, "XX", 2, "its password is used by another method than scrypt"},
      {4, "XX", 2, "its checksum is made by another method than BLAKE2b"},
      {2, "Sc", 2, NULL},
      {2,
       "ScB2"                             // with a password,
       "saltsaltsaltsaltsaltsaltsaltsalt" // whose salt is this,
       "\0\0\0\0\0\0\0\x80",              // 2^63 operations
       44, dear},
      {2,
       "ScB2"
       "saltsaltsaltsaltsaltsaltsaltsalt"
       "\0\0\0\0\0\0\0\0"
       "\0\0\0\0\0\0\0\x80", // or as many bytes
       52, dear},
  };
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    char *text =
        secret_text(changes[i].offset, changes[i].bytes, changes[i].length);
    expect_secret_fault(&(struct defect){text, changes[i].fault});
    free(text);
  }
}

//===----------------------------------------------------------------------===//
// Opening and sealing
//===----------------------------------------------------------------------===//

static const char *text_open(char *text, const char *password,
                             struct secret_key *key) {
  struct sealed_key sealed;
  bool memory;
  cr_assert_null(sealed_key_parse(text, &sealed));
  const char *fault = secret_key_open(&sealed, password, key, &memory);
  cr_expect(!memory);
  return fault;
}

Test(secret_keys, of_minisign_without_a_password_open) {
  struct secret_key key;
  char text[] = UNTRUSTED SECRET_LINE;
  cr_expect_null(text_open(text, "", &key));
  expect_id(key.id);
}

Test(secret_keys, that_are_damaged_do_not_open) {
  struct secret_key key;
  char *text = secret_text(62, "x", 1); // of the key
  cr_expect_str_eq(text_open(text, "", &key), "its two halves do not belong "
                                              "together: the file is damaged");
  free(text);
  text = secret_text(140, "x", 1); // of the checksum
  cr_expect_str_eq(text_open(text, "", &key),
                   "its checksum is wrong: the file is damaged");
  free(text);
}

/// As cheap as scrypt gets.
static void seal_cheaply(struct sealed_key *sealed, const char *password) {
  uint8_t stream[SEALED_PAYLOAD];
  sealed->encrypted = true;
  sealed->operations = 32768;
  sealed->memory = 16777216;
  cr_assert_eq(crypto_pwhash_scryptsalsa208sha256(
                   stream, sizeof stream, password, strlen(password),
                   sealed->salt, sealed->operations, sealed->memory),
               0);
  for (size_t i = 0; i < sizeof stream; ++i)
    sealed->payload[i] ^= stream[i];
}

Test(secret_keys, open_with_the_right_password_only) {
  struct secret_key key, opened;
  struct public_key public_key;
  struct sealed_key sealed;
  bool memory;
  secret_key_generate(&key, &public_key);
  cr_assert(secret_key_seal(&key, NULL, &sealed));
  cr_expect_null(secret_key_open(&sealed, NULL, &opened, &memory));
  cr_expect_arr_eq(&key, &opened, sizeof key);
  crypto_generichash_state state;
  crypto_generichash_init(&state, NULL, 0, 32);
  crypto_generichash_update(&state, (const uint8_t *)"Ed", 2);
  crypto_generichash_update(&state, (const uint8_t *)&key, sizeof key);
  crypto_generichash_final(&state, sealed.payload + sizeof key, 32);
  seal_cheaply(&sealed, "secret");
  cr_expect_null(secret_key_open(&sealed, "secret", &opened, &memory));
  cr_expect_arr_eq(&key, &opened, sizeof key);
  cr_expect_str_eq(secret_key_open(&sealed, "Secret", &opened, &memory),
                   "the password is wrong, or the file is damaged");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TestSuite(key_files, .init = sign_directory_begin);

Test(key_files, are_made_and_used_by_minisign) {
  mlirplug_error *error = NULL;
  cr_expect_eq(mlirplug_key_create("new", NULL, &error), MLIRPLUG_OK);
  sign_expect_none(error);
  struct stat status;
  cr_expect_eq(stat("new.key", &status), 0);
  cr_expect_eq(status.st_mode & 07777, 0600);
  sign_shell("minisign -Sm f.so -s new.key </dev/null");
  sign_shell("minisign -Vm f.so -p new.pub");
}

Test(key_files, are_never_overwritten) {
  mlirplug_error *error = NULL;
  sign_write("new.pub", "old");
  cr_expect_eq(mlirplug_key_create("new", NULL, &error), MLIRPLUG_FAILED);
  sign_expect_error(error, "cannot create the key 'new.pub': File exists; give "
                           "another name: keys are not overwritten");
  cr_expect_neq(access("new.key", F_OK), 0, "half of the pair is left");
  error = NULL;
  cr_expect_eq(mlirplug_key_create("a", NULL, &error), MLIRPLUG_FAILED);
  sign_expect_error(error, "'a.key': File exists");
  cr_expect_neq(access("a.pub", F_OK), 0);
}

Test(key_files, have_no_empty_password) {
  mlirplug_error *error = NULL;
  cr_expect_eq(mlirplug_key_create("new", "", &error), MLIRPLUG_FAILED);
  sign_expect_error(error, "the password is empty");
}

static void expect_unread(const char *path, const char *part) {
  mlirplug_error *error = NULL;
  mlirplug_secret_key *key = NULL;
  cr_expect_eq(mlirplug_secret_key_read(path, NULL, NULL, &key, &error),
               MLIRPLUG_FAILED);
  cr_expect_null(key);
  sign_expect_error(error, part);
}

Test(key_files, that_are_no_secret_keys_are_refused) {
  expect_unread("missing", "'missing': No such file or directory");
  expect_unread("keys", "'keys': it is no regular file");
  expect_unread("keys/a.pub", "'keys/a.pub': it is a public key; expected a "
                              "secret key");
  sign_shell("mkfifo fifo && truncate -s 5000 large && printf '\\0' >zero");
  expect_unread("fifo", "it is no regular file");
  expect_unread("large", "it has more than 4096 bytes");
  expect_unread("zero", "there is a zero byte in it");
  char *text = secret_text(2, "Sc", 2);
  sign_write("closed.key", text);
  free(text);
  expect_unread("closed.key", "it is encrypted, and no password was given");
}
