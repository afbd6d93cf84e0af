// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON writer of the SDK, on memory that this file gives it.

#include "support/command.h"

#include <criterion/criterion.h>
#include <mlirplug/json.h>

#include <stdlib.h>
#include <string.h>

/// How many bytes may still be had.
static size_t budget = SIZE_MAX;

/// What was handed out, the newest first.
static struct block {
  struct block *next;
  max_align_t bytes[];
} *blocks;

static void *allocate(const mlirplug_run *run, size_t size) {
  (void)run;
  if (size > budget)
    return NULL;
  budget -= size;
  struct block *block = calloc(1, sizeof *block + size);
  cr_assert(block);
  block->next = blocks;
  blocks = block;
  return block->bytes;
}

static void release_all(void) {
  while (blocks) {
    struct block *next = blocks->next;
    free(blocks);
    blocks = next;
  }
}

TestSuite(json, .fini = release_all);

/// Does what a loader does: gives each import its address.
static mlirplug_json json_create(void) {
  for (mlirplug_import *import = __start_mlirplug_imports;
       import != __stop_mlirplug_imports; ++import)
    if (strcmp(import->name, "mlirplug_allocate") == 0)
      import->function = (void (*)(void))allocate;
  return mlirplug_json_create(NULL);
}

static void expect_json(const mlirplug_json *json, const char *expected) {
  MlirStringRef text = mlirplug_json_text(json);
  cr_assert(!json->failed);
  cr_expect(text.length == strlen(expected) &&
                memcmp(text.data, expected, text.length) == 0,
            "%.*s instead of %s", (int)text.length, text.data, expected);
}

static void expect_string(const char *bytes, size_t length,
                          const char *expected) {
  mlirplug_json json = json_create();
  MlirStringRef string = {bytes, length};
  mlirplug_json_string(&json, string);
  expect_json(&json, expected);
}

#define EXPECT_STRING(bytes, expected)                                         \
  expect_string(bytes, sizeof bytes - 1, "\"" expected "\"")

Test(json, has_separators_between_values_only) {
  mlirplug_json json = json_create();
  mlirplug_json_begin_object(&json);
  mlirplug_json_key(&json, mlirplug_json_view("a"));
  mlirplug_json_integer(&json, -1);
  mlirplug_json_key(&json, mlirplug_json_view("b"));
  mlirplug_json_begin_array(&json);
  mlirplug_json_bool(&json, true);
  mlirplug_json_begin_object(&json);
  mlirplug_json_end_object(&json);
  mlirplug_json_begin_array(&json);
  mlirplug_json_end_array(&json);
  mlirplug_json_null(&json);
  mlirplug_json_end_array(&json);
  mlirplug_json_key(&json, mlirplug_json_view("c"));
  mlirplug_json_bool(&json, false);
  mlirplug_json_end_object(&json);
  expect_json(&json, "{\"a\": -1, \"b\": [true, {}, [], null], \"c\": false}");
}

Test(json, writes_every_integer) {
  mlirplug_json json = json_create();
  mlirplug_json_begin_array(&json);
  mlirplug_json_integer(&json, 0);
  mlirplug_json_integer(&json, INT64_MIN);
  mlirplug_json_integer(&json, INT64_MAX);
  mlirplug_json_unsigned(&json, UINT64_MAX);
  mlirplug_json_end_array(&json);
  expect_json(&json, "[0, -9223372036854775808, 9223372036854775807, "
                     "18446744073709551615]");
}

Test(json, takes_values_that_are_json_already) {
  mlirplug_json json = json_create();
  mlirplug_json_begin_array(&json);
  mlirplug_json_raw(&json, mlirplug_json_view("{\"a\": 1}"));
  mlirplug_json_raw(&json, mlirplug_json_view("2"));
  mlirplug_json_end_array(&json);
  expect_json(&json, "[{\"a\": 1}, 2]");
}

Test(json, escapes_what_must_be) {
  EXPECT_STRING("", "");
  EXPECT_STRING("a\"b\\c/d", "a\\\"b\\\\c/d");
  EXPECT_STRING("\0\t\n\x1f\x7f", "\\u0000\\u0009\\u000a\\u001f\x7f");
}

Test(json, keeps_utf8) {
  EXPECT_STRING("\xC2\x80 \xDF\xBF", "\xC2\x80 \xDF\xBF");
  EXPECT_STRING("\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80",
                "\xE0\xA0\x80 \xED\x9F\xBF \xEE\x80\x80");
  EXPECT_STRING("\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF",
                "\xF0\x90\x80\x80 \xF4\x8F\xBF\xBF");
}

#define BAD "\xEF\xBF\xBD"

Test(json, replaces_what_is_not_utf8) {
  EXPECT_STRING("a\xFFz", "a" BAD "z");
  EXPECT_STRING("\x80", BAD);
  EXPECT_STRING("\xC0\xAF", BAD BAD);                 // a long form
  EXPECT_STRING("\xE0\x9F\xBF", BAD BAD BAD);         // likewise
  EXPECT_STRING("\xED\xA0\x80", BAD BAD BAD);         // a surrogate
  EXPECT_STRING("\xF4\x90\x80\x80", BAD BAD BAD BAD); // beyond Unicode
  EXPECT_STRING("\xC3", BAD);                         // cut off
  EXPECT_STRING("\xE2\x82", BAD BAD);
  EXPECT_STRING("\xF0\x9F\x98z", BAD BAD BAD "z");
}

Test(json, grows_to_any_length) {
  mlirplug_json json = json_create();
  mlirplug_json_begin_array(&json);
  for (int i = 0; i < 100000; ++i)
    mlirplug_json_integer(&json, 7);
  mlirplug_json_end_array(&json);
  cr_assert(!json.failed);
  MlirStringRef text = mlirplug_json_text(&json);
  cr_assert(text.length == 300000);
  for (size_t i = 1; i + 1 < text.length; ++i)
    cr_assert(text.data[i] == (i % 3 == 1 ? '7' : i % 3 == 2 ? ',' : ' '));
}

Test(json, remembers_that_memory_ran_out) {
  budget = 1000;
  mlirplug_json json = json_create();
  for (int i = 0; i < 1000; ++i)
    mlirplug_json_string(&json, mlirplug_json_view("a string"));
  cr_expect(json.failed);
  cr_expect(mlirplug_json_text(&json).data == NULL);
  budget = SIZE_MAX;
  mlirplug_json_null(&json);
  cr_expect(mlirplug_json_text(&json).data == NULL);
  cr_expect(mlirplug_json_record(&json) == MLIRPLUG_FAILED);
}
