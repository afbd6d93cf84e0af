// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signatures of plugins: made, and checked with the keys of a directory.

#include "sign/signature.h"

#include "sign_files.h"
#include "support/system.h"

#include <sys/stat.h>

Test(signature_files, say_what_is_wrong_with_them) {
  static const struct {
    const char *text;
    const char *fault; ///< Null for none.
  } defects[] = {
      {SIGNATURE_TEXT, NULL},
      {OLD_TEXT, NULL},
      {UNTRUSTED SIGNATURE_LINE "trusted comment: \n" GLOBAL_LINE, NULL},
      {"", "its first line does not begin with 'untrusted comment: '"},
      {SIGNATURE_LINE COMMENT_LINE GLOBAL_LINE,
       "its first line does not begin with 'untrusted comment: '"},
      {UNTRUSTED, "it ends too early: a line is missing"},
      {UNTRUSTED SIGNATURE_LINE,
       "its third line does not begin with 'trusted comment: '"},
      {UNTRUSTED SIGNATURE_LINE UNTRUSTED GLOBAL_LINE,
       "its third line does not begin with 'trusted comment: '"},
      {UNTRUSTED SIGNATURE_LINE COMMENT_LINE,
       "it ends too early: a line is missing"},
      {UNTRUSTED SIGNATURE_LINE COMMENT_LINE "AAAA\n",
       "its line of base64 has not the right length"},
      {UNTRUSTED SIGNATURE_LINE COMMENT_LINE SIGNATURE_LINE,
       "it is a signature"},
      {UNTRUSTED PUBLIC_LINE COMMENT_LINE GLOBAL_LINE, "it is a public key"},
      {UNTRUSTED SECRET_LINE COMMENT_LINE GLOBAL_LINE, "it is a secret key"},
      {UNTRUSTED "R\n" COMMENT_LINE GLOBAL_LINE,
       "one of its lines should be base64 and is not"},
      {UNTRUSTED "A" SIGNATURE_LINE COMMENT_LINE GLOBAL_LINE,
       "one of its lines should be base64 and is not"},
      {UNTRUSTED
       "RXTikpT1jeHXepzniY6F57lAqAAe0Iemfap5wGLHILikAU3W6rDvWiK5GdokncPU1HUpWL"
       "opMzfhmTOacSXSxS5rv5JHhUh0XgQ=\n" COMMENT_LINE GLOBAL_LINE,
       "it is for another method than Ed25519"},
      {SIGNATURE_TEXT "more", "there is more text behind its end"},
  };
  for (size_t i = 0; i < sizeof defects / sizeof *defects; ++i) {
    struct signature signature;
    char *text = strdup(defects[i].text);
    const char *fault = signature_parse(text, &signature);
    if (defects[i].fault)
      cr_expect_str_eq(fault ? fault : "nothing", defects[i].fault, "%s",
                       defects[i].text);
    else
      cr_expect_null(fault, "%s: %s", defects[i].text, fault);
    free(text);
  }
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

TestSuite(signatures, .init = sign_directory_begin, .timeout = 60);

static void expect_signed(const char *comment) {
  mlirplug_signature *signature = NULL;
  mlirplug_error *error = NULL;
  cr_expect_eq(mlirplug_signature_check("f.so", "keys", &signature, &error),
               MLIRPLUG_OK);
  sign_expect_none(error);
  cr_assert_not_null(signature);
  cr_expect_str_eq(signature->trusted_comment, comment);
  cr_expect_str_eq(signature->key_id, KEY_ID);
  cr_expect_not_null(strstr(signature->key_file, "/keys/a.pub"));
  mlirplug_signature_destroy(signature);
}

static void expect_refused(const char *part) {
  mlirplug_signature *signature = NULL;
  mlirplug_error *error = NULL;
  cr_expect_eq(mlirplug_signature_check("f.so", "keys", &signature, &error),
               MLIRPLUG_FAILED);
  cr_expect_null(signature);
  sign_expect_error(error, part);
}

Test(signatures, of_minisign_are_taken) {
  cr_expect(mlirplug_signature_exists("f.so"));
  expect_signed("timestamp:1796072882\tfile:f.so\thashed");
}

Test(signatures, of_the_old_kind_are_taken) {
  sign_write("f.so.minisig", OLD_TEXT);
  expect_signed("timestamp:1796072882\tfile:f.so");
  sign_write("f.so", "Hello");
  expect_refused("does not fit: the plugin was changed");
  cr_expect_eq(truncate("f.so", (256 << 20) + 1), 0);
  expect_refused("it has more than 256 MiB");
}

Test(signatures, through_a_link_are_taken) {
  sign_shell("mkdir other && mv f.so.minisig other/s && "
             "ln -s other/s f.so.minisig");
  expect_signed("timestamp:1796072882\tfile:f.so\thashed");
}

Test(signatures, that_are_missing_are_told_from_bad_ones) {
  cr_expect_eq(unlink("f.so.minisig"), 0);
  cr_expect(!mlirplug_signature_exists("f.so"));
  expect_refused("it is not signed: there is no '/");
  cr_expect_eq(symlink("nowhere", "f.so.minisig"), 0);
  cr_expect(mlirplug_signature_exists("f.so"));
  expect_refused("it is not signed");
}

Test(signatures, of_a_changed_plugin_do_not_fit) {
  sign_write("f.so", "hellp");
  expect_refused("/f.so': its signature by the key " KEY_ID
                 " does not fit: the plugin was changed after it was signed");
  sign_write("f.so", "hello!");
  expect_refused("the plugin was changed after it was signed");
  sign_write("f.so", "hell");
  expect_refused("the plugin was changed after it was signed");
}

Test(signatures, with_a_changed_comment_do_not_fit) {
  sign_write("f.so.minisig", UNTRUSTED SIGNATURE_LINE
             "trusted comment: timestamp:1796072883\n" GLOBAL_LINE);
  expect_refused("the trusted comment was changed");
  sign_write("f.so.minisig",
             UNTRUSTED SIGNATURE_LINE COMMENT_LINE OLD_GLOBAL_LINE);
  expect_refused("the trusted comment was changed");
}

Test(signatures, of_the_other_kind_do_not_fit) {
  // The first letter but one says what was signed; nothing signs the letter.
  sign_write("f.so.minisig", UNTRUSTED
             "RWTikpT1jeHXepzniY6F57lAqAAe0Iemfap5wGLHILikAU3W6rDvWiK5GdokncPU1"
             "HUpWLopMzfhmTOacSXSxS5rv5JHhUh0XgQ=\n" COMMENT_LINE GLOBAL_LINE);
  expect_refused("the plugin was changed after it was signed");
}

Test(signatures, by_a_stranger_are_refused) {
  sign_shell("minisign -G -W -p b.pub -s b.key && "
             "minisign -Sm f.so -s b.key && rm keys/a.pub");
  expect_refused(
      "and there are no keys to check that; expected a signature by a "
      "key in '");
  sign_write("keys/a.pub", PUBLIC_TEXT);
  expect_refused("which is not among those there (1)");
  // A stranger's key with the id of a friend's.
  sign_shell("cp f.so.minisig s && { head -1 s; "
             "{ printf 'ED\\342\\222\\224\\365\\215\\341\\327\\172'; "
             "sed -n 2p s | base64 -d | tail -c 64; } | base64 -w0; echo; "
             "tail -2 s; } >f.so.minisig");
  expect_refused("by the key " KEY_ID " does not fit");
}

Test(signatures, that_are_damaged_say_so) {
  static const char *const commands[][2] = {
      {"truncate -s -50 f.so.minisig", "should be base64 and is not"},
      {"truncate -s 100 f.so.minisig", "should be base64 and is not"},
      {"truncate -s 0 f.so.minisig", "its first line does not begin"},
      {"truncate -s 20000 f.so.minisig", "it has more than 10240 bytes"},
      {"truncate -s 1T f.so.minisig", "it has more than 10240 bytes"},
      {"printf 'a\\0b' >f.so.minisig", "there is a zero byte in it"},
      {"rm f.so.minisig && mkfifo f.so.minisig", "it is no regular file"},
      {"rm f.so.minisig && mkdir f.so.minisig", "it is no regular file"},
      {"rmdir f.so.minisig && ln -s f.so.minisig f.so.minisig",
       "Too many levels of symbolic links"},
      {"ln -sf /dev/zero f.so.minisig", "it is no regular file"},
  };
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    sign_shell(commands[i][0]);
    expect_refused(commands[i][1]);
  }
}

