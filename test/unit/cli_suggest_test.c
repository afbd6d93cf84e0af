// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/suggest.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *suggested(const char *written) {
  static const char *const names[] = {"records", "pass-pipeline", "provider",
                                      "o", "json"};
  struct suggestion suggestion = {0};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    suggestion_consider(&suggestion, written, names[i]);
  return suggestion.name ? suggestion.name : "(none)";
}

Test(a_suggestion, is_the_closest_name) {
  cr_expect_str_eq(suggested("record"), "records");
  cr_expect_str_eq(suggested("recrods"), "records");
  cr_expect_str_eq(suggested("pass-pipline"), "pass-pipeline");
  cr_expect_str_eq(suggested("jsn"), "json");
  cr_expect_str_eq(suggested("provider"), "provider");
}

Test(a_suggestion, is_not_made_when_nothing_is_close) {
  cr_expect_str_eq(suggested("canonicalize"), "(none)");
  cr_expect_str_eq(suggested(""), "(none)");
}

Test(a_suggestion, is_not_made_for_endless_names) {
  char name[4096];
  memset(name, 'o', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  cr_expect_str_eq(suggested(name), "(none)");
}
