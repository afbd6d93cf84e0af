// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/validate_options.h"

#include "read/names.h"
#include "read/refuse.h"

#include <inttypes.h>

static const char correct[] = "correct the plugin's source and rebuild it";

/// An option being checked, and how to speak of it.
struct option_place {
  const char *path;
  const char *pass;
  const mlirplug_option *option;
  size_t index;
};

static mlirplug_status option_refuse(const struct option_place *place,
                                     const char *defect, const char *expected,
                                     mlirplug_error **error) {
  const char *name = place->option->name;
  return refuse(place->path,
                *name ? error_text("the option '%.80s' of pass '%.80s' %s",
                                   name, place->pass, defect)
                      : error_text("option %zu of pass '%.80s' %s",
                                   place->index, place->pass, defect),
                expected, correct, error);
}

static mlirplug_status field_check(const struct option_place *place,
                                   uint64_t options_size,
                                   mlirplug_error **error) {
  const mlirplug_option *option = place->option;
  uint64_t size = 8, alignment = 8;
  if (option->kind & MLIRPLUG_KIND_LIST)
    size = sizeof(mlirplug_int_list);
  else if (option->kind == MLIRPLUG_KIND_BOOL)
    size = alignment = sizeof(bool);
  if (options_size < size || option->offset > options_size - size)
    return option_refuse(
        place,
        error_text("has its field outside the pass's structure: %" PRIu64
                   " bytes at offset %" PRIu64 " of %" PRIu64,
                   size, option->offset, options_size),
        NULL, error);
  if (option->offset % alignment != 0)
    return option_refuse(
        place,
        error_text("has its field at offset %" PRIu64 ", which is not aligned",
                   option->offset),
        error_text("a multiple of %" PRIu64, alignment), error);
  return MLIRPLUG_OK;
}

static mlirplug_status choices_check(const struct option_place *place,
                                     struct arena *arena,
                                     mlirplug_error **error) {
  const mlirplug_option *option = place->option;
  const char *const *choices;
  const char *duplicate;
  size_t count;
  if (!names_split(arena, option->choices, &choices, &count) ||
      !names_find_duplicate(arena, choices, count, &duplicate))
    return error_set_memory(error);
  if (count == 0)
    return option_refuse(place, "has no choices", "their names, \"a,b\"",
                         error);
  for (size_t i = 0; i < count; ++i) {
    const char *defect = name_defect(choices[i]);
    if (defect)
      return option_refuse(
          place,
          error_text("has the choice '%.80s', which %s", choices[i], defect),
          NULL, error);
  }
  if (duplicate)
    return option_refuse(place,
                         error_text("has the choice '%.80s' twice", duplicate),
                         NULL, error);
  if (!(option->kind & MLIRPLUG_KIND_LIST) &&
      (option->default_integer < 0 ||
       (uint64_t)option->default_integer >= count))
    return option_refuse(
        place,
        error_text("has the default choice %" PRId64, option->default_integer),
        error_text("0 to %zu", count - 1), error);
  return MLIRPLUG_OK;
}

/// Bounds in order and, unless it is a list, the default between them. The
/// comparisons are positive so that a NaN fails them.
static mlirplug_status range_check(const struct option_place *place,
                                   mlirplug_error **error) {
  const mlirplug_option *option = place->option;
  bool is_ordered, is_inside;
  uint32_t kind = option->kind & ~MLIRPLUG_KIND_LIST;
  if (kind == MLIRPLUG_KIND_INT) {
    is_ordered = option->minimum <= option->maximum;
    is_inside = option->minimum <= option->default_integer &&
                option->default_integer <= option->maximum;
  } else if (kind == MLIRPLUG_KIND_UINT) {
    uint64_t value = (uint64_t)option->default_integer;
    is_ordered = (uint64_t)option->minimum <= (uint64_t)option->maximum;
    is_inside = (uint64_t)option->minimum <= value &&
                value <= (uint64_t)option->maximum;
  } else if (kind == MLIRPLUG_KIND_DOUBLE) {
    is_ordered = option->minimum_double <= option->maximum_double;
    is_inside = option->minimum_double <= option->default_double &&
                option->default_double <= option->maximum_double;
  } else {
    return option_refuse(place, "has a range, but holds no number", NULL,
                         error);
  }
  if (!is_ordered)
    return option_refuse(place, "has a minimum above its maximum", NULL, error);
  if (!is_inside && !(option->kind & MLIRPLUG_KIND_LIST))
    return option_refuse(place, "has a default outside its range", NULL, error);
  return MLIRPLUG_OK;
}

static mlirplug_status option_check(const struct option_place *place,
                                    uint64_t options_size, struct arena *arena,
                                    mlirplug_error **error) {
  const mlirplug_option *option = place->option;
  const char *defect = name_defect(option->name);
  if (defect)
    return option_refuse(
        place,
        error_text("cannot be written in a pipeline: its name %s", defect),
        "a name like top-count", error);
  uint32_t kind = option->kind & ~MLIRPLUG_KIND_LIST;
  if (kind < MLIRPLUG_KIND_BOOL || kind > MLIRPLUG_KIND_ENUM)
    return option_refuse(
        place, error_text("is of the unknown kind %" PRIu32, option->kind),
        "a kind of ABI 1; a newer mlirplug may know it", error);
  if (field_check(place, options_size, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (option->kind == MLIRPLUG_KIND_BOOL && option->default_integer != 0 &&
      option->default_integer != 1)
    return option_refuse(
        place, error_text("has the default %" PRId64, option->default_integer),
        "0 or 1", error);
  if (kind == MLIRPLUG_KIND_ENUM &&
      choices_check(place, arena, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (option->flags & MLIRPLUG_OPTION_RANGE)
    return range_check(place, error);
  return MLIRPLUG_OK;
}

mlirplug_status validate_options(const char *path,
                                 const mlirplug_pass_description *pass,
                                 struct arena *arena, mlirplug_error **error) {
  if (pass->option_count == 0)
    return MLIRPLUG_OK;
  const char **names = arena_array(arena, pass->option_count, sizeof *names);
  if (!names)
    return error_set_memory(error);
  for (size_t i = 0; i < pass->option_count; ++i) {
    struct option_place place = {path, pass->name, pass->options[i], i};
    names[i] = pass->options[i]->name;
    if (option_check(&place, pass->options_size, arena, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  const char *duplicate;
  if (!names_find_duplicate(arena, names, pass->option_count, &duplicate))
    return error_set_memory(error);
  if (duplicate)
    return refuse(path,
                  error_text("pass '%.80s' has two options called '%.80s'",
                             pass->name, duplicate),
                  NULL, correct, error);
  return MLIRPLUG_OK;
}
