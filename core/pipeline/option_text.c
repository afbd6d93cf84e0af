// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options as text: what they are, their defaults, and a filled structure.

#include "pipeline/option.h"

#include "pipeline/keep.h"
#include "pipeline/value.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

static const char *kind_name(const mlirplug_option *option) {
  bool list = value_is_list(option);
  bool range = option->flags & MLIRPLUG_OPTION_RANGE;
  switch (option->kind & ~MLIRPLUG_KIND_LIST) {
  case MLIRPLUG_KIND_BOOL:
    return list ? "list of booleans" : "true or false";
  case MLIRPLUG_KIND_INT:
    return list ? "list of integers" : "integer";
  case MLIRPLUG_KIND_UINT:
    if (range)
      return list ? "list of integers" : "integer";
    return list ? "list of non-negative integers" : "non-negative integer";
  case MLIRPLUG_KIND_DOUBLE:
    return list ? "list of numbers" : "number";
  case MLIRPLUG_KIND_STRING:
    return list ? "list of strings" : "string";
  default:
    return list ? "list, each one of " : "one of ";
  }
}

const char *option_kind_text(const mlirplug_option *option,
                             struct arena *arena) {
  struct text text = {0};
  text_add(&text, kind_name(option));
  if (option->flags & MLIRPLUG_OPTION_RANGE) {
    text_add(&text, " ");
    value_print_range(&text, option);
  }
  struct span choice;
  for (uint64_t i = 0; value_choice(option, i, &choice); ++i) {
    text_add(&text, i ? ", " : "");
    text_add_bytes(&text, choice.begin, (size_t)(choice.end - choice.begin));
  }
  return text_keep(&text, arena);
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

/// Room for a value of any kind.
union any_value {
  bool boolean;
  int64_t integer;
  double number;
  const char *string;
};

const char *option_default_text(const mlirplug_option *option,
                                struct arena *arena) {
  if (value_is_list(option)) {
    const char *written = option->default_text;
    return arena_copy(arena, written && *written ? written : "{}");
  }
  union any_value value;
  value_default(option, &value);
  struct text text = {0};
  (void)value_print(&text, option, &value);
  return text_keep(&text, arena);
}

/// The structure of `pass` with one option at its default and all else zero;
/// null if there is none.
static const void *default_structure(const mlirplug_pass_description *pass,
                                     const mlirplug_option *option,
                                     struct arena *arena) {
  mlirplug_pass_description narrowed = *pass;
  narrowed.options = &option;
  narrowed.option_count = 1;
  const void *structure = NULL;
  return option_parse(&narrowed, "", arena, &structure, NULL) == MLIRPLUG_OK
             ? structure
             : NULL;
}

static bool list_equal(const mlirplug_option *option, const void *a,
                       const void *b) {
  struct value_list left, right;
  memcpy(&left, a, sizeof left);
  memcpy(&right, b, sizeof right);
  if (left.count != right.count)
    return false;
  const char *left_value = left.values, *right_value = right.values;
  for (uint64_t i = 0; i < left.count; ++i)
    if (!value_equal(option, left_value + i * value_size(option),
                     right_value + i * value_size(option)))
      return false;
  return true;
}

static bool is_default(const mlirplug_pass_description *pass,
                       const mlirplug_option *option, const char *structure,
                       struct arena *arena) {
  if (!value_is_list(option)) {
    union any_value value;
    value_default(option, &value);
    return value_equal(option, structure + option->offset, &value);
  }
  const char *defaults = default_structure(pass, option, arena);
  return defaults && list_equal(option, structure + option->offset,
                                defaults + option->offset);
}

//===----------------------------------------------------------------------===//
// A filled structure
//===----------------------------------------------------------------------===//

static void list_print(struct text *text, const mlirplug_option *option,
                       const void *field) {
  struct value_list list;
  memcpy(&list, field, sizeof list);
  struct text items = {0};
  // Braces around an item must not be taken for those of the list.
  bool braces = list.count == 0;
  for (uint64_t i = 0; i < list.count; ++i) {
    text_add(&items, i ? "," : "");
    if (value_print(&items, option,
                    (const char *)list.values + i * value_size(option)))
      braces = true;
  }
  char *joined = text_take(&items);
  if (joined)
    text_format(text, braces ? "{%s}" : "%s", joined);
  else
    text->failed = true;
  free(joined);
}

const char *option_print(const mlirplug_pass_description *pass,
                         const void *options, struct arena *arena) {
  struct text text = {0};
  for (size_t i = 0; options && i < pass->option_count; ++i) {
    const mlirplug_option *option = pass->options[i];
    if (is_default(pass, option, options, arena))
      continue;
    text_format(&text, "%s%s=", text.length ? " " : "", option->name);
    const char *field = (const char *)options + option->offset;
    if (value_is_list(option))
      list_print(&text, option, field);
    else
      (void)value_print(&text, option, field);
  }
  return text_keep(&text, arena);
}
