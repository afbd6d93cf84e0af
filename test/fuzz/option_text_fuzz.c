// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as the options of a pass with options of every kind. What is read is
// printed, and what is printed must read back to the same values and be printed
// the same. The text is tried as the default of a list as well.

#include "../unit/pipeline_passes.h"

#include "pipeline/option.h"
#include "pipeline/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool condition, const char *what, const char *text) {
  if (condition)
    return;
  fprintf(stderr, "%s: %s\n", what, text);
  abort();
}

/// Expects an error that names the pass.
static void expect_error(mlirplug_error *error,
                         const mlirplug_pass_description *pass,
                         const char *text) {
  expect(error && error->found && error->subject &&
             strcmp(error->subject, pass->name) == 0,
         "the error says nothing", text);
  mlirplug_error_destroy(error);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool strings_equal(const char *left, const char *right) {
  return left && right ? strcmp(left, right) == 0 : left == right;
}

/// One value; not a number is like itself.
static bool values_equal(uint32_t kind, const void *left, const void *right) {
  switch (kind) {
  case MLIRPLUG_KIND_BOOL:
    return *(const bool *)left == *(const bool *)right;
  case MLIRPLUG_KIND_DOUBLE: {
    double a = *(const double *)left, b = *(const double *)right;
    return memcmp(left, right, sizeof a) == 0 || (isnan(a) && isnan(b));
  }
  case MLIRPLUG_KIND_STRING:
    return strings_equal(*(const char *const *)left,
                         *(const char *const *)right);
  default:
    return *(const uint64_t *)left == *(const uint64_t *)right;
  }
}

static bool lists_equal(const mlirplug_option *option,
                        const struct value_list *left,
                        const struct value_list *right) {
  bool equal = left->count == right->count;
  for (uint64_t i = 0; equal && i < left->count; ++i) {
    size_t at = i * value_size(option);
    equal = values_equal(option->kind - MLIRPLUG_KIND_LIST,
                         (const char *)left->values + at,
                         (const char *)right->values + at);
  }
  return equal;
}

static bool options_equal(const mlirplug_pass_description *pass,
                          const char *left, const char *right) {
  bool equal = true;
  for (size_t i = 0; equal && i < pass->option_count; ++i) {
    const mlirplug_option *option = pass->options[i];
    const void *a = left + option->offset, *b = right + option->offset;
    equal = value_is_list(option) ? lists_equal(option, a, b)
                                  : values_equal(option->kind, a, b);
  }
  return equal;
}

//===----------------------------------------------------------------------===//
// Trying
//===----------------------------------------------------------------------===//

static void try_options(const mlirplug_pass_description *pass, const char *text,
                        struct arena *arena) {
  const void *options = NULL, *again = NULL;
  mlirplug_error *error = NULL;
  if (option_parse(pass, text, arena, &options, &error) != MLIRPLUG_OK) {
    expect_error(error, pass, text);
    return;
  }
  const char *printed = option_print(pass, options, arena);
  expect(option_parse(pass, printed, arena, &again, &error) == MLIRPLUG_OK,
         "printed options are refused", error ? error->message : printed);
  expect(options_equal(pass, options, again), "printed options read otherwise",
         printed);
  expect(strcmp(option_print(pass, again, arena), printed) == 0,
         "options are printed in another way", printed);
}

/// The text is the plugin's own default of a list of each kind.
static void try_default(const char *text, struct arena *arena) {
  for (size_t i = 0; i < MLIRPLUG_COUNT(every_table); ++i) {
    mlirplug_option option = *every_table[i];
    if (!value_is_list(&option))
      continue;
    option.default_text = text;
    mlirplug_pass_description pass = *known_pass("every");
    pass.options = (const mlirplug_option *const[]){&option};
    pass.option_count = 1;
    try_options(&pass, "", arena);
    expect(option_default_text(&option, arena), "no default", text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct arena arena = {0};
  const char *text = arena_copy_bytes(&arena, (const char *)data, size);
  if (text) {
    try_options(known_pass("every"), text, &arena);
    try_options(known_pass("op-histogram"), text, &arena);
    try_options(known_pass("tag-functions"), text, &arena);
    try_default(text, &arena);
  }
  arena_release(&arena);
  return 0;
}
