// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/closest.h"

#define LONGEST_NAME 63

static size_t minimum(size_t a, size_t b) { return a < b ? a : b; }

/// Levenshtein's distance of two names of at most LONGEST_NAME bytes.
static size_t distance(struct span a, struct span b) {
  size_t row[LONGEST_NAME + 1];
  size_t columns = (size_t)(b.end - b.begin);
  for (size_t j = 0; j <= columns; ++j)
    row[j] = j;
  for (const char *c = a.begin; c < a.end; ++c) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= columns; ++j) {
      size_t replaced = diagonal + (*c != b.begin[j - 1]);
      diagonal = row[j];
      row[j] = minimum(replaced, minimum(row[j - 1], row[j]) + 1);
    }
  }
  return row[columns];
}

void closest_consider(struct closest *closest, struct span written,
                      struct span candidate) {
  size_t length = (size_t)(written.end - written.begin);
  size_t other = (size_t)(candidate.end - candidate.begin);
  if (length > LONGEST_NAME || other > LONGEST_NAME)
    return;
  size_t longer = length > other ? length : other;
  size_t found = distance(written, candidate);
  if (found > (longer + 2) / 3 || found == longer)
    return;
  if (!closest->name.begin || found < closest->distance)
    *closest = (struct closest){candidate, found};
}
