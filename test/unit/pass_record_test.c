// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records: test/plugins/pass/record.c.

#include "support/mlir.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mlir_session session;

static void session_open(void) {
  mlir_open(&session, "static", true);
  mlir_add(&session, MLIR_PLUGIN("record"));
}

static void session_close(void) { mlir_close(&session); }

TestSuite(records, .init = session_open, .fini = session_close);

static void expect_record(const char *pipeline, const char *line) {
  cr_expect_eq(mlir_run(&session, pipeline, "module {}"), MLIRPLUG_OK, "%s%s",
               mlir_message(&session), session.diagnostics.bytes);
  cr_expect_str_eq(session.records.bytes, line);
}

Test(records, begin_with_file_and_pass) {
  expect_record(
      "builtin.module(record-text{json='{\"b\": [1, {}], \"a\": 2}'})",
      "{\"file\": \"input.mlir\", \"pass\": \"record-text\", "
      "\"b\": [1, {}], \"a\": 2}\n");
}

Test(records, keep_numbers_as_they_were_written) {
  expect_record("builtin.module(record-text{json='{\"a\": 0.1, \"b\": 1e-7, "
                "\"c\": -3, \"d\": 2.50, \"e\": 18446744073709551615}'})",
                "{\"file\": \"input.mlir\", \"pass\": \"record-text\", "
                "\"a\": 0.1, \"b\": 1e-7, \"c\": -3, \"d\": 2.50, "
                "\"e\": 18446744073709551615}\n");
}

Test(records, are_one_line_each) {
  expect_record("builtin.module(record-text{json='{\n\"a\":\t\"\\n\"\r\n}'})",
                "{\"file\": \"input.mlir\", \"pass\": \"record-text\", "
                "\"a\": \"\\n\"}\n");
}

Test(records, may_say_nothing) {
  expect_record("builtin.module(record-text)",
                "{\"file\": \"input.mlir\", \"pass\": \"record-text\"}\n");
}

static const char location_text[] = "module {} loc(\"kernel.py\":3:7)";

/// The run fails, with an error at the operation that says `part`.
static void expect_refused(const char *json, const char *part) {
  char pipeline[256];
  (void)snprintf(pipeline, sizeof pipeline,
                 "builtin.module(record-text{json='%s'},record-text)", json);
  cr_expect_eq(mlir_run(&session, pipeline, location_text), MLIRPLUG_FAILED);
  const char *said = session.diagnostics.bytes;
  cr_expect_eq(
      strncmp(said, "error: loc(\"kernel.py\":3:7): pass 'record-text'", 47), 0,
      "%s", said);
  cr_expect(strstr(said, part), "'%s' is not in: %s", part, said);
  cr_expect_str_eq(session.records.bytes, "", "and the next pass has run");
}

Test(records, that_are_no_json_fail_the_pass) {
  expect_refused("{\"a\": }", "at byte");
  expect_refused("{\"a\": 1} x", "at byte");
  expect_refused("", "at byte");
}

Test(records, that_are_no_object_fail_the_pass) {
  expect_refused("[1, 2]", "not an object");
}

Test(records, with_a_key_of_the_host_fail_the_pass) {
  expect_refused("{\"file\": \"mine\"}",
                 "wrote a record that cannot be used: it has the key 'file', "
                 "which the host adds; put names from the IR into an object of "
                 "their own");
  expect_refused("{\"pass\": \"mine\"}", "'pass'");
}

Test(records, with_a_key_twice_fail_the_pass) {
  expect_refused("{\"a\": 1, \"a\": 2}", "duplicate");
}

Test(records, file_name_that_is_not_utf8_is_shown_nevertheless) {
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(&session, "builtin.module(record-text)",
                                    true, &made),
               MLIRPLUG_OK);
  MlirModule module = mlir_parse(session.context, "module {}");
  cr_expect_eq(mlirplug_manager_run(made.manager,
                                    mlirModuleGetOperation(module),
                                    "a\xff\".mlir", NULL),
               MLIRPLUG_OK);
  cr_expect_str_eq(session.records.bytes,
                   "{\"file\": \"a?\\\".mlir\", \"pass\": \"record-text\"}\n");
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

#define FUNCTIONS 200

/// Adds printed text at `*end` and moves it.
#define PRINT(end, ...) ((end) += sprintf((end), __VA_ARGS__))

static void expect_name(char **end, int module, int function, int part) {
  PRINT(*end,
        "{\"pass\": \"record-name\", \"name\": \"f%d_%d\", \"part\": %d}\n",
        module, function, part);
}

/// The functions of module `number`, and the records expected of them.
static void functions_print(char **text, char **expected, int number) {
  for (int i = 0; i < FUNCTIONS; ++i) {
    PRINT(*text, "func.func private @f%d_%d()\n", number, i);
    expect_name(expected, number, i, 0);
    expect_name(expected, number, i, 1);
  }
}

static void expect_order(const char *pipeline, const char *text,
                         const char *expected) {
  struct mlir_pipeline made;
  cr_assert_eq(mlir_pipeline_create(&session, pipeline, true, &made),
               MLIRPLUG_OK, "%s", mlir_message(&session));
  MlirModule module = mlir_parse(session.context, text);
  for (int run = 0; run < 20; ++run) {
    mlir_clear(&session);
    cr_expect_eq(mlirplug_manager_run(
                     made.manager, mlirModuleGetOperation(module), NULL, NULL),
                 MLIRPLUG_OK);
    cr_assert_str_eq(session.records.bytes, expected, "in run %d", run);
  }
  mlirModuleDestroy(module);
  mlir_pipeline_destroy(&made);
}

Test(records, are_in_the_order_of_the_functions_whatever_threads_do) {
  static char text[FUNCTIONS * 64], expected[FUNCTIONS * 256];
  char *text_end = text, *expected_end = expected;
  functions_print(&text_end, &expected_end, 0);
  PRINT(expected_end, "{\"pass\": \"record-name\", \"end\": true}\n");
  expect_order("builtin.module(func.func(record-name))", text, expected);
}

Test(records, of_two_places_follow_one_another) {
  static char text[FUNCTIONS * 64], expected[FUNCTIONS * 512];
  char *text_end = text, *expected_end = expected;
  functions_print(&text_end, &expected_end, 0);
  PRINT(expected_end, "{\"pass\": \"record-name\", \"end\": true}\n");
  size_t length = (size_t)(expected_end - expected);
  memcpy(expected_end, expected, length);
  expect_order("builtin.module(func.func(record-name,record-name))", text,
               expected);
}

Test(records, of_nested_modules_are_in_the_order_of_both) {
  static char text[FUNCTIONS * 256], expected[FUNCTIONS * 1024];
  char *text_end = text, *expected_end = expected;
  for (int i = 0; i < 3; ++i) {
    PRINT(text_end, "module {\n");
    functions_print(&text_end, &expected_end, i);
    PRINT(text_end, "}\n");
  }
  PRINT(expected_end, "{\"pass\": \"record-name\", \"end\": true}\n");
  expect_order("builtin.module(builtin.module(func.func(record-name)))", text,
               expected);
}
