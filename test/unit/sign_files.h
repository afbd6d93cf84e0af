// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and signatures for tests: those that minisign 0.11 made once, and a
// directory in which new ones are made.

#ifndef MLIRPLUG_TEST_SIGN_FILES_H
#define MLIRPLUG_TEST_SIGN_FILES_H

#include "support/command.h"

#include <mlirplug/signature.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNTRUSTED "untrusted comment: x\n"
#define KEY_ID "7AD7E18DF59492E2"

#define PUBLIC_LINE "RWTikpT1jeHXegxAwjMPTkl20G5XxI3IMyMn9IKy3CzLsRr1gL2qyZQd\n"
#define PUBLIC_TEXT                                                            \
  "untrusted comment: minisign public key " KEY_ID "\n" PUBLIC_LINE

#define SECRET_LINE                                                            \
  "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4p" \
  "KU"                                                                         \
  "9Y3h13qNXwoO22YxKLUjBAIs36G2Ha/Nwp7XgiadrW+zlSFHugxAwjMPTkl20G5XxI3IMyMn9I" \
  "Ky3CzLsRr1gL2qyZQdAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"

/// Of the file that holds SIGNED_CONTENT.
#define SIGNED_CONTENT "hello"
#define SIGNATURE_LINE                                                         \
  "RUTikpT1jeHXepzniY6F57lAqAAe0Iemfap5wGLHILikAU3W6rDvWiK5GdokncPU1HUpWLopMz" \
  "fhmTOacSXSxS5rv5JHhUh0XgQ=\n"
#define COMMENT_LINE                                                           \
  "trusted comment: timestamp:1796072882\tfile:f.so\thashed\n"
#define GLOBAL_LINE                                                            \
  "+gLEie8EUJjLMwVXhWFlvp/awihjl/KnUgrninlRGQ8/Ntn5nAzSSNKz2sHzQHjwmNMfRQRpdQ" \
  "S6l7/UO7UiBA==\n"
#define SIGNATURE_TEXT UNTRUSTED SIGNATURE_LINE COMMENT_LINE GLOBAL_LINE

/// The same file by minisign -l.
#define OLD_LINE                                                               \
  "RWTikpT1jeHXetAUS9BMcNFoYYyRV2giNqk/pMnXn+pcrblGq4k27ksaDhil6H30Ox7M37p6J+" \
  "3ozR2py6xIwJMG2zJTclK9lwk=\n"
#define OLD_COMMENT_LINE "trusted comment: timestamp:1796072882\tfile:f.so\n"
#define OLD_GLOBAL_LINE                                                        \
  "3UyXhL85PemUDXEtz0MZbrrJCOoRy2NFRdS/9DFuHLgey6/GaZR4rFF/cglJiy3urVcsZ5+gw0" \
  "wHJEc65kPAAA==\n"
#define OLD_TEXT UNTRUSTED OLD_LINE OLD_COMMENT_LINE OLD_GLOBAL_LINE

/// Goes to a fresh directory with f.so, f.so.minisig, a.key, keys/a.pub, and
/// nothing of the user's: its path.
static inline char *sign_directory_enter(void) {
  char *directory = directory_create();
  cr_assert_eq(chdir(directory), 0);
  cr_assert_eq(setenv("XDG_CONFIG_HOME", "/nowhere", 1), 0);
  struct command_result made = command_shell("mkdir keys");
  command_release(&made);
  file_write("f.so", SIGNED_CONTENT, strlen(SIGNED_CONTENT));
  file_write("f.so.minisig", SIGNATURE_TEXT, strlen(SIGNATURE_TEXT));
  file_write("a.key", UNTRUSTED SECRET_LINE, strlen(UNTRUSTED SECRET_LINE));
  file_write("keys/a.pub", PUBLIC_TEXT, strlen(PUBLIC_TEXT));
  return directory;
}

static inline void sign_directory_begin(void) { free(sign_directory_enter()); }

static inline void sign_write(const char *path, const char *text) {
  file_write(path, text, strlen(text));
}

/// The error says `part`; destroys it.
static inline void sign_expect_error(mlirplug_error *error, const char *part) {
  cr_assert_not_null(error, "nothing is wrong, where this should be: %s", part);
  cr_expect_not_null(strstr(error->message, part), "no \"%s\" in: %s", part,
                     error->message);
  cr_expect(!error->untrusted, "%s", error->message);
  cr_expect_not_null(error->remedy, "%s", error->message);
  mlirplug_error_destroy(error);
}

static inline void sign_expect_none(mlirplug_error *error) {
  cr_expect_null(error, "%s", error ? error->message : "");
  mlirplug_error_destroy(error);
}

static inline void sign_shell(const char *line) {
  struct command_result result = command_shell("%s", line);
  cr_expect_eq(result.exit_code, 0, "%s: %s%s", line, result.output,
               result.errors);
  command_release(&result);
}

#endif // MLIRPLUG_TEST_SIGN_FILES_H
