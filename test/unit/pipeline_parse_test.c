// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/tree.h"

#include "base/text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct arena arena;
static mlirplug_error *error;

static void release(void) {
  arena_release(&arena);
  mlirplug_error_destroy(error);
}

TestSuite(pipeline_text, .fini = release);

static const char *printed(const char *text) {
  struct pipeline_node *root = NULL;
  if (pipeline_tree_parse(text, &arena, &root, &error) != MLIRPLUG_OK)
    return error->message;
  return pipeline_tree_print(root, &arena);
}

static void expect_printed(const char *text, const char *expected) {
  cr_expect_str_eq(printed(text), expected, "'%s' gives '%s'", text,
                   printed(text));
}

/// Expects `text` to be refused with a message that ends in `expected`.
static void expect_refused(const char *text, const char *expected) {
  struct pipeline_node *untouched = NULL, *root = untouched;
  mlirplug_error *refusal = NULL;
  cr_assert_eq(pipeline_tree_parse(text, &arena, &root, &refusal),
               MLIRPLUG_FAILED, "'%s' is taken", text);
  cr_expect_eq(root, untouched);
  char *whole;
  cr_assert(asprintf(&whole, "cannot parse the pipeline '%s': %s", text,
                     expected) > 0);
  cr_expect_str_eq(refusal->message, whole);
  free(whole);
  mlirplug_error_destroy(refusal);
}

Test(pipeline_text, is_read_and_printed_without_its_spaces) {
  expect_printed("builtin.module()", "builtin.module()");
  expect_printed(" builtin.module ( \t cse , canonicalize ) \n",
                 "builtin.module(cse,canonicalize)");
  expect_printed("any(cse)", "any(cse)");
  expect_printed("builtin.module(func.func(cse),canonicalize)",
                 "builtin.module(func.func(cse),canonicalize)");
  expect_printed("builtin.module(gpu.module(gpu.func(cse)) , func.func( ) )",
                 "builtin.module(gpu.module(gpu.func(cse)),func.func())");
}

Test(pipeline_text, keeps_options_as_written) {
  expect_printed("a.b(canonicalize{ max-iterations=10  top-down=false })",
                 "a.b(canonicalize{max-iterations=10  top-down=false})");
  expect_printed("a.b(canonicalize {})", "a.b(canonicalize)");
  const char *nested = "a.b(inline{default-pipeline=canonicalize "
                       "op-pipelines=func.func(canonicalize{x={y}},cse)},cse)";
  expect_printed(nested, nested);
}

Test(pipeline_text, has_quotes_that_hide_braces) {
  expect_printed("a.b(p{label=\"}\"},q)", "a.b(p{label=\"}\"},q)");
  expect_printed("a.b(p{labels={'}','{'}},q)", "a.b(p{labels={'}','{'}},q)");
  expect_printed("a.b(p{label=it's},q{label=that's})",
                 "a.b(p{label=it's},q{label=that's})");
}

Test(pipeline_text, records_names_options_and_positions) {
  struct pipeline_node *root = NULL;
  cr_assert_eq(pipeline_tree_parse(" a.b( cse{}, c.d())", &arena, &root, NULL),
               MLIRPLUG_OK);
  struct pipeline_node *pass = root->first_child, *nest = pass->next;
  cr_expect_str_eq(root->name, "a.b");
  cr_expect(root->is_nest);
  cr_expect_null(root->options);
  cr_expect_eq(root->position, 1);
  cr_expect_str_eq(pass->name, "cse");
  cr_expect_str_eq(pass->options, "");
  cr_expect(!pass->is_nest);
  cr_expect_eq(pass->position, 6);
  cr_expect_str_eq(nest->name, "c.d");
  cr_expect(nest->is_nest);
  cr_expect_null(nest->next);
}

Test(pipeline_text, with_a_parenthesis_missing_is_refused_at_the_open_one) {
  expect_refused("builtin.module(cse",
                 "the '(' at character 15 is never closed; expected ',' or "
                 "')'; add the missing ')'");
  expect_refused("builtin.module(func.func(cse)",
                 "the '(' at character 15 is never closed; expected ',' or "
                 "')'; add the missing ')'");
  expect_refused("builtin.module(",
                 "the '(' at character 15 is never closed; expected ',' or "
                 "')'; add the missing ')'");
}

Test(pipeline_text, with_something_that_closes_nothing_is_refused_there) {
  expect_refused("a.b(cse))",
                 "the ')' at character 9 closes nothing; remove it");
  expect_refused(")", "the ')' at character 1 closes nothing; remove it");
  expect_refused("a.b(cse{}})",
                 "the '}' at character 10 closes nothing; remove it");
  expect_refused("a.b(cse}x)",
                 "the '}' at character 8 closes nothing; remove it");
}

Test(pipeline_text, with_a_name_missing_is_refused_there) {
  expect_refused("a.b(cse,)",
                 "')' at character 9; expected the name of a pass after the "
                 "','; remove the ','");
  expect_refused("a.b(cse,,cse)",
                 "',cse)' at character 9; expected the name of a pass after "
                 "the ','; remove the ','");
  expect_refused("a.b(,cse)", "',cse)' at character 5; expected the name of a "
                              "pass or of an operation");
  expect_refused("(cse)", "'(cse)' at character 1; expected the name of a pass "
                          "or of an operation");
  expect_refused("a.b(cse),", "the text ends at character 10; expected the "
                              "name of a pass after the ','; remove the ','");
}

Test(pipeline_text, with_a_comma_missing_is_refused_there) {
  expect_refused("a.b(cse canonicalize)",
                 "'canonicalize)' at character 9; expected ',' or ')'");
  expect_refused("a.b(c.d(cse)canonicalize)",
                 "'canonicalize)' at character 13; expected ',' or ')'");
  expect_refused("a.b(cse) x", "'x' at character 10; expected ',' or the end");
}

