// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/utf8.h"

/// The length that the first byte announces; 0 if it is no first byte.
static size_t announced_length(unsigned char first) {
  if (first < 0x80)
    return 1;
  if ((first & 0xe0) == 0xc0)
    return 2;
  if ((first & 0xf0) == 0xe0)
    return 3;
  if ((first & 0xf8) == 0xf0)
    return 4;
  return 0;
}

size_t utf8_decode(const unsigned char *bytes, size_t length,
                   uint32_t *character) {
  static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t announced = length ? announced_length(bytes[0]) : 0;
  if (announced == 0 || announced > length)
    return 0;
  uint32_t value = announced == 1 ? bytes[0] : bytes[0] & (0x7fu >> announced);
  for (size_t i = 1; i < announced; ++i) {
    if ((bytes[i] & 0xc0) != 0x80)
      return 0;
    value = value << 6 | (bytes[i] & 0x3f);
  }
  // Longer forms than needed, halves of surrogate pairs, beyond Unicode.
  if (value < smallest[announced] || (value >= 0xd800 && value <= 0xdfff) ||
      value > 0x10ffff)
    return 0;
  *character = value;
  return announced;
}

bool utf8_is_control(uint32_t character) {
  // The last ones reorder text, so that a name may look like another.
  return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
         character == 0x2028 || character == 0x2029 ||
         (character >= 0x202a && character <= 0x202e) ||
         (character >= 0x2066 && character <= 0x2069) || character == 0x61c ||
         character == 0x200e || character == 0x200f;
}
