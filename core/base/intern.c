// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/intern.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// A sorted array and not tsearch's tree, whose tagged pointers look to leak
// checkers as if the strings were lost.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char **strings; // ordered by strcmp
static size_t count;
static size_t capacity;

/// Where `string` is, or would have to be.
static size_t position_find(const char *string) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(strings[middle], string) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// The copy that is put at `at`; null if memory runs out.
static const char *string_insert(const char *string, size_t at) {
  if (count == capacity) {
    size_t larger = capacity ? 2 * capacity : 64;
    const char **grown = reallocarray((void *)strings, larger, sizeof *grown);
    if (!grown)
      return NULL;
    strings = grown;
    capacity = larger;
  }
  const char *copy = strdup(string);
  if (!copy)
    return NULL;
  memmove((void *)&strings[at + 1], (const void *)&strings[at],
          (count - at) * sizeof *strings);
  strings[at] = copy;
  ++count;
  return copy;
}

const char *intern(const char *string) {
  pthread_mutex_lock(&lock);
  size_t at = position_find(string);
  bool known = at < count && strcmp(strings[at], string) == 0;
  const char *interned = known ? strings[at] : string_insert(string, at);
  pthread_mutex_unlock(&lock);
  return interned;
}