Test(pipeline_text, with_options_at_a_nest_is_refused) {
  expect_refused("a.b(func.func{}(cse))",
                 "'(cse))' at character 16; expected ',' or ')' after the "
                 "options; a pass has its options in one pair of braces, and "
                 "a nest on an operation has none");
}

Test(pipeline_text, with_options_not_closed_is_refused_at_their_start) {
  expect_refused("a.b(cse{x=1)", "the '{' at character 8 is never closed; "
                                 "expected '}'; add the missing '}'");
  expect_refused("a.b(p{x='1})",
                 "the quote \"'\" at character 9 is never closed; expected "
                 "another one like it; close it, or put the value in the other "
                 "kind");
}

Test(pipeline_text, without_an_anchor_is_refused_with_the_whole_line) {
  expect_refused("cse", "'cse' at character 1 stands in no nest; expected one "
                        "operation with its passes in parentheses; write "
                        "builtin.module(cse)");
  expect_refused(" cse, p{x=1} ",
                 "'cse' at character 2 stands in no nest; expected one "
                 "operation with its passes in parentheses; write "
                 "builtin.module(cse, p{x=1})");
  expect_refused("func.func(cse),cse",
                 "'cse' at character 16 stands in no nest; expected one "
                 "operation with its passes in parentheses; write "
                 "builtin.module(func.func(cse),cse)");
  expect_refused("builtin.module(cse),cse",
                 "'cse' at character 21 stands in no nest; expected one "
                 "operation with its passes in parentheses; put all of it into "
                 "one builtin.module(…)");
  expect_refused("func.func", "'func.func' at character 1 stands in no nest; "
                              "expected one operation with its passes in "
                              "parentheses; write func.func(cse), with its "
                              "passes in parentheses");
  expect_refused(" ", "there is nothing in it; expected one operation with its "
                      "passes in parentheses; write builtin.module(cse)");
}

Test(pipeline_text, is_counted_in_characters_and_not_bytes) {
  expect_refused("a.b(é é)", "'é)' at character 7; expected ',' or ')'");
}

/// "a(a(…a()…))" with `depth` nests; to be freed.
static char *nests(size_t depth) {
  struct text text = {0};
  for (size_t i = 0; i < depth; ++i)
    text_add(&text, "a(");
  for (size_t i = 0; i < depth; ++i)
    text_add(&text, ")");
  return text_take(&text);
}

Test(pipeline_text, nests_up_to_a_limit) {
  char *deepest = nests(256), *deeper = nests(257), *absurd = nests(20000);
  expect_printed(deepest, deepest);
  expect_refused(deeper, "the '(' at character 514 opens nest 257 in one "
                         "another; expected at most 256");
  expect_refused(absurd, "the '(' at character 514 opens nest 257 in one "
                         "another; expected at most 256");
  free(deepest);
  free(deeper);
  free(absurd);
}

/// What mlir-opt makes of these was looked at once; where both take a text,
/// both see the same passes in it.
Test(pipeline_text, is_taken_where_mlir_opt_takes_it) {
  static const char *const taken[] = {
      "builtin.module(cse)",
      "builtin.module ( cse )",
      "any()",
      "builtin.module(any(cse))",
      "builtin.module(canonicalize {top-down=false} ,cse)",
      "builtin.module(canonicalize{})",
      "builtin.module(inline{default-pipeline={canonicalize}})",
      "builtin.module(inline{op-pipelines=\"func.func(cse,cse)\"})",
      "builtin.module(canonicalize{disable-patterns=\"a)b\"})",
      "builtin.module(canonicalize{top-down=false top-down=true})",
      "builtin.module(func.func(cse) , canonicalize)",
  };
  static const char *const refused[] = {
      "()",
      "builtin.module(,)",
      "builtin.module(cse)(cse)",
      "builtin.module(cse),builtin.module(cse)",
      "builtin.module(canonicalize{}cse)",
      "builtin.module(canonicalize{}{})",
      "builtin.module(cse){}",
      "builtin.module(cse)x",
      "builtin.module(canonicalize{top-down=false)",
  };
  struct pipeline_node *root;
  for (size_t i = 0; i < COUNT(taken); ++i)
    cr_expect_eq(pipeline_tree_parse(taken[i], &arena, &root, NULL),
                 MLIRPLUG_OK, "'%s' is refused", taken[i]);
  for (size_t i = 0; i < COUNT(refused); ++i)
    cr_expect_eq(pipeline_tree_parse(refused[i], &arena, &root, NULL),
                 MLIRPLUG_FAILED, "'%s' is taken", refused[i]);
}

TestSuite(pipeline_elements, .fini = release);

Test(pipeline_elements, stand_under_the_given_anchor) {
  struct pipeline_node *root = NULL;
  cr_assert_eq(pipeline_tree_parse_elements("func.func", "cse,a.b(p{x=1})",
                                            &arena, &root, &error),
               MLIRPLUG_OK);
  cr_expect_str_eq(pipeline_tree_print(root, &arena),
                   "func.func(cse,a.b(p{x=1}))");
  cr_assert_eq(
      pipeline_tree_parse_elements("func.func", "", &arena, &root, &error),
      MLIRPLUG_OK);
  cr_expect_str_eq(pipeline_tree_print(root, &arena), "func.func()");
}

Test(pipeline_elements, are_refused_like_pipelines) {
  struct pipeline_node *root = NULL;
  cr_assert_eq(
      pipeline_tree_parse_elements("func.func", "cse)", &arena, &root, &error),
      MLIRPLUG_FAILED);
  cr_expect_str_eq(error->found, "the ')' at character 4 closes nothing");
  cr_expect_null(root);
}
