// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/value.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool value_is_list(const mlirplug_option *option) {
  return option->kind & MLIRPLUG_KIND_LIST;
}

static uint32_t element_kind(const mlirplug_option *option) {
  return option->kind & ~MLIRPLUG_KIND_LIST;
}

size_t value_size(const mlirplug_option *option) {
  return element_kind(option) == MLIRPLUG_KIND_BOOL ? sizeof(bool) : 8;
}

static bool has_range(const mlirplug_option *option) {
  return option->flags & MLIRPLUG_OPTION_RANGE;
}

bool value_choice(const mlirplug_option *option, uint64_t index,
                  struct span *choice) {
  const char *at = option->choices ? option->choices : "";
  for (; *at; at += *at == ',') {
    const char *end = strchrnul(at, ',');
    if (index-- == 0) {
      *choice = scan_trim((struct span){at, end});
      return true;
    }
    at = end;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool starts_with(struct span text, const char *prefix) {
  size_t length = strlen(prefix);
  return (size_t)(text.end - text.begin) >= length &&
         memcmp(text.begin, prefix, length) == 0;
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

/// Digits, or 0x and digits.
static enum value_fault read_magnitude(struct span text, uint64_t *magnitude) {
  bool hexadecimal = starts_with(text, "0x") || starts_with(text, "0X");
  int base = hexadecimal ? 16 : 10;
  if (hexadecimal)
    text.begin += 2;
  if (text.begin == text.end)
    return VALUE_WRONG;
  uint64_t number = 0;
  bool overflow = false;
  for (const char *c = text.begin; c < text.end; ++c) {
    int digit = digit_value(*c);
    if (digit >= base)
      return VALUE_WRONG;
    overflow |= __builtin_mul_overflow(number, (uint64_t)base, &number);
    overflow |= __builtin_add_overflow(number, (uint64_t)digit, &number);
  }
  *magnitude = number;
  return overflow ? VALUE_OUTSIDE : VALUE_FINE;
}

static enum value_fault read_int(const mlirplug_option *option,
                                 struct span text, int64_t *value) {
  bool negative = starts_with(text, "-");
  text.begin += negative;
  uint64_t magnitude = 0;
  enum value_fault fault = read_magnitude(text, &magnitude);
  if (fault != VALUE_FINE)
    return fault;
  if (magnitude > (uint64_t)INT64_MAX + negative)
    return VALUE_OUTSIDE;
  int64_t number = negative && magnitude ? -(int64_t)(magnitude - 1) - 1
                                         : (int64_t)magnitude;
  if (has_range(option) &&
      (number < option->minimum || number > option->maximum))
    return VALUE_OUTSIDE;
  *value = number;
  return VALUE_FINE;
}

static enum value_fault read_uint(const mlirplug_option *option,
                                  struct span text, uint64_t *value) {
  bool negative = starts_with(text, "-");
  text.begin += negative;
  uint64_t number = 0;
  enum value_fault fault = read_magnitude(text, &number);
  if (fault != VALUE_FINE)
    return fault;
  if (negative && number)
    return VALUE_OUTSIDE;
  if (has_range(option) && (number < (uint64_t)option->minimum ||
                            number > (uint64_t)option->maximum))
    return VALUE_OUTSIDE;
  *value = number;
  return VALUE_FINE;
}

/// strtod as in the C locale; false if that can't be had.
static bool string_to_double(const char *string, char **end, double *number) {
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale)
    return false;
  *number = strtod_l(string, end, c_locale);
  freelocale(c_locale);
  return true;
}

static bool read_special_double(struct span text, double *value) {
  if (scan_equal(text, "inf"))
    *value = INFINITY;
  else if (scan_equal(text, "-inf"))
    *value = -INFINITY;
  else if (scan_equal(text, "nan"))
    *value = NAN;
  else
    return false;
  return true;
}

static enum value_fault read_double(const mlirplug_option *option,
                                    struct span text, struct arena *arena,
                                    double *value) {
  double number;
  if (!read_special_double(text, &number)) {
    // strtod also takes spaces, a plus and words such as "infinity".
    struct span digits = {text.begin + starts_with(text, "-"), text.end};
    if (digits.begin == digits.end || !strchr("0123456789.", *digits.begin))
      return VALUE_WRONG;
    const char *string =
        arena_copy_bytes(arena, text.begin, (size_t)(text.end - text.begin));
    char *end;
    if (!string || !string_to_double(string, &end, &number))
      return VALUE_NO_MEMORY;
    if (*end)
      return VALUE_WRONG;
    if (isinf(number))
      return VALUE_OUTSIDE;
  }
  if (has_range(option) &&
      !(number >= option->minimum_double && number <= option->maximum_double))
    return VALUE_OUTSIDE;
  *value = number;
  return VALUE_FINE;
}

static enum value_fault read_bool(struct span text, bool *value) {
  *value = scan_equal(text, "true") || scan_equal(text, "1");
  return *value || scan_equal(text, "false") || scan_equal(text, "0")
             ? VALUE_FINE
             : VALUE_WRONG;
}

static enum value_fault read_choice(const mlirplug_option *option,
                                    struct span text, int64_t *value) {
  struct span choice;
  for (uint64_t index = 0; value_choice(option, index, &choice); ++index) {
    size_t length = (size_t)(choice.end - choice.begin);
    if (length == (size_t)(text.end - text.begin) &&
        memcmp(choice.begin, text.begin, length) == 0) {
      *value = (int64_t)index;
      return VALUE_FINE;
    }
  }
  return VALUE_WRONG;
}

static enum value_fault read_string(struct span text, struct arena *arena,
                                    const char **value) {
  *value = arena_copy_bytes(arena, text.begin, (size_t)(text.end - text.begin));
  return *value ? VALUE_FINE : VALUE_NO_MEMORY;
}

enum value_fault value_read(const mlirplug_option *option, struct span text,
                            struct arena *arena, void *value) {
  switch (element_kind(option)) {
  case MLIRPLUG_KIND_BOOL:
    return read_bool(text, value);
  case MLIRPLUG_KIND_INT:
    return read_int(option, text, value);
  case MLIRPLUG_KIND_UINT:
    return read_uint(option, text, value);
  case MLIRPLUG_KIND_DOUBLE:
    return read_double(option, text, arena, value);
  case MLIRPLUG_KIND_STRING:
    return read_string(text, arena, value);
  case MLIRPLUG_KIND_ENUM:
    return read_choice(option, text, value);
  default:
    return VALUE_WRONG;
  }
}

void value_default(const mlirplug_option *option, void *value) {
  switch (element_kind(option)) {
  case MLIRPLUG_KIND_BOOL:
    *(bool *)value = option->default_integer != 0;
    break;
  case MLIRPLUG_KIND_DOUBLE:
    *(double *)value = option->default_double;
    break;
  case MLIRPLUG_KIND_STRING:
    *(const char **)value = option->default_text;
    break;
  default:
    *(int64_t *)value = option->default_integer;
    break;
  }
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool equal_strings(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/// The same number, and the same zero.
static bool equal_doubles(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

bool value_equal(const mlirplug_option *option, const void *a, const void *b) {
  switch (element_kind(option)) {
  case MLIRPLUG_KIND_BOOL:
    return *(const bool *)a == *(const bool *)b;
  case MLIRPLUG_KIND_DOUBLE:
    return equal_doubles(*(const double *)a, *(const double *)b);
  case MLIRPLUG_KIND_STRING:
    return equal_strings(*(const char *const *)a, *(const char *const *)b);
  default:
    return *(const int64_t *)a == *(const int64_t *)b;
  }
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// As few digits as give the same number again.
static void print_double(struct text *text, double number) {
  if (isnan(number) || isinf(number)) {
    text_add(text, number < 0 ? "-" : "");
    text_add(text, isnan(number) ? "nan" : "inf");
    return;
  }
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c_locale) {
    text->failed = true;
    return;
  }
  locale_t before = uselocale(c_locale);
  char digits[32];
  for (int precision = 15; precision <= 17; ++precision) {
    (void)snprintf(digits, sizeof digits, "%.*g", precision, number);
    if (strtod(digits, NULL) == number)
      break;
  }
  uselocale(before);
  freelocale(c_locale);
  text_add(text, digits);
}

/// Adds `string` bare, in quotes, or, if it has both kinds of them, in braces.
/// A string that was read has been in one of these forms.
static bool print_string(struct text *text, struct span string, bool in_list) {
  size_t length = (size_t)(string.end - string.begin);
  bool plain = length != 0;
  for (const char *c = string.begin; c < string.end; ++c)
    plain = plain && !scan_is_space(*c) && !strchr("{}'\"", *c) &&
            !(in_list && *c == ',');
  bool has_double = length && memchr(string.begin, '"', length);
  bool has_both = has_double && memchr(string.begin, '\'', length);
  const char *marks = "\"\"";
  if (plain)
    marks = "";
  else if (has_both)
    marks = "{}";
  else if (has_double)
    marks = "''";
  text_add_bytes(text, marks, *marks ? 1 : 0);
  text_add_bytes(text, string.begin, length);
  text_add(text, marks + (*marks ? 1 : 0));
  return has_both;
}

bool value_print(struct text *text, const mlirplug_option *option,
                 const void *value) {
  switch (element_kind(option)) {
  case MLIRPLUG_KIND_BOOL:
    text_add(text, *(const bool *)value ? "true" : "false");
    return false;
  case MLIRPLUG_KIND_UINT:
    text_format(text, "%" PRIu64, *(const uint64_t *)value);
    return false;
  case MLIRPLUG_KIND_DOUBLE:
    print_double(text, *(const double *)value);
    return false;
  case MLIRPLUG_KIND_STRING: {
    const char *string = *(const char *const *)value;
    struct span span = {string, string};
    span.end += string ? strlen(string) : 0;
    return print_string(text, span, value_is_list(option));
  }
  case MLIRPLUG_KIND_ENUM: {
    struct span choice;
    if (value_choice(option, *(const uint64_t *)value, &choice))
      return print_string(text, choice, value_is_list(option));
    break;
  }
  default:
    break;
  }
  text_format(text, "%" PRId64, *(const int64_t *)value);
  return false;
}

void value_print_range(struct text *text, const mlirplug_option *option) {
  bool range = has_range(option);
  switch (element_kind(option)) {
  case MLIRPLUG_KIND_INT:
    text_format(text, "from %" PRId64 " to %" PRId64,
                range ? option->minimum : INT64_MIN,
                range ? option->maximum : INT64_MAX);
    break;
  case MLIRPLUG_KIND_UINT:
    text_format(text, "from %" PRIu64 " to %" PRIu64,
                range ? (uint64_t)option->minimum : 0,
                range ? (uint64_t)option->maximum : UINT64_MAX);
    break;
  case MLIRPLUG_KIND_DOUBLE:
    text_add(text, "from ");
    print_double(text, range ? option->minimum_double : -DBL_MAX);
    text_add(text, " to ");
    print_double(text, range ? option->maximum_double : DBL_MAX);
    break;
  default:
    break;
  }
}
