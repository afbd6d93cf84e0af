// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/imports.h"

#include <inttypes.h>
#include <mlirplug/plugin.h>
#include <stdlib.h>
#include <string.h>

#define MOST_IMPORTS 65536

static const char rebuild[] = "rebuild the plugin with the SDK";

/// The name without the mark of an optional one.
static const char *bare_name(const char *name) { return name + (*name == '?'); }

/// By name; the optional of two equal ones first.
static int compare_imports(const void *left, const void *right) {
  const char *a = *(const char *const *)left;
  const char *b = *(const char *const *)right;
  int order = strcmp(bare_name(a), bare_name(b));
  return order ? order : (*b == '?') - (*a == '?');
}

/// The bounds of the section; `count` is 0 if the plugin has none.
static bool bounds_read(struct reader *reader,
                        const struct structure *descriptor, uint64_t *begin,
                        uint64_t *count) {
  struct pointer first, last;
  if (!reader_pointer(reader, descriptor,
                      offsetof(mlirplug_descriptor, imports_begin),
                      "imports_begin", &first) ||
      !reader_pointer(reader, descriptor,
                      offsetof(mlirplug_descriptor, imports_end), "imports_end",
                      &last))
    return false;
  *count = 0;
  if (first.is_null && last.is_null)
    return true;
  uint64_t size = last.address - first.address;
  if (first.is_null || last.is_null || first.address > last.address ||
      size % sizeof(mlirplug_import) != 0)
    return reader_refuse(reader, descriptor, "imports_end",
                         "corrupt descriptor: the bounds of the imports do not "
                         "fit each other",
                         rebuild);
  *begin = first.address;
  *count = size / sizeof(mlirplug_import);
  if (*count > MOST_IMPORTS)
    return reader_refuse(reader, descriptor, "imports_end",
                         error_text("corrupt descriptor: %" PRIu64
                                    " imports, at most %d are "
                                    "possible",
                                    *count, MOST_IMPORTS),
                         rebuild);
  return true;
}

static bool entry_read(struct reader *reader, uint64_t address, uint64_t index,
                       const char **name) {
  struct structure place = {.what = error_text("import %" PRIu64, index),
                            .address = address};
  mlirplug_import entry;
  if (!reader_structure(reader, &place, sizeof entry, &entry, sizeof entry) ||
      !reader_string(reader, &place, offsetof(mlirplug_import, name), "name",
                     STRING_LINE, name))
    return false;
  if (!*name)
    return reader_refuse(reader, &place, "name", "it is null", rebuild);
  return true;
}

/// Divides the sorted `names` into the two lists.
static bool names_divide(struct reader *reader, const char *const *names,
                         size_t count,
                         mlirplug_plugin_description *description) {
  void *needed_memory, *optional_memory;
  if (!reader_allocate(reader, count, sizeof *names, &needed_memory) ||
      !reader_allocate(reader, count, sizeof *names, &optional_memory))
    return false;
  const char **needed = needed_memory, **optional = optional_memory;
  const char *last = NULL;
  for (size_t i = 0; i < count; ++i) {
    const char *name = bare_name(names[i]);
    if (last && strcmp(last, name) == 0)
      continue;
    last = name;
    if (name != names[i])
      optional[description->optional_import_count++] = name;
    else
      needed[description->import_count++] = name;
  }
  description->imports = needed;
  description->optional_imports = optional;
  return true;
}

bool imports_read(struct reader *reader, const struct structure *descriptor,
                  mlirplug_plugin_description *description) {
  uint64_t begin = 0, count;
  if (!bounds_read(reader, descriptor, &begin, &count))
    return false;
  void *memory;
  if (!reader_allocate(reader, count, sizeof(char *), &memory))
    return false;
  const char **names = memory;
  for (uint64_t i = 0; i < count; ++i)
    if (!entry_read(reader, begin + i * sizeof(mlirplug_import), i, &names[i]))
      return false;
  qsort(names, count, sizeof *names, compare_imports);
  return names_divide(reader, names, count, description);
}
