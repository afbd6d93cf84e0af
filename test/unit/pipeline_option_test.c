// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/option.h"

#include "pipeline_passes.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>

static struct arena arena;
static mlirplug_error *error;

static void release(void) {
  arena_release(&arena);
  mlirplug_error_destroy(error);
}

TestSuite(pass_options, .fini = release);

static const struct every_options *every(const char *text) {
  const void *options = NULL;
  mlirplug_status status =
      option_parse(known_pass("every"), text, &arena, &options, &error);
  cr_assert_eq(status, MLIRPLUG_OK, "%s", error ? error->message : "");
  return options;
}

static void expect_refused(const char *pass, const char *text,
                           const char *found, const char *expected,
                           const char *remedy) {
  const void *options = &arena;
  mlirplug_error *refusal = NULL;
  cr_assert_eq(option_parse(known_pass(pass), text, &arena, &options, &refusal),
               MLIRPLUG_FAILED, "'%s' is taken", text);
  cr_expect_eq(options, &arena, "the result was touched");
  cr_expect_str_eq(refusal->doing, "cannot read the options of pass");
  cr_expect_str_eq(refusal->subject, pass);
  cr_expect_str_eq(refusal->found, found);
  cr_expect_str_eq(refusal->expected ? refusal->expected : "", expected);
  cr_expect_str_eq(refusal->remedy ? refusal->remedy : "", remedy);
  mlirplug_error_destroy(refusal);
}

Test(pass_options, have_their_defaults) {
  static const char *const texts[] = {NULL, "", " \n"};
  for (size_t i = 0; i < 3; ++i) {
    const struct every_options *options = every(texts[i]);
    cr_expect_eq(options->fast, false);
    cr_expect_eq(options->safe, true);
    cr_expect_eq(options->top, -1);
    cr_expect_eq(options->level, 2);
    cr_expect_eq(options->size, UINT64_MAX);
    cr_expect_eq(options->width, 4);
    cr_expect_eq(options->factor, 0.5);
    cr_expect_str_eq(options->label, "a label");
    cr_expect_eq(options->mode, 1);
    cr_expect_eq(options->flags.count, 0);
    cr_expect_null(options->flags.values);
    cr_assert_eq(options->tiles.count, 2);
    cr_expect_eq(options->tiles.values[0], 8);
    cr_expect_eq(options->tiles.values[1], 4);
    cr_assert_eq(options->weights.count, 2);
    cr_expect_eq(options->weights.values[0], 0.5);
    cr_assert_eq(options->names.count, 2);
    cr_expect_str_eq(options->names.values[1], "b c");
    cr_assert_eq(options->modes.count, 1);
    cr_expect_eq(options->modes.values[0], 1);
  }
}

Test(pass_options, of_a_pass_without_any_are_null) {
  const void *options = &arena;
  cr_expect_eq(option_parse(known_pass("several"), "", &arena, &options, NULL),
               MLIRPLUG_OK);
  cr_expect_null(options);
  expect_refused("several", "top=3",
                 "pass 'several' has no option 'top'; it takes none", "", "");
}

Test(pass_options, without_a_default_text_are_null) {
  const void *filled = NULL;
  cr_assert_eq(option_parse(known_pass("op-histogram"), "top=3", &arena,
                            &filled, &error),
               MLIRPLUG_OK);
  const struct histogram_options *options = filled;
  cr_expect_eq(options->top, 3);
  cr_expect_null(options->out);
}

Test(pass_options, take_bools) {
  cr_expect_eq(every("fast")->fast, true);
  cr_expect_eq(every("fast=true")->fast, true);
  cr_expect_eq(every("fast=1")->fast, true);
  cr_expect_eq(every("safe=false")->safe, false);
  cr_expect_eq(every("safe=0")->safe, false);
  expect_refused("every", "fast=yes",
                 "option 'fast' of pass 'every' wants true or false, found "
                 "'yes'",
                 "", "");
}