//===----------------------------------------------------------------------===//
// Keyrings
//===----------------------------------------------------------------------===//

Test(signatures, need_keys_that_can_be_read) {
  sign_write("keys/b.pub", "text");
  expect_refused("/keys/b.pub': its first line does not begin");
  sign_write("keys/b.pub", UNTRUSTED SECRET_LINE);
  expect_refused("/keys/b.pub': it is a secret key; expected a public key");
  sign_shell("rm keys/b.pub && mkfifo keys/b.pub");
  expect_refused("/keys/b.pub': it is no regular file");
  sign_shell("mv keys/b.pub keys/.b.pub && ln -s x keys/b.txt");
  expect_signed("timestamp:1796072882\tfile:f.so\thashed");
  sign_shell("ln -s x keys/b.pub");
  expect_refused("/keys/b.pub': No such file or directory");
  sign_shell("rm -r keys");
  expect_refused("cannot read the keys in '/");
}

Test(signatures, need_keys_that_only_the_user_can_change) {
  system_set_mode("keys/a.pub", 0666);
  expect_refused("cannot trust the key '");
  expect_refused("everybody may write to the file '");
  system_set_mode("keys/a.pub", 0644);
  system_set_mode("keys", 0777);
  expect_refused("cannot trust the keys in '");
  system_set_mode("keys", 0755);
  system_set_owner("keys/a.pub", 4321, 4321);
  expect_refused("belongs to another user");
}

