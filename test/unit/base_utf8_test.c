// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/utf8.h"

#include <criterion/criterion.h>
#include <string.h>

/// The length of the first character of `text`; `character` is what it must be.
static size_t decode(const char *text, uint32_t character) {
  uint32_t decoded = 0;
  size_t length =
      utf8_decode((const unsigned char *)text, strlen(text), &decoded);
  if (length)
    cr_expect_eq(decoded, character);
  return length;
}

Test(text, is_decoded) {
  cr_expect_eq(decode("a", 'a'), 1);
  cr_expect_eq(decode("é", 0xe9), 2);
  cr_expect_eq(decode("€", 0x20ac), 3);
  cr_expect_eq(decode("𝄞", 0x1d11e), 4);
  cr_expect_eq(decode("\xf4\x8f\xbf\xbf", 0x10ffff), 4);
}

Test(text, is_refused_when_it_is_malformed) {
  static const char *const malformed[] = {
      "",             // nothing
      "\x80",         // continues what did not begin
      "\xc3",         // ends too early
      "\xe2\x82",     // the same
      "\xc3(",        // does not continue
      "\xc0\xaf",     // longer than needed
      "\xe0\x80\xaf", // the same
      "\xf0\x80\x80\xaf",
      "\xed\xa0\x80",     // half of a surrogate pair
      "\xf4\x90\x80\x80", // beyond Unicode
      "\xff",
  };
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; ++i)
    cr_expect_eq(decode(malformed[i], 0), 0, "case %zu", i);
}

Test(text, has_control_characters_that_are_told) {
  static const uint32_t controls[] = {
      0, '\n', 0x1b, 0x7f, 0x9b, 0x2028, 0x202e, 0x2066, 0x200e, 0x200f, 0x61c};
  for (size_t i = 0; i < sizeof controls / sizeof *controls; ++i)
    cr_expect(utf8_is_control(controls[i]), "U+%04X", controls[i]);
  static const uint32_t shown[] = {' ', '~', 0xa0, 0xe9, 0x1d11e};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; ++i)
    cr_expect(!utf8_is_control(shown[i]), "U+%04X", shown[i]);
}
