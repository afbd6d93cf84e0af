// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/suggest.h"

#include <string.h>

// Longer names are not options that someone mistyped.
enum { NAME_LIMIT = 64 };

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/// Edits between two names: insertions, deletions, replacements and swaps of
/// neighbours.
static size_t edit_distance(const char *a, size_t a_length, const char *b,
                            size_t b_length) {
  size_t rows[3][NAME_LIMIT + 1];
  size_t *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= b_length; ++j)
    above[j] = j;
  for (size_t i = 1; i <= a_length; ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b_length; ++j) {
      size_t replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = smaller(replaced, smaller(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = smaller(row[j], before[j - 2] + 1);
    }
    size_t *free_row = before;
    before = above;
    above = row;
    row = free_row;
  }
  return above[b_length];
}

void suggestion_consider(struct suggestion *suggestion, const char *written,
                         const char *candidate) {
  size_t written_length = strlen(written), length = strlen(candidate);
  if (written_length > NAME_LIMIT || length > NAME_LIMIT)
    return;
  size_t distance = edit_distance(written, written_length, candidate, length);
  // A third of the name may be wrong; beyond that the guess is noise.
  if (distance > (smaller(written_length, length) + 2) / 3)
    return;
  if (!suggestion->name || distance < suggestion->distance)
    *suggestion = (struct suggestion){candidate, distance};
}
