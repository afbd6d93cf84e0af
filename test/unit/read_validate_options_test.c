// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/validate_options.h"
#include "support/option.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define STRUCTURE_SIZE 32

static mlirplug_error *validate(const mlirplug_option *const *options,
                                size_t count) {
  const mlirplug_pass_description pass = {.name = "my-pass",
                                          .options = options,
                                          .option_count = count,
                                          .options_size = STRUCTURE_SIZE};
  struct arena scratch = {0};
  mlirplug_error *error = NULL;
  mlirplug_status status =
      validate_options("plugin.so", &pass, &scratch, &error);
  cr_assert_eq(status == MLIRPLUG_OK, error == NULL);
  arena_release(&scratch);
  return error;
}

static void expect_good(mlirplug_option option) {
  option.name = "top";
  option.help = "";
  mlirplug_error *error =
      validate((const mlirplug_option *const[]){&option}, 1);
  cr_expect_null(error, "%s", error->message);
  mlirplug_error_destroy(error);
}

/// `option` is refused, and the message names it and has `part`.
static void expect_bad(mlirplug_option option, const char *part) {
  option.name = option.name ? option.name : "top";
  option.help = "";
  mlirplug_error *error =
      validate((const mlirplug_option *const[]){&option}, 1);
  cr_assert_not_null(error, "\"%s\" was expected", part);
  cr_expect_not_null(strstr(error->message, part), "no \"%s\" in: %s", part,
                     error->message);
  cr_expect_not_null(strstr(error->message, "my-pass"));
  cr_expect_not_null(strstr(error->message, "plugin.so"));
  mlirplug_error_destroy(error);
}

#define LIST(kind) (MLIRPLUG_KIND_LIST | (kind))

Test(an_option, may_be_of_every_kind) {
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_BOOL, .offset = 31});
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_INT, .offset = 24});
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_UINT});
  expect_good(
      (mlirplug_option){.kind = MLIRPLUG_KIND_DOUBLE, .default_double = NAN});
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_STRING});
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM,
                                .choices = "fast, exact",
                                .default_integer = 1});
  expect_good(
      (mlirplug_option){.kind = LIST(MLIRPLUG_KIND_BOOL), .offset = 16});
  expect_good((mlirplug_option){.kind = LIST(MLIRPLUG_KIND_ENUM),
                                .choices = "a,b",
                                .default_integer = 9});
}

Test(an_option, is_refused_when_its_name_cannot_be_written) {
  expect_bad((mlirplug_option){.name = "", .kind = MLIRPLUG_KIND_INT},
             "option 0 of pass 'my-pass'");
  expect_bad((mlirplug_option){.name = "a b", .kind = MLIRPLUG_KIND_INT},
             "'a b' of pass 'my-pass' cannot be written in a pipeline");
}

Test(an_option, is_refused_when_its_kind_is_unknown) {
  expect_bad((mlirplug_option){.kind = 0}, "unknown kind 0");
  expect_bad((mlirplug_option){.kind = 7}, "unknown kind 7");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_LIST}, "unknown kind 16");
  expect_bad((mlirplug_option){.kind = 33}, "unknown kind 33");
}

Test(an_option, is_refused_when_its_field_is_outside_the_structure) {
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_BOOL, .offset = 32},
             "1 bytes at offset 32 of 32");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_INT, .offset = 25},
             "outside the pass's structure");
  expect_bad((mlirplug_option){.kind = LIST(MLIRPLUG_KIND_INT), .offset = 24},
             "16 bytes at offset 24 of 32");
  expect_bad(
      (mlirplug_option){.kind = MLIRPLUG_KIND_INT, .offset = UINT64_MAX - 3},
      "outside the pass's structure");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_INT, .offset = 4},
             "not aligned");
}

Test(an_option, is_refused_when_its_default_is_impossible) {
  expect_bad(
      (mlirplug_option){.kind = MLIRPLUG_KIND_BOOL, .default_integer = 2},
      "the default 2; expected 0 or 1");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM,
                               .choices = "a,b",
                               .default_integer = 2},
             "the default choice 2; expected 0 to 1");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM,
                               .choices = "a,b",
                               .default_integer = -1},
             "the default choice -1");
}

Test(an_option, is_refused_when_its_choices_are_wrong) {
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM}, "no choices");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM, .choices = " "},
             "no choices");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM, .choices = "a,"},
             "the choice '', which is empty");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM, .choices = "a,b c"},
             "the choice 'b c', which has a space");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_ENUM, .choices = "a,b,a"},
             "the choice 'a' twice");
}

Test(a_range, holds_the_default) {
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_INT,
                                .flags = MLIRPLUG_OPTION_RANGE,
                                .default_integer = -1,
                                .minimum = -1,
                                .maximum = -1});
  expect_good((mlirplug_option){.kind = MLIRPLUG_KIND_UINT,
                                .flags = MLIRPLUG_OPTION_RANGE,
                                .default_integer = -1,
                                .minimum = 1,
                                .maximum = -1});
  expect_good((mlirplug_option){.kind = LIST(MLIRPLUG_KIND_INT),
                                .flags = MLIRPLUG_OPTION_RANGE,
                                .minimum = 1,
                                .maximum = 2});
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_INT,
                               .flags = MLIRPLUG_OPTION_RANGE,
                               .minimum = 1,
                               .maximum = 2},
             "default outside its range");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_UINT,
                               .flags = MLIRPLUG_OPTION_RANGE,
                               .default_integer = -1,
                               .maximum = 5},
             "default outside its range");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_DOUBLE,
                               .flags = MLIRPLUG_OPTION_RANGE,
                               .default_double = NAN,
                               .maximum_double = 5},
             "default outside its range");
}

Test(a_range, is_refused_when_it_makes_no_sense) {
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_INT,
                               .flags = MLIRPLUG_OPTION_RANGE,
                               .minimum = 2,
                               .maximum = 1},
             "minimum above its maximum");
  expect_bad((mlirplug_option){.kind = LIST(MLIRPLUG_KIND_DOUBLE),
                               .flags = MLIRPLUG_OPTION_RANGE,
                               .minimum_double = NAN},
             "minimum above its maximum");
  expect_bad((mlirplug_option){.kind = MLIRPLUG_KIND_STRING,
                               .flags = MLIRPLUG_OPTION_RANGE},
             "holds no number");
}

Test(two_options, are_refused_when_they_have_one_name) {
  const mlirplug_option *const options[] = {
      OPTION({.name = "top", .help = "", .kind = MLIRPLUG_KIND_INT}),
      OPTION(
          {.name = "top", .help = "", .kind = MLIRPLUG_KIND_INT, .offset = 8})};
  mlirplug_error *error = validate(options, 2);
  cr_assert_not_null(error);
  cr_expect_not_null(strstr(error->message, "two options called 'top'"));
  mlirplug_error_destroy(error);
}
