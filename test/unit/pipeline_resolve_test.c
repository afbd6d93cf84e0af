// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/text.h"
#include "pipeline_passes.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct arena arena;
static mlirplug_error *error;

static void release(void) {
  arena_release(&arena);
  mlirplug_error_destroy(error);
}

/// `inner` in `depth` nests; to be freed.
static char *enclosed(size_t depth, const char *inner) {
  struct text text = {0};
  for (size_t i = 0; i < depth; ++i)
    text_add(&text, "a.b(");
  text_add(&text, inner);
  for (size_t i = 0; i < depth; ++i)
    text_add(&text, ")");
  return text_take(&text);
}

static struct pipeline_node *parse(const char *text) {
  struct pipeline_node *root = NULL;
  cr_assert_eq(pipeline_tree_parse(text, &arena, &root, NULL), MLIRPLUG_OK,
               "'%s'", text);
  return root;
}

/// The resolved text, or the error's message without its beginning.
static const char *resolved(const char *text) {
  struct pipeline_node *root = parse(text);
  if (pipeline_tree_resolve(root, &known_lookup, false, text, &arena, &error) ==
      MLIRPLUG_OK)
    return pipeline_tree_print(root, &arena);
  const char *message = arena_copy(&arena, error->message);
  mlirplug_error_destroy(error);
  error = NULL;
  size_t skip = strlen("cannot use the pipeline '': ") + strlen(text);
  cr_assert_gt(strlen(message), skip);
  return message + skip;
}

static void expect_accepted(const char *text) {
  cr_expect_str_eq(resolved(text), text);
}

static void expect_refused(const char *text, const char *message) {
  cr_expect_str_eq(resolved(text), message);
}

TestSuite(plugin_passes, .fini = release);

Test(plugin_passes, of_two_plugins_are_refused_with_both_files) {
  expect_refused("builtin.module(any(twice))",
                 "at character 20: two plugins have a pass 'twice': "
                 "'/plugins/known.so' and '/plugins/other.so'; use one of the "
                 "two files: remove the other, or do not search its "
                 "directory (--no-default-plugins)");
}

Test(plugin_passes, are_marked_and_others_left_alone) {
  const char *text = "builtin.module(op-histogram{ top=0x3 },cse{ a= b })";
  struct pipeline_node *root = parse(text);
  cr_assert_eq(
      pipeline_tree_resolve(root, &known_lookup, false, text, &arena, &error),
      MLIRPLUG_OK);
  struct pipeline_node *histogram = root->first_child, *cse = histogram->next;
  cr_expect_eq(histogram->pass, known_pass("op-histogram"));
  cr_expect_eq(histogram->plugin, &known_plugin);
  const struct histogram_options *options = histogram->filled_options;
  cr_expect_eq(options->top, 3);
  cr_expect_null(cse->pass);
  cr_expect_str_eq(pipeline_pass_print(histogram, &arena),
                   "op-histogram{top=3}");
  cr_expect_str_eq(pipeline_tree_print(root, &arena),
                   "builtin.module(op-histogram{top=3},cse{a= b})");
}

Test(plugin_passes, run_where_their_anchors_allow) {
  expect_accepted("builtin.module(op-histogram,func.func(tag-functions))");
  expect_accepted("builtin.module(gpu.module(gpu.func(tag-kernels,several)))");
  expect_accepted("builtin.module(any(several,cse))");
  expect_accepted("builtin.module(any(function-like),my.op(function-like))");
  expect_accepted("any(every,any(every))");
}

Test(plugin_passes, in_a_wrong_nest_are_refused_with_the_right_pipeline) {
  expect_refused("builtin.module(tag-functions)",
                 "at character 16: pass 'tag-functions' runs on func.func, not "
                 "on builtin.module; write "
                 "builtin.module(func.func(tag-functions))");
  expect_refused("builtin.module(cse,tag-functions,tag-functions,op-histogram{"
                 "top=3},func.func(tag-functions))",
                 "at character 20: pass 'tag-functions' runs on func.func, not "
                 "on builtin.module; write builtin.module(cse,func.func("
                 "tag-functions,tag-functions),op-histogram{top=3},func.func("
                 "tag-functions))");
  expect_refused("builtin.module(several)",
                 "at character 16: pass 'several' runs on func.func, gpu.func "
                 "or llvm.func, not on builtin.module; write "
                 "builtin.module(any(several))");
  expect_refused("builtin.module(func.func(tag-kernels))",
                 "at character 26: pass 'tag-kernels' runs on gpu.func, not on "
                 "func.func; write "
                 "builtin.module(func.func(gpu.func(tag-kernels)))");
}

Test(plugin_passes, too_deep_are_shown_in_the_enclosing_nest) {
  expect_refused("builtin.module(func.func(cse,op-histogram,cse))",
                 "at character 30: pass 'op-histogram' runs on builtin.module, "
                 "not on func.func; write "
                 "builtin.module(func.func(cse),op-histogram,func.func(cse))");
  expect_refused("func.func(op-histogram,cse)",
                 "at character 11: pass 'op-histogram' runs on builtin.module, "
                 "not on func.func; write "
                 "builtin.module(op-histogram,func.func(cse))");
}

Test(plugin_passes, on_one_operation_are_refused_in_any) {
  expect_refused("builtin.module(any(tag-functions))",
                 "at character 20: pass 'tag-functions' runs on func.func, not "
                 "on any operation; write "
                 "builtin.module(func.func(tag-functions))");
  expect_refused("builtin.module(any(cse,tag-functions))",
                 "at character 24: pass 'tag-functions' runs on func.func, not "
                 "on any operation; write "
                 "builtin.module(any(cse),func.func(tag-functions))");
  expect_refused("any(tag-functions)",
                 "at character 5: pass 'tag-functions' runs on func.func, not "
                 "on any operation; write "
                 "builtin.module(func.func(tag-functions))");
  expect_refused("any(op-histogram)",
                 "at character 5: pass 'op-histogram' runs on builtin.module, "
                 "not on any operation; write builtin.module(op-histogram)");
}

