// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether bytes are text.

#ifndef MLIRPLUG_BASE_UTF8_H
#define MLIRPLUG_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Decodes the character at the front of `bytes` and returns its length; 0 if
/// they do not begin with valid UTF-8 (or `length` is 0).
size_t utf8_decode(const unsigned char *bytes, size_t length,
                   uint32_t *character);

/// Whether `character` moves cursors or text instead of showing something.
bool utf8_is_control(uint32_t character);

#endif // MLIRPLUG_BASE_UTF8_H