Test(pass_options, take_integers_of_64_bits) {
  cr_expect_eq(every("top=007")->top, 7);
  cr_expect_eq(every("top=-12")->top, -12);
  cr_expect_eq(every("top=0x1F")->top, 31);
  cr_expect_eq(every("top=-0x10")->top, -16);
  cr_expect_eq(every("top=-0")->top, 0);
  cr_expect_eq(every("top='5'")->top, 5);
  cr_expect_eq(every("top={ 5 }")->top, 5);
  cr_expect_eq(every("top=9223372036854775807")->top, INT64_MAX);
  cr_expect_eq(every("top=-9223372036854775808")->top, INT64_MIN);
  cr_expect_eq(every("size=18446744073709551614")->size, UINT64_MAX - 1);
  cr_expect_eq(every("size=0xffffffffffffffff")->size, UINT64_MAX);
}

Test(pass_options, refuse_what_is_no_integer) {
  static const char *const wrong[] = {"many", "1.5", "1e3",  "0x", "-",
                                      "--1",  "+1",  "0x1g", "1k", "1,2"};
  for (size_t i = 0; i < MLIRPLUG_COUNT(wrong); ++i) {
    char text[32], found[128];
    snprintf(text, sizeof text, "top=%s", wrong[i]);
    snprintf(found, sizeof found,
             "option 'top' of pass 'op-histogram' wants an integer, found '%s'",
             wrong[i]);
    expect_refused("op-histogram", text, found, "", "");
  }
  expect_refused("every", "size=x",
                 "option 'size' of pass 'every' wants a non-negative integer, "
                 "found 'x'",
                 "", "");
  expect_refused("every", "top=' 1'",
                 "option 'top' of pass 'every' wants an integer, found ' 1'",
                 "", "");
}

Test(pass_options, refuse_integers_out_of_range) {
  expect_refused("every", "top=9223372036854775808",
                 "option 'top' of pass 'every' wants an integer from "
                 "-9223372036854775808 to 9223372036854775807, found "
                 "'9223372036854775808'",
                 "", "");
  expect_refused("every", "top=-9223372036854775809",
                 "option 'top' of pass 'every' wants an integer from "
                 "-9223372036854775808 to 9223372036854775807, found "
                 "'-9223372036854775809'",
                 "", "");
  expect_refused("every", "size=-1",
                 "option 'size' of pass 'every' wants a non-negative integer "
                 "from 0 to 18446744073709551615, found '-1'",
                 "", "");
  expect_refused("every", "size=18446744073709551616",
                 "option 'size' of pass 'every' wants a non-negative integer "
                 "from 0 to 18446744073709551615, found '18446744073709551616'",
                 "", "");
  expect_refused("every", "level=11",
                 "option 'level' of pass 'every' wants an integer from 0 to "
                 "10, found '11'",
                 "", "");
  expect_refused("every", "level=-1",
                 "option 'level' of pass 'every' wants an integer from 0 to "
                 "10, found '-1'",
                 "", "");
  expect_refused("every", "width=0",
                 "option 'width' of pass 'every' wants an integer from 1 to "
                 "18446744073709551614, found '0'",
                 "", "");
  cr_expect_eq(every("level=0 width=1")->level, 0);
  cr_expect_eq(every("level=10 width=18446744073709551614")->width,
               UINT64_MAX - 1);
}

Test(pass_options, take_numbers) {
  cr_expect_eq(every("factor=0.25")->factor, 0.25);
  cr_expect_eq(every("factor=-1e3")->factor, -1000);
  cr_expect_eq(every("factor=.5")->factor, 0.5);
  cr_expect_eq(every("factor=0x1p-1")->factor, 0.5);
  cr_expect_eq(every("factor=1e-320")->factor, 1e-320);
  cr_expect_eq(every("factor=-inf")->factor, -INFINITY);
  cr_expect(isnan(every("factor=nan")->factor));
  static const char *const wrong[] = {"x",   "1.5x", "+1",       "infinity",
                                      "INF", "1,5",  "nan(123)", "-"};
  for (size_t i = 0; i < MLIRPLUG_COUNT(wrong); ++i) {
    char text[32], found[128];
    snprintf(text, sizeof text, "factor=%s", wrong[i]);
    snprintf(found, sizeof found,
             "option 'factor' of pass 'every' wants a number, found '%s'",
             wrong[i]);
    expect_refused("every", text, found, "", "");
  }
}