Test(signatures, are_checked_with_the_users_keys_by_default) {
  mlirplug_signature *signature = NULL;
  mlirplug_error *error = NULL;
  cr_expect_eq(mlirplug_signature_check("f.so", NULL, &signature, &error),
               MLIRPLUG_FAILED);
  sign_expect_error(error, "a key in '/nowhere/mlirplug/keys', "
                           "'/etc/mlirplug/keys'");
  error = NULL;
  sign_shell("mkdir mlirplug && mv keys mlirplug");
  char *directory = get_current_dir_name();
  setenv("XDG_CONFIG_HOME", directory, 1);
  free(directory);
  cr_expect_eq(mlirplug_signature_check("f.so", NULL, &signature, &error),
               MLIRPLUG_OK);
  sign_expect_none(error);
  mlirplug_signature_destroy(signature);
  system_set_secure();
  cr_expect_eq(mlirplug_signature_check("f.so", NULL, &signature, &error),
               MLIRPLUG_FAILED);
  sign_expect_error(error, "a key in '/etc/mlirplug/keys';");
}

//===----------------------------------------------------------------------===//
// Signing
//===----------------------------------------------------------------------===//

static mlirplug_error *sign_with_a(const char *path, const char *comment) {
  mlirplug_error *error = NULL;
  mlirplug_secret_key *key = NULL;
  cr_expect_eq(mlirplug_secret_key_read("a.key", NULL, NULL, &key, &error),
               MLIRPLUG_OK);
  cr_assert_null(error, "%s", error ? error->message : "");
  mlirplug_status status = mlirplug_sign(key, path, comment, &error);
  cr_expect_eq(status, error ? MLIRPLUG_FAILED : MLIRPLUG_OK);
  mlirplug_secret_key_destroy(key);
  return error;
}

Test(signatures, that_are_made_satisfy_minisign) {
  static char longest[SIGNATURE_COMMENT_LIMIT + 2];
  memset(longest, 'x', SIGNATURE_COMMENT_LIMIT);
  const char *const comments[] = {NULL, "", "a comment\twith a tab", "Grüße",
                                  longest};
  sign_write("f.so", "another content");
  for (size_t i = 0; i < sizeof comments / sizeof *comments; ++i) {
    sign_expect_none(sign_with_a("f.so", comments[i]));
    sign_shell("minisign -Vm f.so -p keys/a.pub");
    if (comments[i])
      expect_signed(comments[i]);
  }
  sign_shell("test \"$(echo f.so*)\" = 'f.so f.so.minisig'");
  longest[SIGNATURE_COMMENT_LIMIT] = 'x';
  sign_expect_error(sign_with_a("f.so", longest),
                    "the comment has more than 8000 bytes");
}

Test(signatures, have_a_default_comment_like_minisigns) {
  sign_shell("cp f.so \"$(printf 'odd\\nname.so')\"");
  sign_expect_none(sign_with_a("./odd\nname.so", NULL));
  char *text = file_content("odd\nname.so.minisig");
  const char *comment = strstr(text, "\ntrusted comment: timestamp:");
  cr_assert_not_null(comment, "%s", text);
  cr_expect_not_null(strstr(comment, "\tfile:odd name.so\thashed\n"), "%s",
                     text);
  free(text);
}

Test(signatures, have_a_comment_of_one_line) {
  sign_expect_error(sign_with_a("f.so", "two\nlines"),
                    "there is a control character in the comment");
  sign_expect_error(sign_with_a("f.so", "\x7f"), "control character");
  sign_expect_error(sign_with_a("missing.so", NULL),
                    "cannot open the plugin '");
  expect_signed("timestamp:1796072882\tfile:f.so\thashed");
}

Test(signatures, that_cannot_be_written_leave_the_old_one) {
  sign_shell("mv f.so.minisig old && mkdir f.so.minisig");
  sign_expect_error(sign_with_a("f.so", NULL), "cannot write the signature '");
  sign_shell("test \"$(echo f.so*)\" = 'f.so f.so.minisig'");
}
