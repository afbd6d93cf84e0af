// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/names.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 255

// isalpha and its kin depend on the locale of the program that we are in.
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_letter_or_digit(char c) {
  return is_letter(c) || (c >= '0' && c <= '9');
}

static bool begins_with_letter_and_has_only(const char *name,
                                            const char *others) {
  if (!is_letter(*name) || strlen(name) > LONGEST_NAME)
    return false;
  for (const char *c = name; *c; ++c)
    if (!is_letter_or_digit(*c) && !strchr(others, *c))
      return false;
  return true;
}

const char *name_defect(const char *name) {
  if (!*name)
    return "is empty";
  if (*name == '-')
    return "begins with '-'";
  if (strlen(name) > LONGEST_NAME)
    return "is longer than 255 bytes";
  for (const char *c = name; *c; ++c)
    switch (*c) {
    case ' ':
      return "has a space in it";
    case ',':
      return "has a comma in it";
    case '=':
      return "has '=' in it";
    case '{':
    case '}':
      return "has a brace in it";
    case '(':
    case ')':
      return "has a parenthesis in it";
    case '"':
    case '\'':
    case '`':
      return "has a quotation mark in it";
    default:
      break;
    }
  return NULL;
}

bool name_is_operation(const char *name) {
  return begins_with_letter_and_has_only(name, "._$-");
}

bool name_is_dialect(const char *name) {
  return begins_with_letter_and_has_only(name, "_$");
}

bool name_is_function(const char *name) {
  return begins_with_letter_and_has_only(name, "_/.$");
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// The part of `text` up to a comma or the end, trimmed. `*text` is moved to
/// the comma or the end.
static const char *name_cut(const char **text, size_t *length) {
  const char *begin = *text;
  const char *end = begin + strcspn(begin, ",");
  *text = end;
  while (begin < end && is_blank(*begin))
    ++begin;
  while (end > begin && is_blank(end[-1]))
    --end;
  *length = (size_t)(end - begin);
  return begin;
}

bool names_split(struct arena *arena, const char *text,
                 const char *const **names, size_t *count) {
  *names = NULL;
  *count = 0;
  if (!text || strspn(text, " \t\n") == strlen(text))
    return true;
  size_t commas = 0;
  for (const char *c = text; *c; ++c)
    commas += *c == ',';
  const char **made = arena_array(arena, commas + 1, sizeof *made);
  if (!made)
    return false;
  for (size_t i = 0; i <= commas; ++i, ++text) {
    size_t length;
    const char *name = name_cut(&text, &length);
    made[i] = arena_copy_bytes(arena, name, length);
    if (!made[i])
      return false;
  }
  *names = made;
  *count = commas + 1;
  return true;
}

static int compare(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

bool names_find_duplicate(struct arena *arena, const char *const *names,
                          size_t count, const char **duplicate) {
  *duplicate = NULL;
  if (count < 2)
    return true;
  const char **sorted = arena_array(arena, count, sizeof *sorted);
  if (!sorted)
    return false;
  memcpy(sorted, names, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, compare);
  for (size_t i = 1; i < count && !*duplicate; ++i)
    if (strcmp(sorted[i - 1], sorted[i]) == 0)
      *duplicate = sorted[i];
  return true;
}