Test(pass_options, refuse_numbers_out_of_range) {
  expect_refused("every", "ratio=1.5",
                 "option 'ratio' of pass 'every' wants a number from 0 to 1, "
                 "found '1.5'",
                 "", "");
  expect_refused("every", "ratio=nan",
                 "option 'ratio' of pass 'every' wants a number from 0 to 1, "
                 "found 'nan'",
                 "", "");
  expect_refused("every", "factor=1e999",
                 "option 'factor' of pass 'every' wants a number from "
                 "-1.7976931348623157e+308 to 1.7976931348623157e+308, found "
                 "'1e999'",
                 "", "");
}

Test(pass_options, read_numbers_alike_in_every_locale) {
  // A locale with a decimal comma; where none is installed, nothing differs.
  (void)(setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "C.UTF-8"));
  const struct every_options *options = every("factor=0.25");
  cr_expect_eq(options->factor, 0.25);
  cr_expect_str_eq(option_print(known_pass("every"), options, &arena),
                   "factor=0.25");
}

Test(pass_options, take_strings) {
  cr_expect_str_eq(every("label=plain")->label, "plain");
  cr_expect_str_eq(every("label=a,b=c")->label, "a,b=c");
  cr_expect_str_eq(every("label='a b'")->label, "a b");
  cr_expect_str_eq(every("label=\" it's } \"")->label, " it's } ");
  cr_expect_str_eq(every("label={ a {b} }")->label, "a {b}");
  cr_expect_str_eq(every("label=f(a{x=1 y=2},b)")->label, "f(a{x=1 y=2},b)");
  cr_expect_str_eq(every("label=it's fast")->label, "it's");
  cr_expect_str_eq(every("label=\"\"")->label, "");
  cr_expect_str_eq(every("label={a}{b}")->label, "{a}{b}");
}

Test(pass_options, take_choices) {
  cr_expect_eq(every("mode=fast")->mode, 0);
  cr_expect_eq(every("mode=exact")->mode, 1);
  expect_refused("every", "mode=exakt",
                 "option 'mode' of pass 'every' wants one of fast, exact, "
                 "found 'exakt'",
                 "", "did you mean 'exact'?");
  expect_refused("every", "mode=0",
                 "option 'mode' of pass 'every' wants one of fast, exact, "
                 "found '0'",
                 "", "");
}

Test(pass_options, take_lists) {
  const struct every_options *options =
      every("flags=true,0 tiles={ -1, 0x2 ,3 } sizes=7 weights={} "
            "names=a,'b, c',\"it's\",{d e},\"\" modes=fast,exact,fast");
  cr_assert_eq(options->flags.count, 2);
  cr_expect_eq(options->flags.values[0], true);
  cr_expect_eq(options->flags.values[1], false);
  cr_assert_eq(options->tiles.count, 3);
  cr_expect_eq(options->tiles.values[0], -1);
  cr_expect_eq(options->tiles.values[1], 2);
  cr_expect_eq(options->tiles.values[2], 3);
  cr_assert_eq(options->sizes.count, 1);
  cr_expect_eq(options->sizes.values[0], 7);
  cr_expect_eq(options->weights.count, 0);
  cr_assert_eq(options->names.count, 5);
  cr_expect_str_eq(options->names.values[0], "a");
  cr_expect_str_eq(options->names.values[1], "b, c");
  cr_expect_str_eq(options->names.values[2], "it's");
  cr_expect_str_eq(options->names.values[3], "d e");
  cr_expect_str_eq(options->names.values[4], "");
  cr_assert_eq(options->modes.count, 3);
  cr_expect_eq(options->modes.values[1], 1);
}

Test(pass_options, refuse_bad_items_of_lists) {
  expect_refused("every", "tiles=1,many",
                 "option 'tiles' of pass 'every' wants a list of integers, "
                 "found 'many'",
                 "", "");
  expect_refused("every", "modes=fast,slow",
                 "option 'modes' of pass 'every' wants a list, each one of "
                 "fast, exact, found 'slow'",
                 "", "");
  expect_refused("every", "tiles=1, 2",
                 "option 'tiles' of pass 'every' has an empty place in its "
                 "list: '1,'",
                 "", "no space around commas; \"\" is an empty string");
}

