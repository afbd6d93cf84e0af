// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/part.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKER "// -----"

/// Places that were told as near misses, "LINE:COLUMN ".
static void near_miss_note(size_t line, size_t column, void *user_data) {
  char *told = user_data;
  sprintf(told + strlen(told), "%zu:%zu ", line, column);
}

/// Cuts `content` and expects these parts, ended by null, each written as
/// "LINE:COLUMN TEXT".
static void expect_parts(const char *content, const char *marker,
                         const char *near_misses, const char *const *expected) {
  struct parts parts;
  char told[100] = "";
  cr_assert(parts_cut(&parts, content, strlen(content), marker, near_miss_note,
                      told));
  size_t count = 0;
  for (; expected[count]; ++count) {
    char *found = NULL;
    cr_assert(count < parts.count, "no part '%s'", expected[count]);
    const struct part *part = &parts.items[count];
    cr_assert(asprintf(&found, "%zu:%zu %.*s", part->line, part->column,
                       (int)part->length, part->text) > 0);
    cr_expect_str_eq(found, expected[count]);
    free(found);
  }
  cr_expect_eq(parts.count, count);
  cr_expect_str_eq(told, near_misses);
  parts_release(&parts);
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(split_input_file, without_a_marker_is_one_part) {
  expect_parts("a\n" MARKER "\nb", NULL, "", PARTS("1:1 a\n" MARKER "\nb"));
  expect_parts("a\n" MARKER "\nb", "", "", PARTS("1:1 a\n" MARKER "\nb"));
  expect_parts("", NULL, "", PARTS("1:1 "));
}

Test(split_input_file, cuts_at_markers) {
  expect_parts("a\n" MARKER "\nb\n" MARKER "\n\nc\n", MARKER, "",
               PARTS("1:1 a\n", "2:9 \nb\n", "4:9 \n\nc\n"));
  expect_parts("aXYZb", "XYZ", "", PARTS("1:1 a", "1:5 b"));
}

Test(split_input_file, tells_near_misses) {
  expect_parts("a\n// ----\nb\n", MARKER, "2:7 ", PARTS("1:1 a\n// ----\nb\n"));
  // A marker has something behind it.
  expect_parts("a\n" MARKER, MARKER, "2:7 ", PARTS("1:1 a\n" MARKER));
}

Test(split_input_file, has_no_parts_in_nothing) {
  struct parts parts;
  cr_assert(parts_cut(&parts, "", 0, MARKER, near_miss_note, NULL));
  cr_expect_eq(parts.count, 0);
  parts_release(&parts);
}

Test(split_input_file, leaves_parts_in_their_place) {
  const struct part part = {"x y", 3, 3, 4};
  size_t length;
  char *placed = part_place(&part, &length);
  cr_expect_str_eq(placed, "\n\n   x y");
  cr_expect_eq(length, 8);
  free(placed);
}
