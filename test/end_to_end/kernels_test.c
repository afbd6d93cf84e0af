// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linalg-survey over every file of test/kernels, against reference.tsv.

#include "run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, KERNELS_EXPECTED = 151, BROKEN_EXPECTED = 4 };

/// A row of the reference: kernel, status, four numbers, functions.
struct row {
  char *columns[COLUMNS];
};

/// Cuts `line` at its tabs, in place.
static struct row row_cut(char *line) {
  struct row row;
  for (size_t i = 0; i < COLUMNS; ++i) {
    cr_assert(line, "a row with too few columns");
    row.columns[i] = strsep(&line, "\t");
  }
  cr_assert(!line, "a row with too many columns");
  return row;
}

/// The record whose file is `kernel`.mlir, or null.
static json_t *record_find(json_t *records, const char *kernel) {
  size_t length = strlen(KERNELS "/") + strlen(kernel), index;
  json_t *record;
  json_array_foreach(records, index, record) {
    const char *file = json_string_value(json_object_get(record, "file"));
    cr_assert(file, "a record without a file");
    if (strncmp(file, KERNELS "/", strlen(KERNELS "/")) == 0 &&
        strncmp(file + strlen(KERNELS "/"), kernel, strlen(kernel)) == 0 &&
        strcmp(file + length, ".mlir") == 0)
      return record;
  }
  return NULL;
}

static void expect_functions(const json_t *record, const char *kernel,
                             char *expected) {
  const json_t *functions = json_object_get(record, "functions_with_reduction");
  cr_assert(json_is_array(functions), "%s: no array of functions", kernel);
  size_t count = 0;
  for (char *name; (name = strsep(&expected, ","));) {
    if (!*name)
      continue;
    const char *found = json_string_value(json_array_get(functions, count++));
    cr_expect(found && strcmp(found, name) == 0, "%s: function %s, expected %s",
              kernel, found ? found : "(none)", name);
  }
  cr_expect(json_array_size(functions) == count, "%s: %zu functions", kernel,
            json_array_size(functions));
}

static void expect_row(const json_t *record, const struct row *row) {
  static const char *const keys[COLUMNS] = {
      [2] = "ops",
      [3] = "generics",
      [4] = "reduction_generics",
      [5] = "non_identity_input_maps",
  };
  const char *kernel = row->columns[0];
  for (size_t i = 2; i < 6; ++i) {
    const json_t *value = json_object_get(record, keys[i]);
    cr_expect(json_is_integer(value) && json_integer_value(value) ==
                                            strtoll(row->columns[i], NULL, 10),
              "%s: %s is %lld, expected %s", kernel, keys[i],
              json_integer_value(value), row->columns[i]);
  }
  const char *pass = json_string_value(json_object_get(record, "pass"));
  cr_expect(pass && strncmp(pass, "linalg-survey", 13) == 0, "%s: pass %s",
            kernel, pass ? pass : "(none)");
  expect_functions(record, kernel, row->columns[6]);
}

/// What is said of a kernel that cannot be parsed.
static void expect_reported(const char *errors, const char *kernel) {
  char *place = NULL;
  cr_assert(asprintf(&place, "%s/%s.mlir:", KERNELS, kernel) > 0);
  const char *line = strstr(errors, place);
  cr_expect(line, "%s is not reported", kernel);
  cr_expect(line && strstr(line, ": error: "), "%s has no error", kernel);
  free(place);
}

static json_t *records_read(char *text) {
  json_t *records = json_array();
  for (char *line; (line = strsep(&text, "\n")) && *line;) {
    json_error_t error;
    json_t *record = json_loads(line, 0, &error);
    cr_assert(record, "no JSON: %s in %s", error.text, line);
    json_array_append_new(records, record);
  }
  return records;
}

/// Compares all that a run said with every row of the reference.
static void expect_reference(struct command_result *result) {
  // Four kernels cannot be parsed, and the others go on.
  expect_exit(result, 1);
  json_t *records = records_read(result->output);
  char *reference = file_content(KERNELS "/reference.tsv");
  char *rest = reference;
  size_t rows = 0, broken = 0;
  strsep(&rest, "\n"); // the titles
  for (char *line; (line = strsep(&rest, "\n")) && *line; ++rows) {
    struct row row = row_cut(line);
    json_t *record = record_find(records, row.columns[0]);
    if (strcmp(row.columns[1], "parse-error") == 0) {
      cr_expect(!record, "%s has a record", row.columns[0]);
      expect_reported(result->errors, row.columns[0]);
      ++broken;
      continue;
    }
    cr_expect(record, "%s has no record", row.columns[0]);
    if (record)
      expect_row(record, &row);
  }
  cr_expect(rows == KERNELS_EXPECTED);
  cr_expect(broken == BROKEN_EXPECTED);
  cr_expect(json_array_size(records) == rows - broken);
  json_decref(records);
  free(reference);
}

Test(linalg_survey, agrees_with_the_reference_on_every_kernel) {
  struct command_result result =
      mlirplug_run("opt", LOAD(SHIPPED("linalg-survey")),
                   "--pass-pipeline=builtin.module(linalg-generalize-named-ops,"
                   "linalg-survey)",
                   "--records=-", KERNELS);
  expect_reference(&result);
  command_release(&result);
}

Test(linalg_survey, agrees_on_one_thread_too) {
  struct command_result result = mlirplug_run(
      "opt", LOAD(SHIPPED("linalg-survey")), "--mlir-disable-threading",
      "--pass-pipeline=builtin.module(linalg-generalize-named-ops,"
      "linalg-survey)",
      "--records=-", KERNELS);
  expect_reference(&result);
  command_release(&result);
}