Test(pass_options, refuse_unknown_names) {
  expect_refused("op-histogram", "topp=3",
                 "pass 'op-histogram' has no option 'topp'", "one of top, out",
                 "did you mean 'top'?");
  expect_refused("op-histogram", "verbose",
                 "pass 'op-histogram' has no option 'verbose'",
                 "one of top, out", "");
  expect_refused("op-histogram", "=3",
                 "an '=' without a name before it, for pass 'op-histogram'", "",
                 "write NAME=VALUE without spaces");
}

Test(pass_options, that_commas_separate_are_told_apart) {
  expect_refused("every", "top=3,level=2",
                 "option 'top' of pass 'every' wants an integer, found "
                 "'3,level=2'",
                 "", "options are separated by spaces");
  expect_refused("every", "tiles=1,2,top=3",
                 "option 'tiles' of pass 'every' wants a list of integers, "
                 "found 'top=3'",
                 "", "options are separated by spaces");
  expect_refused("op-histogram", "fast,top=3",
                 "pass 'op-histogram' has no option 'fast,top'",
                 "one of top, out", "options are separated by spaces");
  expect_refused("every", "top=3,stop=2",
                 "option 'top' of pass 'every' wants an integer, found "
                 "'3,stop=2'",
                 "", "");
}

Test(pass_options, refuse_an_option_given_twice) {
  expect_refused("every", "top=1 fast top=1",
                 "option 'top' of pass 'every' is given twice", "",
                 "give it once");
  expect_refused("every", "tiles=1 tiles=2",
                 "option 'tiles' of pass 'every' is given twice", "",
                 "separate the values of a list by commas");
}

Test(pass_options, refuse_a_missing_value) {
  expect_refused("every", "top", "option 'top' of pass 'every' has no value",
                 "an integer", "write top=VALUE without spaces");
  expect_refused("every", "top= 3", "option 'top' of pass 'every' has no value",
                 "an integer", "write top=VALUE without spaces");
  expect_refused("every", "fast=", "option 'fast' of pass 'every' has no value",
                 "true or false", "write fast=VALUE without spaces");
  expect_refused("every",
                 "label=", "option 'label' of pass 'every' has no value",
                 "a string",
                 "write label=VALUE without spaces, or label=\"\" for an empty "
                 "one");
  expect_refused("every",
                 "tiles=", "option 'tiles' of pass 'every' has no value",
                 "a list of integers",
                 "write tiles=VALUE without spaces, or tiles={} for none");
}

Test(pass_options, refuse_what_is_not_closed) {
  expect_refused("every", "label='a b",
                 "option 'label' of pass 'every' has a quote that is never "
                 "closed: ''a b'",
                 "", "close it, or put the value in the other kind of quotes");
  expect_refused("every", "label={a b",
                 "option 'label' of pass 'every' has a '{' that is never "
                 "closed: '{a b'",
                 "", "close it, or put the value in quotes");
  expect_refused("every", "label=a}",
                 "option 'label' of pass 'every' has a '}' that closes "
                 "nothing: 'a}'",
                 "", "remove it, or put the value in quotes");
  expect_refused("every", "names=a,'b'c",
                 "option 'names' of pass 'every' has something behind a "
                 "closing quote: ''b'c'",
                 "", "put the whole value in quotes");
}

struct broken_options {
  mlirplug_int_list tiles;
};

Test(pass_options, blame_the_plugin_for_its_bad_defaults) {
  const mlirplug_option *const table[] = {
      OPTION(MLIRPLUG_INTS(struct broken_options, tiles, "tiles", "1,x", ""))};
  const mlirplug_pass_description broken = {.name = "broken",
                                            .options = table,
                                            .option_count = 1,
                                            .options_size =
                                                sizeof(struct broken_options)};
  const void *options = NULL;
  cr_assert_eq(option_parse(&broken, "", &arena, &options, &error),
               MLIRPLUG_FAILED);
  cr_expect_str_eq(error->found,
                   "the plugin's own default '1,x' is bad: option 'tiles' of "
                   "pass 'broken' wants a list of integers, found 'x'");
  cr_expect_str_eq(error->remedy,
                   "give tiles a value, and tell the plugin's author");
  cr_assert_eq(option_parse(&broken, "tiles=3", &arena, &options, NULL),
               MLIRPLUG_OK);
  cr_expect_str_eq(option_print(&broken, options, &arena), "tiles=3");
}
