// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/describe.h"
#include "cli/memory.h"
#include "support/option.h"

#include <criterion/criterion.h>
#include <mlirplug/plugin.h>

struct options {
  bool fast;
  int64_t top;
  uint64_t size;
  double scale;
  const char *label;
  int64_t mode;
  mlirplug_int_list tiles;
  mlirplug_int_list modes;
};

/// Expects that `describe` prints `text` of an option.
#define EXPECT(describe, text, ...)                                            \
  expect_described(describe, text, OPTION(__VA_ARGS__))

static void expect_described(void (*describe)(FILE *, const mlirplug_option *),
                             const char *text, const mlirplug_option *option) {
  struct memory memory;
  cr_assert(memory_open(&memory));
  describe(memory.stream, option);
  cr_assert(memory_close(&memory));
  cr_expect_str_eq(memory.bytes, text);
  memory_release(&memory);
}

Test(the_kind_of_an_option, is_said_in_words) {
  EXPECT(describe_kind, "boolean",
         MLIRPLUG_BOOL(struct options, fast, "fast", true, ""));
  EXPECT(describe_kind, "integer",
         MLIRPLUG_INT(struct options, top, "top", -1, ""));
  EXPECT(describe_kind, "unsigned integer",
         MLIRPLUG_UINT(struct options, size, "size", 1, ""));
  EXPECT(describe_kind, "number",
         MLIRPLUG_DOUBLE(struct options, scale, "scale", 1, ""));
  EXPECT(describe_kind, "string",
         MLIRPLUG_STRING(struct options, label, "label", "", ""));
  EXPECT(describe_kind, "one of fast, exact",
         MLIRPLUG_ENUM(struct options, mode, "mode", "fast,exact", 1, ""));
  EXPECT(describe_kind, "list of integers",
         MLIRPLUG_INTS(struct options, tiles, "tiles", "", ""));
  EXPECT(describe_kind, "list of one of a, b",
         MLIRPLUG_ENUMS(struct options, modes, "modes", "a,b", "", ""));
}

Test(the_kind_of_an_option, has_the_bounds_that_bound) {
  EXPECT(describe_kind, "integer from -2 to 8",
         MLIRPLUG_INT_RANGE(struct options, top, "top", 0, -2, 8, ""));
  EXPECT(describe_kind, "integer from 0",
         MLIRPLUG_INT_RANGE(struct options, top, "top", 0, 0, INT64_MAX, ""));
  EXPECT(describe_kind, "integer to 7",
         MLIRPLUG_INT_RANGE(struct options, top, "top", 0, INT64_MIN, 7, ""));
  EXPECT(describe_kind, "unsigned integer from 1 to 18446744073709551614",
         MLIRPLUG_UINT_RANGE(struct options, size, "size", 1, 1, UINT64_MAX - 1,
                             ""));
  EXPECT(
      describe_kind, "number from 0.1 to 1",
      MLIRPLUG_DOUBLE_RANGE(struct options, scale, "scale", 0.5, 0.1, 1.0, ""));
}

Test(the_default_of_an_option, is_what_one_would_write) {
  EXPECT(describe_default, "true",
         MLIRPLUG_BOOL(struct options, fast, "fast", true, ""));
  EXPECT(describe_default, "-1",
         MLIRPLUG_INT(struct options, top, "top", -1, ""));
  EXPECT(describe_default, "18446744073709551615",
         MLIRPLUG_UINT(struct options, size, "size", UINT64_MAX, ""));
  EXPECT(describe_default, "0.1",
         MLIRPLUG_DOUBLE(struct options, scale, "scale", 0.1, ""));
  EXPECT(describe_default, "a b",
         MLIRPLUG_STRING(struct options, label, "label", "a b", ""));
  EXPECT(describe_default, "exact",
         MLIRPLUG_ENUM(struct options, mode, "mode", "fast,exact", 1, ""));
  EXPECT(describe_default, "8,4",
         MLIRPLUG_INTS(struct options, tiles, "tiles", "8,4", ""));
}

Test(the_default_of_an_option, that_is_empty_is_shown) {
  const mlirplug_option *const options[] = {
      OPTION(MLIRPLUG_STRING(struct options, label, "label", "", "Says")),
      OPTION(MLIRPLUG_INTS(struct options, tiles, "tiles", "", "Cuts"))};
  const mlirplug_pass_description pass = {.options = options,
                                          .option_count = 2};
  struct memory memory;
  cr_assert(memory_open(&memory));
  describe_options(memory.stream, &pass, 0);
  cr_assert(memory_close(&memory));
  cr_expect_str_eq(memory.bytes,
                   "label=<string>  Says (default: \"\")\n"
                   "tiles=<list of integers>  Cuts (default: {})\n");
  memory_release(&memory);
}

Test(text_of_a_plugin, cannot_steer_the_terminal) {
  struct memory memory;
  cr_assert(memory_open(&memory));
  describe_text(memory.stream, "red \033[31m\nzwei\tü");
  cr_assert(memory_close(&memory));
  cr_expect_str_eq(memory.bytes, "red  [31m zwei ü");
  memory_release(&memory);
}

// NOLINTBEGIN(misc-misleading-bidirectional): that is what is tested.
Test(text_of_a_plugin, does_not_move_the_terminal) {
  struct memory memory;
  cr_assert(memory_open(&memory));
  describe_text(memory.stream, "a\033[2J\nb\xc2\x9b"
                               "2J\xe2\x80\xaetxt\xe2\x80\x8f \xc3\xa9");
  cr_assert(memory_close(&memory));
  cr_expect_str_eq(memory.bytes, "a [2J b 2J txt  \xc3\xa9");
  memory_release(&memory);
}
// NOLINTEND(misc-misleading-bidirectional)
