// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes inserted into pipelines: test/cases/13, and what it does not ask for.

#include "support/command.h"
#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mlirplug_host *host;
static mlirplug_error *error;
static char warned[4096];

static void on_warning(const char *line, void *user_data) {
  (void)user_data;
  size_t length = strlen(warned);
  (void)snprintf(warned + length, sizeof warned - length, "%s\n", line);
}

static void begin(void) {
  const mlirplug_host_configuration configuration = {
      .size = sizeof configuration, .warn = on_warning};
  cr_assert_eq(mlirplug_host_create(&configuration, &host, &error),
               MLIRPLUG_OK);
  cr_assert_eq(
      mlirplug_host_add_plugin(host, MLIR_PLUGIN("demo"), NULL, &error),
      MLIRPLUG_OK, "%s", error->message);
}

static void end(void) {
  mlirplug_host_destroy(host);
  mlirplug_error_destroy(error);
}

TestSuite(insertion, .init = begin, .fini = end);

static mlirplug_pipeline *parsed(const char *text) {
  mlirplug_pipeline *pipeline = NULL;
  cr_assert_eq(mlirplug_pipeline_parse(host, text, &pipeline, &error),
               MLIRPLUG_OK, "%s", error->message);
  return pipeline;
}

/// The pipeline after the requests, a list that ends with null, or what is said
/// of them without "cannot insert 'REQUEST': ". To be freed.
static char *inserted(const char *text, const char *const *requests) {
  mlirplug_pipeline *pipeline = parsed(text), *result = NULL;
  size_t count = 0;
  while (requests[count])
    ++count;
  char *said;
  if (mlirplug_pipeline_insert(pipeline, requests, count, &result, &error) ==
      MLIRPLUG_OK) {
    said = strdup(mlirplug_pipeline_text(result));
  } else {
    const char *message = strstr(error->message, "': ");
    said = strdup(message ? message + 3 : error->message);
    mlirplug_error_destroy(error);
    error = NULL;
  }
  cr_expect_str_eq(mlirplug_pipeline_text(pipeline), text);
  mlirplug_pipeline_destroy(pipeline);
  mlirplug_pipeline_destroy(result);
  return said;
}

static void expect_said(const char *text, const char *request,
                        const char *expected) {
  char *said = inserted(text, (const char *const[]){request, NULL});
  cr_expect_str_eq(said, expected, "%s into %s: %s", request, text, said);
  free(said);
}

//===----------------------------------------------------------------------===//
// The case
//===----------------------------------------------------------------------===//

/// Takes `part` out of `text`, wherever it is.
static void take_out(char *text, const char *part) {
  char *found = strstr(text, part);
  if (found)
    memmove(found, found + strlen(part), strlen(found + strlen(part)) + 1);
}

/// "after cse #2: demo-hist", what is asked for in words, as it is written.
static void request_write(char *words) {
  take_out(words, "at ");
  take_out(words, "func-level ");
  take_out(words, " (a builtin.module pass)");
  if (strncmp(words, "after each", strlen("after each")) == 0)
    take_out(words, "after ");
  char *to = words;
  for (const char *from = words; *from; ++from)
    if (*from != ' ')
      *to++ = *from;
    else if (to > words && to[-1] != ':' && from[1] != '#')
      *to++ = ':';
  *to = '\0';
}

static void row_check(char *row) {
  char *rest = NULL;
  const char *base = strtok_r(row, "\t", &rest);
  char *request = strtok_r(NULL, "\t", &rest);
  const char *expected = strtok_r(NULL, "\t\n", &rest);
  cr_assert(base && request && expected);
  request_write(request);
  char *said = inserted(base, (const char *const[]){request, NULL});
  const char *refusal = strstr(expected, "ERROR: ");
  if (refusal)
    cr_expect_eq(strncmp(said, refusal + 7, strlen(refusal + 7)), 0, "%s: %s",
                 request, said);
  else
    cr_expect_str_eq(said, expected, "%s into %s: %s", request, base, said);
  free(said);
}

Test(insertion, gives_what_case_13_expects) {
  FILE *file = fopen(MLIRPLUG_SOURCE_DIRECTORY
                     "/test/cases/13-insert-into-pipeline/cases.tsv",
                     "r");
  cr_assert_not_null(file);
  char *line = NULL;
  size_t capacity = 0, rows = 0;
  cr_assert_gt(getline(&line, &capacity, file), 0); // The heading.
  while (getline(&line, &capacity, file) > 0) {
    row_check(line);
    ++rows;
  }
  free(line);
  (void)fclose(file);
  cr_expect_eq(rows, 10);
}

//===----------------------------------------------------------------------===//
// More
//===----------------------------------------------------------------------===//

Test(insertion, puts_several_elements_and_nests_where_they_can_run) {
  expect_said("builtin.module(cse,symbol-dce)",
              "after:cse:func.func(demo-tag{name=x}),demo-hist{top=3}",
              "builtin.module(cse,func.func(demo-tag{name=x}),demo-hist{top=3},"
              "symbol-dce)");
  expect_said("builtin.module(func.func(cse),symbol-dce)",
              "before:func.func:demo-hist",
              "builtin.module(demo-hist,func.func(cse),symbol-dce)");
  expect_said("builtin.module(func.func(cse),symbol-dce)",
              " after : func.func : demo-hist",
              "builtin.module(func.func(cse),demo-hist,symbol-dce)");
  expect_said("builtin.module()", "start:demo-hist",
              "builtin.module(demo-hist)");
  expect_said(
      "builtin.module(canonicalize{top-down=false})",
      "end:demo-hist{out='a:b'}",
      "builtin.module(canonicalize{top-down=false},demo-hist{out=a:b})");
  expect_said("builtin.module(cse)", "start:canonicalize",
              "builtin.module(canonicalize,cse)");
}

