// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"

#include "base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Makes room for `more` bytes and a NUL.
static bool text_reserve(struct text *text, size_t more) {
  size_t needed = text->length + more + 1;
  if (text->failed || needed <= more) {
    text->failed = true;
    return false;
  }
  if (needed <= text->capacity)
    return true;
  size_t capacity = needed < 64 ? 64 : needed + needed / 2;
  char *bytes = realloc(text->bytes, capacity);
  if (!bytes) {
    text->failed = true;
    return false;
  }
  text->bytes = bytes;
  text->capacity = capacity;
  return true;
}

void text_add_bytes(struct text *text, const char *bytes, size_t length) {
  if (!text_reserve(text, length))
    return;
  if (length)
    memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

void text_add(struct text *text, const char *string) {
  text_add_bytes(text, string, strlen(string));
}

void text_format(struct text *text, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  if (length < 0 || !text_reserve(text, (size_t)length)) {
    text->failed = true;
    return;
  }
  va_start(values, format);
  (void)vsnprintf(text->bytes + text->length, (size_t)length + 1, format,
                  values);
  va_end(values);
  text->length += (size_t)length;
}

char *text_take(struct text *text) {
  text_add_bytes(text, "", 0);
  char *bytes = text->bytes;
  if (text->failed) {
    free(bytes);
    bytes = NULL;
  }
  *text = (struct text){0};
  return bytes;
}

size_t text_character(const char *string, bool *is_control) {
  enum { longest = 4 };
  uint32_t character = (unsigned char)*string;
  size_t length = utf8_decode((const unsigned char *)string,
                              strnlen(string, longest), &character);
  *is_control = length && utf8_is_control(character);
  return length ? length : 1;
}

void text_make_line(char *string) {
  char *end = string;
  for (const char *at = string; *at;) {
    bool is_control;
    size_t length = text_character(at, &is_control);
    if (is_control)
      *end++ = ' ';
    for (size_t i = 0; i < length && !is_control; ++i)
      *end++ = at[i];
    at += length;
  }
  *end = '\0';
}

void text_release(struct text *text) {
  free(text->bytes);
  *text = (struct text){0};
}
