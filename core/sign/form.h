// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What minisign's files have in common: lines of text, comments with a word in
// front, and blocks of bytes in base64.
//
// The functions that take such files apart return what is wrong with one, in
// words for an error ("it is …"), or null if nothing is. They change the text.

#ifndef MLIRPLUG_SIGN_FORM_H
#define MLIRPLUG_SIGN_FORM_H

#include "base/text.h"

#include <stdint.h>

/// The sizes of the blocks in bytes.
enum {
  FORM_KEY_ID = 8,
  FORM_PUBLIC_KEY = 42,
  FORM_SECRET_KEY = 158,
  FORM_SIGNATURE = 74,
  FORM_GLOBAL_SIGNATURE = 64,
};

#define FORM_UNTRUSTED "untrusted comment: "
#define FORM_TRUSTED "trusted comment: "

/// Cuts off the next line; `*rest` goes on behind it. Null at the end.
char *form_take_line(char **rest);

/// The next line without `word`, with which it must begin; else null.
char *form_take_comment(char **rest, const char *word);

/// The next line as a block of `size` bytes.
const char *form_take_block(char **rest, uint8_t *block, size_t size);

/// Nothing but empty lines may follow.
const char *form_take_end(char **rest);

void form_add_block(struct text *text, const uint8_t *block, size_t size);

/// The id of a key as minisign shows it: "7AD7E18DF59492E2".
struct form_key_id {
  char text[2 * FORM_KEY_ID + 1];
};
struct form_key_id form_key_id(const uint8_t *id);

/// Makes libsodium ready; needed before it computes anything. Any thread, any
/// number of times. False if there is no source of random numbers.
bool form_begin(void);

#endif // MLIRPLUG_SIGN_FORM_H
