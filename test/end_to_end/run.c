// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "run.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 120, ARGUMENT_LIMIT = 64 };

static void signal_check(const struct command_result *result) {
  // A shell passes a signal on as an exit code above 128.
  cr_assert(result->signal == 0 && result->exit_code < 128,
            "ended by a signal (%d, exit code %d):\n%s", result->signal,
            result->exit_code, result->errors);
}

struct command_result mlirplug_run_with(const char *input,
                                        const char *const *arguments) {
  const char *all[ARGUMENT_LIMIT + 2] = {COMMAND_MLIRPLUG};
  size_t count = 1;
  for (; *arguments; ++arguments) {
    cr_assert(count <= ARGUMENT_LIMIT);
    all[count++] = *arguments;
  }
  struct command_result result = command_run(all, input, SECONDS);
  signal_check(&result);
  return result;
}

struct command_result mlirplug_shell(const char *format, ...) {
  char *line = NULL;
  va_list values;
  va_start(values, format);
  cr_assert(vasprintf(&line, format, values) >= 0);
  va_end(values);
  struct command_result result =
      command_shell("MLIRPLUG=%s; %s", COMMAND_MLIRPLUG, line);
  free(line);
  signal_check(&result);
  return result;
}

void expect_exit(const struct command_result *result, int exit_code) {
  cr_assert(result->exit_code == exit_code,
            "exit code %d, expected %d; standard error:\n%s\nstandard output:\n"
            "%s",
            result->exit_code, exit_code, result->errors, result->output);
}

void expect_silent_success(const struct command_result *result) {
  expect_exit(result, 0);
  expect_text(result->errors, "");
}

void expect_contains(const char *text, const char *part) {
  cr_assert(strstr(text, part) != NULL, "'%s' is not in:\n%s", part, text);
}

void expect_lacks(const char *text, const char *part) {
  cr_assert(strstr(text, part) == NULL, "'%s' is in:\n%s", part, text);
}

void expect_text(const char *text, const char *expected) {
  cr_assert(strcmp(text, expected) == 0, "found:\n%s\nexpected:\n%s", text,
            expected);
}

void expect_file(const char *text, const char *path) {
  char *expected = file_content(path);
  expect_text(text, expected);
  free(expected);
}

void expect_refusal(const struct command_result *result, int exit_code) {
  expect_exit(result, exit_code);
  expect_text(result->output, "");
  cr_assert(line_count(result->errors) == 1, "not one line:\n%s",
            result->errors);
  cr_assert(strncmp(result->errors, "mlirplug: ", 10) == 0, "found:\n%s",
            result->errors);
}

size_t line_count(const char *text) {
  size_t count = 0;
  for (; *text; ++text)
    count += *text == '\n';
  return count;
}

const char *path_in(const char *directory, const char *name) {
  // Each test is a process, so this is a test's own.
  static char *paths[64];
  static size_t count;
  cr_assert(count < sizeof paths / sizeof *paths, "too many paths");
  cr_assert(asprintf(&paths[count], "%s/%s", directory, name) >= 0);
  return paths[count++];
}

bool file_exists(const char *path) { return access(path, F_OK) == 0; }
