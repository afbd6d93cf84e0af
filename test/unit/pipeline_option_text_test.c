// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/option.h"

#include "pipeline_passes.h"

#include <criterion/criterion.h>

static struct arena arena;

static void release(void) { arena_release(&arena); }

TestSuite(printed_options, .fini = release);

static const char *printed(const char *text) {
  const mlirplug_pass_description *pass = known_pass("every");
  const void *options = NULL;
  mlirplug_error *error = NULL;
  mlirplug_status status = option_parse(pass, text, &arena, &options, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  return option_print(pass, options, &arena);
}

/// Expects `text` to be printed as `expected`, and that as itself.
static void expect_printed(const char *text, const char *expected) {
  cr_expect_str_eq(printed(text), expected);
  cr_expect_str_eq(printed(expected), expected);
}

Test(printed_options, leave_out_defaults) {
  expect_printed("", "");
  expect_printed("top=-1 label='a label' tiles=8,4 names=a,{b c} "
                 "modes={exact} size=0xffffffffffffffff safe",
                 "");
}

Test(printed_options, come_in_the_order_of_the_table) {
  expect_printed("mode=fast size=0x10 fast safe=0 top=1",
                 "fast=true safe=false top=1 size=16 mode=fast");
}

Test(printed_options, are_quoted_where_needed) {
  expect_printed("label='plain-1.2/3:(a,b)=c'", "label=plain-1.2/3:(a,b)=c");
  expect_printed("label='a b'", "label=\"a b\"");
  expect_printed("label=''", "label=\"\"");
  expect_printed("label=\"it's\"", "label=\"it's\"");
  expect_printed("label='say \"a\"'", "label='say \"a\"'");
  expect_printed("label={it's \"a\"}", "label={it's \"a\"}");
  expect_printed("label='}'", "label=\"}\"");
  expect_printed("label='{a}'", "label=\"{a}\"");
}

Test(printed_options, have_lists) {
  expect_printed("tiles={}", "tiles={}");
  expect_printed("tiles={ 1, -0x2 }", "tiles=1,-2");
  expect_printed("flags=1,0", "flags=true,false");
  expect_printed("modes=fast,exact", "modes=fast,exact");
  expect_printed("names=\"\"", "names=\"\"");
  expect_printed("names='a,b',c", "names=\"a,b\",c");
  expect_printed("names={{it's \"a\"}}", "names={{it's \"a\"}}");
  expect_printed("names={{it's \"a\"},b}", "names={{it's \"a\"},b}");
}

Test(printed_options, have_numbers_that_read_back) {
  expect_printed("factor=0.1", "factor=0.1");
  expect_printed("factor=0.30000000000000004", "factor=0.30000000000000004");
  expect_printed("factor=1e300", "factor=1e+300");
  expect_printed("factor=5e-324", "factor=4.94065645841247e-324");
  expect_printed("factor=-0", "factor=-0");
  expect_printed("factor=nan", "factor=nan");
  expect_printed("factor=-inf", "factor=-inf");
  expect_printed("weights=0.5,inf", "weights=0.5,inf");
}

static const mlirplug_option *option(const char *name) {
  for (size_t i = 0; i < MLIRPLUG_COUNT(every_table); ++i)
    if (strcmp(every_table[i]->name, name) == 0)
      return every_table[i];
  cr_assert_fail("no option '%s'", name);
  return NULL;
}

TestSuite(option_help, .fini = release);

Test(option_help, says_what_an_option_takes) {
  static const char *const kinds[][2] = {
      {"fast", "true or false"},
      {"top", "integer"},
      {"level", "integer from 0 to 10"},
      {"size", "non-negative integer"},
      {"width", "integer from 1 to 18446744073709551614"},
      {"factor", "number"},
      {"ratio", "number from 0 to 1"},
      {"label", "string"},
      {"mode", "one of fast, exact"},
      {"flags", "list of booleans"},
      {"tiles", "list of integers"},
      {"sizes", "list of non-negative integers"},
      {"weights", "list of numbers"},
      {"names", "list of strings"},
      {"modes", "list, each one of fast, exact"},
  };
  for (size_t i = 0; i < MLIRPLUG_COUNT(kinds); ++i)
    cr_expect_str_eq(option_kind_text(option(kinds[i][0]), &arena),
                     kinds[i][1]);
}

Test(option_help, says_the_default_as_it_would_be_written) {
  static const char *const defaults[][2] = {
      {"fast", "false"},
      {"top", "-1"},
      {"size", "18446744073709551615"},
      {"factor", "0.5"},
      {"label", "\"a label\""},
      {"mode", "exact"},
      {"flags", "{}"},
      {"tiles", "8, 4"},
      {"names", "a,'b c'"},
  };
  for (size_t i = 0; i < MLIRPLUG_COUNT(defaults); ++i)
    cr_expect_str_eq(option_default_text(option(defaults[i][0]), &arena),
                     defaults[i][1]);
  cr_expect_str_eq(option_default_text(histogram_table[1], &arena), "\"\"");
}
