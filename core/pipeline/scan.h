// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The characters of pipeline and option text. A quote counts where a value may
// begin: at the start of the text or behind a space, '=', ',' or '{'. Elsewhere
// it is a character like others, as in "it's". Quoted text ends at the next
// quote of its kind; nothing is escaped in it.

#ifndef MLIRPLUG_PIPELINE_SCAN_H
#define MLIRPLUG_PIPELINE_SCAN_H

#include <stdbool.h>
#include <stddef.h>

/// Part of a text, not terminated.
struct span {
  const char *begin;
  const char *end;
};

/// Blank, tab and line ends, in every locale.
bool scan_is_space(char c);

struct span scan_trim(struct span span);

bool scan_equal(struct span span, const char *string);

/// True if a quote opens at `at` in `text`.
bool scan_opens_quote(struct span text, const char *at);

/// The character after what stands at `at`: a quoted text as a whole, or a
/// single character. Null if a quote opens there and is never closed.
const char *scan_step(struct span text, const char *at);

/// Where a value ends, or the part of one up to a comma: at the first `stop`
/// outside of quotes and braces.
enum scan_stop {
  SCAN_SPACE, ///< Any space.
  SCAN_COMMA,
  SCAN_BRACE, ///< The '}' that closes the '{' which `text` begins with.
};

enum scan_fault { SCAN_FINE, SCAN_QUOTE, SCAN_OPEN_BRACE, SCAN_CLOSING_BRACE };

/// The end of the piece that `text` begins with: where the stop is, or the end
/// of the text (but never for SCAN_BRACE). At a fault, `*end` is the quote or
/// brace without a partner.
enum scan_fault scan_piece(struct span text, enum scan_stop stop,
                           const char **end);

/// The number of the character at `at`, from 1; UTF-8 counts as written.
size_t scan_character(const char *text, const char *at);

/// As much of the text at `at` as a message should show.
struct span scan_excerpt(const char *at);

#endif // MLIRPLUG_PIPELINE_SCAN_H
