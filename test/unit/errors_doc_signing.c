// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about keys, signatures and policies.

#include "errors_doc.h"

#include "read/libraries.h"
#include "sign/demand.h"
#include "sign/digest.h"
#include "sign/keyring.h"
#include "sign/policy.h"
#include "sign/secret_key.h"
#include "sign_files.h"
#include "support/mlir.h"

#include <sys/stat.h>

static mlirplug_error *error;

static void expect_said(mlirplug_status status) {
  errors_doc_expect_failure(status, &error);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// As text, where a signature is right but for this.
static void signature_says(const char *text) {
  mlirplug_signature *signature;
  sign_write("f.so.minisig", text);
  expect_said(mlirplug_signature_check("f.so", "keys", &signature, &error));
}

static void signatures_say(void) {
  static char long_comment[9000];
  signature_says("");
  signature_says(UNTRUSTED);
  signature_says(UNTRUSTED "?\n");
  signature_says(UNTRUSTED "AAAA\n");
  signature_says(UNTRUSTED PUBLIC_LINE);
  signature_says(UNTRUSTED SIGNATURE_LINE UNTRUSTED);
  signature_says(SIGNATURE_TEXT "more");
  (void)snprintf(long_comment, sizeof long_comment, "%s%s%s%08100d\n%s",
                 UNTRUSTED, SIGNATURE_LINE, "trusted comment: ", 0,
                 GLOBAL_LINE);
  signature_says(long_comment);
  signature_says(
      UNTRUSTED
      "RXTikpT1jeHXepzniY6F57lAqAAe0Iemfap5wGLHILikAU3W6rDvWiK5GdokncPU1HUpWL"
      "opMzfhmTOacSXSxS5rv5JHhUh0XgQ=\n" COMMENT_LINE GLOBAL_LINE);
}

static void secret_key_says(const char *path) {
  mlirplug_secret_key *key;
  expect_said(mlirplug_secret_key_read(path, NULL, NULL, &key, &error));
}

/// Minisign's secret key with the bytes from `offset` on replaced.
static void changed_key_says(size_t offset, const char *bytes, size_t length) {
  char original[] = UNTRUSTED SECRET_LINE;
  char *rest = original;
  uint8_t block[FORM_SECRET_KEY];
  struct text text = {0};
  form_take_line(&rest);
  cr_assert_null(form_take_block(&rest, block, sizeof block));
  memcpy(block + offset, bytes, length);
  text_add(&text, UNTRUSTED);
  form_add_block(&text, block, sizeof block);
  sign_write("changed.key", text.bytes);
  text_release(&text);
  secret_key_says("changed.key");
}

static bool password_give(const char *path, char *password, size_t size,
                          void *user_data) {
  (void)path;
  (void)user_data;
  (void)snprintf(password, size, "wrong");
  return true;
}

static void wrong_password_says(void) {
  struct secret_key key;
  struct public_key public_key;
  struct sealed_key sealed;
  struct text text = {0};
  secret_key_generate(&key, &public_key);
  cr_assert(secret_key_seal(&key, NULL, &sealed));
  sealed.encrypted = true;
  sealed.operations = 32768;
  sealed.memory = 16777216;
  sealed_key_write(&sealed, &text);
  sign_write("sealed.key", text.bytes);
  text_release(&text);
  mlirplug_secret_key *opened;
  expect_said(mlirplug_secret_key_read("sealed.key", password_give, NULL,
                                       &opened, &error));
}

static void secret_keys_say(void) {
  secret_key_says("missing.key");
  secret_key_says("keys");
  sign_shell("truncate -s 5000 large.key && printf '\\0' >zero.key");
  secret_key_says("large.key");
  secret_key_says("zero.key");
  changed_key_says(2, "XX", 2);
  changed_key_says(4, "XX", 2);
  changed_key_says(2, "Sc", 2);
  changed_key_says(62, "x", 1);
  changed_key_says(140, "x", 1);
  char dear[60] = "ScB2";
  memset(dear + 36, 0xff, 16);
  changed_key_says(2, dear, 52);
  wrong_password_says();
}

//===----------------------------------------------------------------------===//
// Directories of keys, and what is signed
//===----------------------------------------------------------------------===//

static void check_says(const char *key_directory) {
  mlirplug_signature *signature;
  expect_said(
      mlirplug_signature_check("f.so", key_directory, &signature, &error));
}

static void keys_say(void) {
  check_says("");
  check_says("missing");
  sign_write("keys/bad.pub", "text");
  check_says("keys");
  sign_shell("rm keys/bad.pub && chmod 666 keys/a.pub");
  check_says("keys");
  sign_shell("chmod 644 keys/a.pub && mkdir many && for i in $(seq 1025); do "
             "ln keys/a.pub many/$i.pub; done");
  check_says("many");
}

static void lost_directory_says(const char *directory) {
  sign_shell("mkdir lost");
  cr_assert_eq(chdir("lost"), 0);
  cr_assert_eq(rmdir("../lost"), 0);
  mlirplug_signature *signature;
  expect_said(
      mlirplug_signature_check("/nowhere.so", "keys", &signature, &error));
  cr_assert_eq(chdir(directory), 0);
}

static void shorter_file_says(void) {
  struct keyring keyring = {0};
  struct file file;
  uint8_t hash[DIGEST_SIZE];
  cr_assert_eq(keyring_add_directory(&keyring, "keys", true, &error),
               MLIRPLUG_OK);
  cr_assert_eq(file_open("f.so", &file, &error), MLIRPLUG_OK);
  cr_assert_eq(truncate("f.so", 1), 0);
  expect_said(keyring_check(&keyring, &file, NULL, &error));
  expect_said(digest_make(&file, "cannot sign the plugin", hash, &error));
  file_close(&file);
  keyring_release(&keyring);
}

static void verifying_says(void) {
  signature_says(UNTRUSTED SIGNATURE_LINE COMMENT_LINE OLD_GLOBAL_LINE);
  sign_write("f.so", "another");
  signature_says(SIGNATURE_TEXT);
  sign_write("f.so.minisig", OLD_TEXT);
  cr_assert_eq(truncate("f.so", (256 << 20) + 1), 0);
  check_says("keys");
  sign_write("f.so", SIGNED_CONTENT);
  sign_write("f.so.minisig", SIGNATURE_TEXT);
  shorter_file_says();
  sign_shell("mkdir none");
  check_says("none");
  sign_shell("minisign -G -W -p none/b.pub -s none/b.key");
  check_says("none");
  sign_shell("rm f.so.minisig");
  check_says("keys");
}

static void libraries_say(void) {
  struct file file;
  cr_assert_eq(file_open(MLIR_PLUGIN("library-beside"), &file, &error),
               MLIRPLUG_OK);
  expect_said(libraries_check(&file, &error));
  file_close(&file);
}

static void warning_expect(const char *line, void *user_data) {
  (void)user_data;
  errors_doc_expect(line);
}

/// One file that is not signed, and two.
static void searching_says(void) {
  static const char *const lines[] = {
      "mkdir unsigned && cp f.so unsigned/one.so", "cp f.so unsigned/other.so"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
    sign_shell(lines[i]);
    mlirplug_host *host = NULL;
    const mlirplug_host_configuration configuration = {
        .size = sizeof configuration,
        .warn = warning_expect,
        .require_signature = true,
        .key_directory = "keys"};
    cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
                 MLIRPLUG_OK);
    cr_expect_eq(mlirplug_host_add_directory(host, "unsigned", &error),
                 MLIRPLUG_OK);
    mlirplug_host_destroy(host);
  }
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

static void making_says(void) {
  static char comment[9000];
  mlirplug_secret_key *key = NULL;
  memset(comment, 'x', sizeof comment - 1);
  cr_assert_eq(mlirplug_secret_key_read("a.key", NULL, NULL, &key, &error),
               MLIRPLUG_OK);
  expect_said(mlirplug_sign(key, "f.so", comment, &error));
  expect_said(mlirplug_sign(key, "f.so", "two\nlines", &error));
  sign_shell("rm -f f.so.minisig && mkdir f.so.minisig");
  expect_said(mlirplug_sign(key, "f.so", NULL, &error));
  mlirplug_secret_key_destroy(key);
  expect_said(mlirplug_key_create("a", NULL, &error));
  expect_said(mlirplug_key_create("no/a", NULL, &error));
  expect_said(mlirplug_key_create("b", "", &error));
}

static void policies_say(void) {
  static const char *const policies[] = {
      "{",
      "[]",
      "{\"require-signatures\": true}",
      "{\"other\": true}",
      "{\"require-signature\": 1}",
      "{\"require-signature\": true, \"key-directories\": []}",
      "{\"require-signature\": true, \"key-directories\": [\"a\"]}",
      "{\"key-directories\": [\"/a\"]}",
  };
  for (size_t i = 0; i < sizeof policies / sizeof *policies; ++i) {
    struct policy policy;
    sign_write("policy.json", policies[i]);
    expect_said(policy_read("policy.json", &policy, &error));
  }
  struct policy policy;
  sign_shell("ln -s nowhere dangling");
  expect_said(policy_read("dangling", &policy, &error));
  expect_said(policy_read("dangling/policy.json", &policy, &error));
}

void signing_says(void) {
  char *before = get_current_dir_name();
  char *directory = sign_directory_enter();
  keys_say();
  signatures_say();
  secret_keys_say();
  verifying_says();
  libraries_say();
  searching_says();
  lost_directory_says(directory);
  making_says();
  policies_say();
  free(directory);
  cr_assert_eq(chdir(before), 0);
  free(before);
}
