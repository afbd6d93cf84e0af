// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/misspelled.h"

#include "cli/extension.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MLIR does not list its passes, but says of a name whether it is one. So every
// name that is close is tried, some two thousand for a long one.

static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

enum { NAME_LIMIT = 100 };

static bool is_pass(const char *name) {
  return *name && mlirplugExtHasPass(mlirStringRefCreateFromCString(name));
}

/// Tries the names that begin with the first `at` letters of `name` and go on
/// with the rest from `from`, with any letter between.
static bool letters_try(char *tried, const char *name, size_t at, size_t from) {
  for (const char *letter = letters; *letter; ++letter) {
    snprintf(tried, NAME_LIMIT + 2, "%.*s%c%s", (int)at, name, *letter,
             name + from);
    if (is_pass(tried))
      return true;
  }
  return false;
}

static bool place_try(char *tried, const char *name, size_t at, size_t length) {
  if (at < length) {
    snprintf(tried, NAME_LIMIT + 2, "%.*s%s", (int)at, name, name + at + 1);
    if (is_pass(tried) || letters_try(tried, name, at, at + 1))
      return true;
  }
  if (at + 1 < length) {
    snprintf(tried, NAME_LIMIT + 2, "%.*s%c%c%s", (int)at, name, name[at + 1],
             name[at], name + at + 2);
    if (is_pass(tried))
      return true;
  }
  return letters_try(tried, name, at, at);
}

char *misspelled_pass(const char *name) {
  char tried[NAME_LIMIT + 2];
  size_t length = strlen(name);
  if (length > NAME_LIMIT || !MLIRPLUG_HAS(mlirplugExtHasPass))
    return NULL;
  for (size_t at = 0; at <= length; ++at)
    if (place_try(tried, name, at, length))
      return strdup(tried);
  return NULL;
}
