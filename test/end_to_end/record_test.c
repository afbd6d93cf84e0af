// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records of analysis passes: lines of JSON on standard output or in a file.

#include "run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define COUNTS                                                                 \
  "opt", LOAD(SHIPPED("op-histogram")),                                        \
      "--pass-pipeline=builtin.module(op-histogram{out=/dev/null})"

/// The record in line `number` of `text`, from 0; to be released.
static json_t *record_read(const char *text, size_t number) {
  for (; number; --number) {
    text = strchr(text, '\n');
    cr_assert(text, "too few records");
    ++text;
  }
  json_error_t error;
  json_t *record =
      json_loads(text, JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
  cr_assert(record, "no JSON: %s in %s", error.text, text);
  cr_assert(json_is_object(record));
  return record;
}

static void expect_string(const json_t *record, const char *key,
                          const char *value) {
  const char *found = json_string_value(json_object_get(record, key));
  cr_assert(found, "no string '%s'", key);
  expect_text(found, value);
}

static void expect_histogram_record(const char *text, size_t number,
                                    const char *file, int functions) {
  json_t *record = record_read(text, number);
  expect_string(record, "file", file);
  expect_string(record, "pass", "op-histogram");
  const json_t *counts = json_object_get(record, "operations");
  cr_expect(json_integer_value(json_object_get(counts, "func.func")) ==
            functions);
  json_decref(record);
}

Test(records, take_standard_output_from_the_ir) {
  struct command_result result =
      mlirplug_run(COUNTS, "--records=-", HISTOGRAM, TWICE);
  expect_silent_success(&result);
  cr_assert(line_count(result.output) == 2, "found:\n%s", result.output);
  expect_histogram_record(result.output, 0, HISTOGRAM, 3);
  expect_histogram_record(result.output, 1, TWICE, 1);
  command_release(&result);
}

Test(records, leave_the_ir_to_o) {
  char *directory = directory_create();
  const char *path = path_in(directory, "out.mlir");
  struct command_result result =
      mlirplug_run(COUNTS, "--records=-", TWICE, "-o", path);
  expect_silent_success(&result);
  expect_histogram_record(result.output, 0, TWICE, 1);
  struct command_result printed = mlirplug_run("opt", TWICE);
  expect_file(printed.output, path);
  command_release(&result);
  command_release(&printed);
  free(directory);
}

Test(records, go_to_a_file_beside_the_ir) {
  char *directory = directory_create();
  struct command_result result =
      mlirplug_shell("cd %s && $MLIRPLUG opt " LOAD(SHIPPED(
                         "op-histogram")) " --op-histogram=out=/dev/null "
                                          "--records=r.jsonl " TWICE
                                          " " HISTOGRAM " | grep -c func.func",
                     directory);
  expect_silent_success(&result);
  expect_text(result.output, "4\n");
  char *records = file_content(path_in(directory, "r.jsonl"));
  expect_histogram_record(records, 0, TWICE, 1);
  expect_histogram_record(records, 1, HISTOGRAM, 3);
  cr_expect(line_count(records) == 2);
  command_release(&result);
  free(records);
  free(directory);
}

Test(records, of_standard_input_name_it) {
  struct command_result result =
      mlirplug_run_with("func.func private @f()",
                        (const char *const[]){COUNTS, "--records=-", NULL});
  expect_silent_success(&result);
  expect_histogram_record(result.output, 0, "<stdin>", 1);
  command_release(&result);
}

Test(records, of_a_failed_input_are_dropped) {
  struct command_result result = mlirplug_run(
      "opt", LOAD(SHIPPED("op-histogram")), LOAD(EXAMPLE("forbid")),
      "--pass-pipeline=builtin.module(op-histogram{out=/dev/null},forbid)",
      "--records=-", TWICE, FORBIDDEN, HISTOGRAM);
  expect_exit(&result, 1);
  cr_assert(line_count(result.output) == 2, "found:\n%s", result.output);
  expect_histogram_record(result.output, 0, TWICE, 1);
  expect_histogram_record(result.output, 1, HISTOGRAM, 3);
  command_release(&result);
}

Test(records, replace_the_old_file_only_if_something_worked) {
  char *directory = directory_create();
  const char *path = path_in(directory, "r.jsonl");
  file_write(path, "old\n", 4);
  struct command_result result =
      mlirplug_shell("cd %s && $MLIRPLUG opt " LOAD(EXAMPLE(
                         "forbid")) " --forbid --records=r.jsonl " FORBIDDEN
                                    "; echo $?; cat r.jsonl",
                     directory);
  expect_text(result.output, "1\nold\n");
  command_release(&result);
  free(directory);
}

Test(records, without_any_pass_are_an_empty_file) {
  char *directory = directory_create();
  const char *path = path_in(directory, "r.jsonl");
  struct command_result result =
      mlirplug_run("opt", "--records", path, TWICE, "-o", "/dev/null");
  expect_silent_success(&result);
  char *records = file_content(path);
  expect_text(records, "");
  command_release(&result);
  free(records);
  free(directory);
}

Test(records, that_do_not_fit_are_an_error) {
  struct command_result standard = mlirplug_shell("$MLIRPLUG opt " LOAD(SHIPPED(
      "op-histogram")) " --op-histogram=out=/dev/null --records=- " TWICE
                       " > /dev/full");
  expect_refusal(&standard, 1);
  struct command_result file =
      mlirplug_run(COUNTS, "--records=/dev/full", TWICE, "-o", "/dev/null");
  expect_refusal(&file, 1);
  expect_contains(file.errors, "/dev/full");
  command_release(&standard);
  command_release(&file);
}
