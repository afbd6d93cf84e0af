// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/json.h"
#include "support/option.h"

#include <criterion/criterion.h>
#include <math.h>
#include <mlirplug/plugin.h>

struct options {
  int64_t mode;
  double scale;
  uint64_t size;
  mlirplug_string_list names;
};

static const mlirplug_option *const options[] = {
    OPTION(MLIRPLUG_ENUM(struct options, mode, "mode", "fast,exact", 1, "How")),
    OPTION(MLIRPLUG_DOUBLE(struct options, scale, "scale", INFINITY, "By")),
    OPTION(MLIRPLUG_UINT_RANGE(struct options, size, "size", UINT64_MAX, 1,
                               UINT64_MAX, "Of")),
    OPTION(MLIRPLUG_STRINGS(struct options, names, "names", "a,b", "Which")),
};

static const char *const anchors[] = {"func.func", "gpu.func"};
static const mlirplug_statistic *const statistics[] = {
    &(const mlirplug_statistic){"seen", NULL}};

static const mlirplug_pass_description pass = {
    .name = "a-pass",
    .summary = "Does it",
    .description = "",
    .anchors = anchors,
    .anchor_count = 2,
    .options = options,
    .option_count = 4,
    .options_size = sizeof(struct options),
    .statistics = statistics,
    .statistic_count = 1,
};

static const mlirplug_plugin_description plugin = {
    .path = "/tmp/caf\xe9.so", // not UTF-8
    .id = "org.example",
    .version = "1",
    .sdk = "1.0.0",
    .abi_major = 1,
    .abi_minor = 2,
    .passes = (const mlirplug_pass_description *const[]){&pass},
    .pass_count = 1,
};

static json_t *made;

static void make(void) { made = json_plugin(&plugin, JSON_EVERYTHING); }
static void release(void) { json_decref(made); }

TestSuite(a_plugin_as_json, .init = make, .fini = release);

static const json_t *option_at(size_t index) {
  const json_t *passes = json_object_get(made, "passes");
  const json_t *object = json_array_get(passes, 0);
  const json_t *option =
      json_array_get(json_object_get(object, "options"), index);
  cr_assert(option);
  return option;
}

static const char *text_at(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  cr_assert(text, "no string '%s'", key);
  return text;
}

Test(a_plugin_as_json, says_who_it_is) {
  cr_expect_str_eq(text_at(made, "path"), "/tmp/caf?.so");
  cr_expect_str_eq(text_at(made, "id"), "org.example");
  cr_expect_str_eq(text_at(made, "abi"), "1.2");
  cr_expect_eq(json_array_size(json_object_get(made, "imports")), 0);
}

Test(a_plugin_as_json, has_choices) {
  const json_t *option = option_at(0);
  cr_expect_str_eq(text_at(option, "kind"), "enum");
  cr_expect_str_eq(text_at(option, "default"), "exact");
  const json_t *choices = json_object_get(option, "choices");
  cr_assert_eq(json_array_size(choices), 2);
  cr_expect_str_eq(json_string_value(json_array_get(choices, 0)), "fast");
}

Test(a_plugin_as_json, has_numbers_that_json_does_not_have) {
  cr_expect_str_eq(text_at(option_at(1), "default"), "inf");
  const json_t *size = option_at(2);
  cr_expect_eq(json_real_value(json_object_get(size, "default")), 0x1p64);
  cr_expect_eq(json_integer_value(json_object_get(size, "minimum")), 1);
}

Test(a_plugin_as_json, has_lists) {
  const json_t *names = option_at(3);
  cr_expect_str_eq(text_at(names, "kind"), "string");
  cr_expect(json_is_true(json_object_get(names, "list")));
  cr_expect_str_eq(text_at(names, "default"), "a,b");
}

Test(a_plugin_as_json, can_leave_out_what_lists_do_not_show) {
  json_t *less = json_plugin(&plugin, JSON_PASSES);
  cr_expect_null(json_object_get(less, "imports"));
  cr_expect_null(json_object_get(less, "abi"));
  cr_expect(json_object_get(less, "passes"));
  json_decref(less);
}
