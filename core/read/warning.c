// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool list_reserve(struct warning_list *list) {
  if (list->count < list->capacity)
    return true;
  size_t capacity = list->capacity ? list->capacity * 2 : 8;
  const char **lines = arena_array(list->arena, capacity, sizeof *lines);
  if (!lines)
    return false;
  if (list->count)
    memcpy(lines, list->lines, list->count * sizeof *lines);
  list->lines = lines;
  list->capacity = capacity;
  return true;
}

void warning_add(struct warning_list *list, const char *format, ...) {
  char line[1024];
  va_list values;
  va_start(values, format);
  (void)vsnprintf(line, sizeof line, format, values);
  va_end(values);
  char *copy = arena_copy(list->arena, line);
  if (!copy || !list_reserve(list)) {
    list->failed = true;
    return;
  }
  list->lines[list->count++] = copy;
}
