// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/expectation.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static void fault_note(size_t line, size_t column, const char *text,
                       void *user_data) {
  char *told = user_data;
  sprintf(told + strlen(told), "%zu:%zu %s\n", line, column, text);
}

static struct expectations found_in(const char *content,
                                    const char *expected_faults) {
  struct expectations found;
  char told[200] = "";
  cr_assert(
      expectations_find(&found, content, strlen(content), fault_note, told));
  cr_expect_str_eq(told, expected_faults);
  return found;
}

/// The lines that the expectations in `content` are about.
static void expect_lines(const char *content, const char *expected) {
  struct expectations found = found_in(content, "");
  char lines[100] = "";
  for (size_t i = 0; i < found.count; ++i)
    sprintf(lines + strlen(lines), "%zu ", found.items[i].line);
  cr_expect_str_eq(lines, expected);
  expectations_release(&found);
}

Test(verify_diagnostics, finds_the_line_that_is_meant) {
  expect_lines("a // expected-error {{x}}", "1 ");
  expect_lines("a\nb // expected-error@-1 {{x}}", "1 ");
  expect_lines("// expected-note @+2 {{x}}\nb\nc", "3 ");
  expect_lines("a\nb\n// expected-warning @above {{x}}\n"
               "// expected-remark@above {{y}}\nc",
               "2 2 ");
  expect_lines("// expected-error @below {{x}}\n// expected-note @below {{y}}\n"
               "c\nd",
               "3 3 ");
  expect_lines("// expected-error @unknown {{x}}", "0 ");
  // Below the last line there is none.
  expect_lines("a\n// expected-error @below {{x}}", "2 ");
}

Test(verify_diagnostics, reads_only_what_is_an_expectation) {
  expect_lines("expected-error {{x}} behind\nexpected-errors {{x}}\n"
               "expected-error {x}\nunexpected\n",
               "");
  expect_lines("expected-error {{x}}  \t\r\n", "1 ");
}

static bool meets(struct expectations *found, size_t line, const char *text) {
  const struct expectation *near;
  return expectations_meet(found, line, MlirDiagnosticError, text, &near);
}

Test(verify_diagnostics, looks_for_the_text) {
  struct expectations found = found_in("// expected-error {{a.c {{b}} }}", "");
  cr_expect(meets(&found, 1, "see a.c {{b}} there"));
  cr_expect(found.items[0].met);
  cr_expect_not(meets(&found, 1, "see abc {{b}} there"));
  cr_expect_not(meets(&found, 2, "see a.c {{b}} there"));
  expectations_release(&found);
}

Test(verify_diagnostics, knows_regular_expressions) {
  struct expectations found =
      found_in("// expected-error-re {{op (a.c) {{[0-9]+}} or {{x|y}}}}", "");
  cr_expect(meets(&found, 1, "the op (a.c) 42 or y"));
  cr_expect_not(meets(&found, 1, "the op (abc) 42 or y"));
  cr_expect_not(meets(&found, 1, "the op (a.c) z or y"));
  expectations_release(&found);
}

Test(verify_diagnostics, tells_regular_expressions_that_are_none) {
  struct expectations found =
      found_in("a\n// expected-error-re {{x {{ y}}\n"
               "// expected-error-re {{x {{[}}}}",
               "2:4 found start of regex with no end '}}'\n"
               "3:4 invalid regex\n");
  cr_expect_eq(found.count, 0);
  expectations_release(&found);
}

Test(verify_diagnostics, names_one_that_wants_another_severity) {
  struct expectations found = found_in("// expected-warning {{x}}", "");
  const struct expectation *near;
  cr_expect_not(expectations_meet(&found, 1, MlirDiagnosticError, "x", &near));
  cr_assert(near);
  cr_expect_eq(near->severity, MlirDiagnosticWarning);
  cr_expect_not(near->met);
  cr_expect_not(
      expectations_meet(&found, 1, MlirDiagnosticError, "other", &near));
  cr_expect_null(near);
  expectations_release(&found);
}
