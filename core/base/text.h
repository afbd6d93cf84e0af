// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A growing text. Zero bytes are an empty one. Want of memory is remembered, so
// that it need be looked at once, at the end.

#ifndef MLIRPLUG_BASE_TEXT_H
#define MLIRPLUG_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
  char *bytes; ///< Terminated by NUL, or null while empty.
  size_t length;
  size_t capacity;
  bool failed;
};

void text_add_bytes(struct text *text, const char *bytes, size_t length);
void text_add(struct text *text, const char *string);
__attribute__((format(printf, 2, 3))) void text_format(struct text *text,
                                                       const char *format, ...);

/// The text as a string to be freed, "" if empty, null if memory ran out;
/// `text` is empty afterwards.
char *text_take(struct text *text);

/// The length of the character at the front of `string`, which is not empty. A
/// byte that is no UTF-8 is one too, and no control character beyond ASCII.
size_t text_character(const char *string, bool *is_control);

/// Puts a space for each control character (utf8_is_control): a line is one,
/// and reads from left to right, whatever is in it.
void text_make_line(char *string);

void text_release(struct text *text);

#endif // MLIRPLUG_BASE_TEXT_H