Test(insertion, behind_each_skips_the_nests_that_do_not_fit) {
  const char *text = "builtin.module(func.func(cse,canonicalize),symbol-dce)";
  expect_said(text, "each:demo-tag",
              "builtin.module(func.func(cse,demo-tag,canonicalize,demo-tag),"
              "symbol-dce)");
  expect_said(text, "each:demo-hist",
              "builtin.module(func.func(cse,canonicalize),demo-hist,symbol-dce,"
              "demo-hist)");
  expect_said(text, "each:demo-tag-functions",
              "builtin.module(func.func(cse,demo-tag-functions,canonicalize,"
              "demo-tag-functions),symbol-dce)");
  expect_said(text, "each:symbol-dce",
              "builtin.module(func.func(cse,symbol-dce,canonicalize,symbol-dce)"
              ",symbol-dce,symbol-dce,symbol-dce)");
  expect_said("builtin.module(cse)", "each:demo-tag",
              "demo-tag runs on func.func, and no pass in the pipeline "
              "'builtin.module(cse)' does");
  expect_said("builtin.module(func.func())", "each:demo-tag",
              "demo-tag runs on func.func, and no pass in the pipeline "
              "'builtin.module(func.func())' does");
  expect_said("builtin.module()", "each:demo-hist",
              "there is no pass in the pipeline 'builtin.module()'; use start "
              "or end");
}

Test(insertion, applies_requests_in_order) {
  char *said =
      inserted("builtin.module(cse)",
               (const char *const[]){"after:cse:demo-hist{top=1}",
                                     "after:demo-hist:demo-hist{top=2}",
                                     "after:cse:symbol-dce", NULL});
  cr_expect_str_eq(said, "builtin.module(cse,symbol-dce,demo-hist{top=1},"
                         "demo-hist{top=2})");
  free(said);
}

Test(insertion, counts_names_as_they_stand) {
  const char *text = "builtin.module(cse,func.func(cse),cse)";
  expect_said(text, "after:cse#1:demo-hist",
              "builtin.module(cse,demo-hist,func.func(cse),cse)");
  expect_said(text, "after:cse#2:demo-tag",
              "builtin.module(cse,func.func(cse,demo-tag),cse)");
  expect_said(text, "before:cse#3:demo-hist",
              "builtin.module(cse,func.func(cse),demo-hist,cse)");
  cr_expect_str_eq(warned, "");
  expect_said(text, "before:cse:demo-hist",
              "builtin.module(demo-hist,cse,func.func(cse),cse)");
  cr_expect_str_eq(warned, "--insert=before:cse:demo-hist: cse stands 3 times "
                           "in the pipeline, and the first is taken; write "
                           "cse#1 to say so, or up to #3\n");
}

static const struct {
  const char *request;
  const char *said;
} refused[] = {
    {"after:ces:demo-hist", "no pass named ces in the pipeline "
                            "'builtin.module(cse)'"},
    {"after:csee:demo-hist", "no pass named csee in the pipeline "
                             "'builtin.module(cse)'; did you mean 'cse'?"},
    {"after:cse#2:demo-hist",
     "cse stands 1 time in the pipeline 'builtin.module(cse)'; expected a "
     "number up to that, not 2"},
    {"after:cse#0:demo-hist",
     "'cse#0' does not end with a number; expected which of the passes of that "
     "name, from 1: cse#2"},
    {"after:cse#x:demo-hist",
     "'cse#x' does not end with a number; expected which of the passes of that "
     "name, from 1: cse#2"},
    {"after:cse#:demo-hist",
     "'cse#' does not end with a number; expected which of the passes of that "
     "name, from 1: cse#2"},
    {"after:cse:demo-tag",
     "demo-tag runs on func.func, the place asked for is inside "
     "builtin.module; write after:cse:func.func(demo-tag)"},
    {"end:demo-tag-functions{name=f}",
     "demo-tag-functions runs on @function, the place asked for is inside "
     "builtin.module; write end:any(demo-tag-functions{name=f})"},
    {"aftr:cse:demo-hist",
     "it begins with 'aftr', which is no place; expected after:PASS:NEW, "
     "before:PASS:NEW, start:NEW, end:NEW or each:NEW; did you mean 'after'?"},
    {"demo-hist",
     "it begins with 'demo-hist', which is no place; expected after:PASS:NEW, "
     "before:PASS:NEW, start:NEW, end:NEW or each:NEW"},
    {"after:cse", "it does not say what to insert; expected after:PASS:NEW, "
                  "before:PASS:NEW, start:NEW, end:NEW or each:NEW"},
    {"start: ", "it does not say what to insert; expected after:PASS:NEW, "
                "before:PASS:NEW, start:NEW, end:NEW or each:NEW"},
    {"after::demo-hist",
     "it does not say which pass; expected after:PASS:NEW, before:PASS:NEW, "
     "start:NEW, end:NEW or each:NEW"},
    {"end:demo-hist{top=x}", "at character 20: option 'top' of pass "
                             "'demo-hist' wants an integer, found "
                             "'x'"},
    {"end:demo-hist{", "the '{' at character 10 is never closed; expected '}'; "
                       "add the missing '}'"},
    {"end:demo-hist)", "the ')' at character 10 closes nothing; remove it"},
    {"end:func.func(demo-hist)",
     "at character 30: pass 'demo-hist' runs on builtin.module, not on "
     "func.func; write builtin.module(cse,demo-hist)"},
};

Test(insertion, is_refused_with_what_to_write) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
    expect_said("builtin.module(cse)", refused[i].request, refused[i].said);
}
