// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages as JSON, and their order.

#include "run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define FAULT LOAD(MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/fault.so")

/// The lines of `text`, each an object.
static json_t *lines_read(const char *text) {
  json_t *lines = json_array();
  while (*text) {
    json_error_t error;
    json_t *line = json_loads(
        text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
    cr_assert(line, "no JSON: %s in:\n%s", error.text, text);
    json_array_append_new(lines, line);
    text = strchr(text, '\n');
    cr_assert(text);
    ++text;
  }
  return lines;
}

static void expect_string(const json_t *object, const char *key,
                          const char *value) {
  const char *found = json_string_value(json_object_get(object, key));
  cr_assert(found, "no '%s'", key);
  expect_text(found, value);
}

static void expect_number(const json_t *object, const char *key, int value) {
  cr_assert_eq(json_integer_value(json_object_get(object, key)), value);
}

Test(json_diagnostics, say_all_that_text_says) {
  struct command_result result =
      mlirplug_run_with("func.func @bad() {\n  return\n}\n",
                        (const char *const[]){"opt", FAULT, "--fault-tell",
                                              "--diagnostics=json", NULL});
  expect_exit(&result, 1);
  json_t *lines = lines_read(result.errors);
  cr_assert_eq(json_array_size(lines), 2);
  const json_t *warning = json_array_get(lines, 0);
  expect_string(warning, "severity", "warning");
  expect_string(warning, "message", "seen");
  expect_string(warning, "file", "<stdin>");
  expect_number(warning, "line", 1);
  expect_number(warning, "column", 1);
  expect_string(warning, "source", "func.func @bad() {");
  const json_t *notes = json_object_get(warning, "notes");
  cr_assert_eq(json_array_size(notes), 1);
  expect_string(json_array_get(notes, 0), "severity", "note");
  expect_string(json_array_get(notes, 0), "message", "by fault-tell");
  expect_number(json_array_get(notes, 0), "line", 1);
  const json_t *error = json_array_get(lines, 1);
  expect_string(error, "severity", "error");
  expect_string(error, "message", "this is bad");
  json_decref(lines);
  command_release(&result);
}

Test(json_diagnostics, are_all_there_is) {
  struct command_result result =
      mlirplug_run("opt", "--diagnostics=json", "--plugin-debug",
                   "--load-pass-plugin=/nowhere.so", TWICE);
  expect_exit(&result, 1);
  json_t *lines = lines_read(result.errors);
  const json_t *line;
  size_t i, errors = 0;
  json_array_foreach(lines, i, line) {
    const char *severity = json_string_value(json_object_get(line, "severity"));
    cr_assert(severity);
    errors += strcmp(severity, "error") == 0;
  }
  cr_expect_eq(errors, 1);
  json_decref(lines);
  command_release(&result);
}

Test(json_diagnostics, without_a_file_have_a_location) {
  struct command_result result = mlirplug_run_with(
      "func.func @f(%a: i32) -> i64 {\n"
      "  return %a : i32 loc(\"only a name\")\n}\n",
      (const char *const[]){"opt", "--diagnostics=json", NULL});
  expect_exit(&result, 1);
  json_t *lines = lines_read(result.errors);
  const json_t *error = json_array_get(lines, 0);
  cr_expect(!json_object_get(error, "file"));
  expect_string(error, "location", "loc(\"only a name\")");
  json_decref(lines);
  command_release(&result);
}

Test(json_diagnostics, are_asked_for_by_their_name) {
  struct command_result result =
      mlirplug_run("opt", "--diagnostics=jsno", TWICE);
  expect_refusal(&result, 2);
  expect_contains(result.errors,
                  "'--diagnostics' is 'jsno'; expected text or json");
  command_release(&result);
}

Test(notes, stay_with_their_diagnostics_on_many_threads, .timeout = 120) {
  char *directory = directory_create();
  const char *path = path_in(directory, "many.mlir");
  FILE *file = fopen(path, "w");
  cr_assert(file);
  for (int i = 0; i < 200; ++i)
    fprintf(file, "func.func @f%d() { return }\n", i);
  fclose(file);
  char *expected = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&expected, &length);
  for (int i = 0; i < 200; ++i) {
    static const char *const said[] = {"warning: seen", "note: by fault-tell"};
    for (int j = 0; j < 2; ++j) {
      fprintf(stream, "%s:%d:1: %s\n", path, i + 1, said[j]);
      if (j == 0)
        fprintf(stream, "func.func @f%d() { return }\n^\n", i);
    }
  }
  fclose(stream);
  for (int i = 0; i < 50; ++i) {
    struct command_result result =
        mlirplug_run("opt", FAULT, "--fault-tell", "-o", "/dev/null", path);
    expect_exit(&result, 0);
    expect_text(result.errors, expected);
    command_release(&result);
  }
  free(expected);
  free(directory);
}