Test(plugin_passes, in_a_nest_without_its_dialect_are_shown_with_it) {
  expect_refused("builtin.module(func(tag-functions))",
                 "at character 21: pass 'tag-functions' runs on func.func, not "
                 "on func; write builtin.module(func.func(tag-functions))");
  expect_refused("module(tag-functions)",
                 "at character 8: pass 'tag-functions' runs on func.func, not "
                 "on module; write builtin.module(func.func(tag-functions))");
}

/// What the error tells to write is taken.
Test(plugin_passes, are_accepted_as_the_error_shows_them) {
  static const char *const wrong[] = {
      "any(tag-functions,op-histogram,any(tag-kernels))",
      "builtin.module(a.b(),tag-functions,any(any(tag-kernels)),several)",
      "func.func(func.func(op-histogram{top=3 out='a b'}),tag-kernels,every)",
      "gpu.module(several,gpu.func(tag-kernels,tag-functions))",
  };
  for (size_t i = 0; i < MLIRPLUG_COUNT(wrong); ++i) {
    const char *message = resolved(wrong[i]);
    const char *right = strstr(message, "; write ");
    cr_assert_not_null(right, "%s", message);
    expect_accepted(right + strlen("; write "));
  }
}

Test(plugin_passes, at_the_greatest_depth_are_refused_in_the_usual_way) {
  char *text = enclosed(256, "tag-kernels,op-histogram");
  const char *message = resolved(text);
  cr_expect_not_null(strstr(message, "runs on gpu.func, not on a.b; write "
                                     "builtin.module(a.b("),
                     "%s", message);
  cr_expect_not_null(strstr(message, "(gpu.func(tag-kernels))"), "%s", message);
  cr_expect_not_null(strstr(message, ",op-histogram)"), "%s", message);
  free(text);
}

Test(plugin_passes, written_like_nests_are_refused) {
  expect_refused("builtin.module(op-histogram(top=3))",
                 "at character 16: 'op-histogram' is a pass, and passes cannot "
                 "be nested on it; expected an operation before the '('; "
                 "options go into braces: op-histogram{…}");
}

Test(plugin_passes, with_bad_options_are_refused_where_they_stand) {
  expect_refused("builtin.module(op-histogram{topp=3})",
                 "at character 16: pass 'op-histogram' has no option 'topp'; "
                 "expected one of top, out; did you mean 'top'?");
  expect_refused("builtin.module(cse,op-histogram{top=many})",
                 "at character 20: option 'top' of pass 'op-histogram' wants "
                 "an integer, found 'many'");
}

//===----------------------------------------------------------------------===//

static const char *nested(const char *anchor, const char *text) {
  struct pipeline_node *root = NULL;
  cr_assert_eq(pipeline_tree_parse_elements(anchor, text, &arena, &root, NULL),
               MLIRPLUG_OK, "'%s'", text);
  mlirplug_status status =
      pipeline_tree_resolve(root, &known_lookup, true, text, &arena, &error);
  return status == MLIRPLUG_OK ? pipeline_tree_print(root, &arena)
                               : error->message;
}

TestSuite(passes_given_as_flags, .fini = release);

Test(passes_given_as_flags, are_nested_and_share_a_nest) {
  cr_expect_str_eq(nested("builtin.module", "tag-functions"),
                   "builtin.module(func.func(tag-functions))");
  cr_expect_str_eq(nested("builtin.module",
                          "tag-functions,tag-functions,op-histogram{top=3},"
                          "tag-functions,several,tag-kernels,cse"),
                   "builtin.module(func.func(tag-functions,tag-functions),"
                   "op-histogram{top=3},func.func(tag-functions),any(several),"
                   "gpu.func(tag-kernels),cse)");
  cr_expect_str_eq(
      nested("builtin.module", "func.func(cse),tag-functions,func.func(cse)"),
      "builtin.module(func.func(cse,tag-functions),func.func(cse))");
  cr_expect_str_eq(nested("func.func", "tag-functions,every"),
                   "func.func(tag-functions,every)");
  cr_expect_str_eq(nested("builtin.module", ""), "builtin.module()");
}

Test(passes_given_as_flags, are_refused_where_a_nest_does_not_help) {
  cr_expect_str_eq(nested("builtin.module", "cse,func.func(op-histogram)"),
                   "cannot use the pipeline 'cse,func.func(op-histogram)': at "
                   "character 15: pass 'op-histogram' runs on builtin.module, "
                   "not on func.func; write builtin.module(cse,op-histogram)");
  mlirplug_error_destroy(error);
  cr_expect_str_eq(nested("builtin.module", "any(tag-functions)"),
                   "cannot use the pipeline 'any(tag-functions)': at character "
                   "5: pass 'tag-functions' runs on func.func, not on any "
                   "operation; write builtin.module(func.func(tag-functions))");
  mlirplug_error_destroy(error);
  cr_expect_str_eq(nested("func.func", "op-histogram"),
                   "cannot use the pipeline 'op-histogram': at character 1: "
                   "pass 'op-histogram' runs on builtin.module, not on "
                   "func.func; write builtin.module(op-histogram)");
}

Test(passes_given_as_flags, are_not_nested_beyond_the_limit) {
  char *text = enclosed(255, "tag-functions");
  cr_expect_not_null(
      strstr(nested("builtin.module", text),
             "pass 'tag-functions' runs on func.func, not on a.b;"));
  free(text);
}
