// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/table.h"

#include <criterion/criterion.h>

Test(table, without_room_has_nothing) {
  struct table table = {0};
  size_t at = 0;
  uint32_t number;
  cr_expect_not(table_next(&table, 7, &at, &number));
}

Test(table, gives_the_numbers_of_a_hash_in_their_order) {
  struct table table;
  cr_assert(table_create(&table, 1000));
  // All want the last slot, so that the search goes on at the first.
  for (uint32_t i = 0; i < 1000; ++i)
    table_add(&table, UINT64_MAX - ((uint64_t)(i % 10) << 40), i);
  for (uint32_t i = 0; i < 10; ++i) {
    uint64_t hash = UINT64_MAX - ((uint64_t)i << 40);
    uint32_t number, expected = i;
    for (size_t at = 0; table_next(&table, hash, &at, &number); expected += 10)
      cr_assert_eq(number, expected);
    cr_expect_eq(expected, 1000 + i);
  }
  size_t at = 0;
  uint32_t number;
  cr_expect_not(table_next(&table, 5, &at, &number));
  table_release(&table);
}

Test(table, for_nothing_is_empty) {
  struct table table;
  cr_assert(table_create(&table, 0));
  size_t at = 0;
  uint32_t number;
  cr_expect_not(table_next(&table, 0, &at, &number));
  table_release(&table);
}
