// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/scan.h"

#include <string.h>

#define EXCERPT_LENGTH 24

bool scan_is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct span scan_trim(struct span span) {
  while (span.begin < span.end && scan_is_space(*span.begin))
    ++span.begin;
  while (span.begin < span.end && scan_is_space(span.end[-1]))
    --span.end;
  return span;
}

bool scan_equal(struct span span, const char *string) {
  size_t length = (size_t)(span.end - span.begin);
  return strlen(string) == length && memcmp(span.begin, string, length) == 0;
}

bool scan_opens_quote(struct span text, const char *at) {
  if (at == text.end || (*at != '\'' && *at != '"'))
    return false;
  return at == text.begin || scan_is_space(at[-1]) || at[-1] == '=' ||
         at[-1] == ',' || at[-1] == '{';
}

const char *scan_step(struct span text, const char *at) {
  if (!scan_opens_quote(text, at))
    return at + 1;
  const char *close = memchr(at + 1, *at, (size_t)(text.end - at - 1));
  return close ? close + 1 : NULL;
}

static bool stops_at(const char *at, enum scan_stop stop) {
  return (stop == SCAN_SPACE && scan_is_space(*at)) ||
         (stop == SCAN_COMMA && *at == ',');
}

enum scan_fault scan_piece(struct span text, enum scan_stop stop,
                           const char **end) {
  size_t depth = 0;
  const char *outermost = text.begin;
  for (const char *at = text.begin, *next; at < text.end; at = next) {
    *end = at;
    if (depth == 0 && stops_at(at, stop))
      return SCAN_FINE;
    if (*at == '{' && depth++ == 0)
      outermost = at;
    if (*at == '}') {
      if (depth == 0)
        return SCAN_CLOSING_BRACE;
      if (--depth == 0 && stop == SCAN_BRACE)
        return SCAN_FINE;
    }
    next = scan_step(text, at);
    if (!next)
      return SCAN_QUOTE;
  }
  *end = depth ? outermost : text.end;
  return depth ? SCAN_OPEN_BRACE : SCAN_FINE;
}

static bool continues_character(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

size_t scan_character(const char *text, const char *at) {
  size_t number = 1;
  for (; text < at; ++text)
    number += !continues_character(*text);
  return number;
}

struct span scan_excerpt(const char *at) {
  size_t length = strnlen(at, EXCERPT_LENGTH);
  while (length && continues_character(at[length]))
    --length;
  return (struct span){at, at + length};
}
