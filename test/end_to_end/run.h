// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running the built command and looking at what it said.

#ifndef MLIRPLUG_TEST_RUN_H
#define MLIRPLUG_TEST_RUN_H

#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define SHIPPED(name)                                                          \
  MLIRPLUG_BUILD_DIRECTORY "/lib/mlirplug/plugins/" name ".so"
#define EXAMPLE(name) MLIRPLUG_BUILD_DIRECTORY "/examples/" name ".so"
#define LOAD(path) "--load-pass-plugin=" path

/// Inputs of the cases.
#define TWICE COMMAND_CASES "/01-plugin-load-errors/input.mlir"
#define HISTOGRAM COMMAND_CASES "/02-op-histogram/input.mlir"
#define UNREGISTERED COMMAND_CASES "/02-op-histogram/unregistered.mlir"
#define NESTING COMMAND_CASES "/03-flag-options-nesting/input.mlir"
#define ADD_TO_MUL COMMAND_CASES "/04-add-to-mul/input.mlir"
#define FORBIDDEN COMMAND_CASES "/07-fail-and-stop/input.mlir"
#define KERNELS MLIRPLUG_SOURCE_DIRECTORY "/test/kernels"

/// Runs `mlirplug` with these arguments, a null-terminated list. No signal may
/// end it. `input` may be null.
struct command_result mlirplug_run_with(const char *input,
                                        const char *const *arguments);

#define mlirplug_run(...)                                                      \
  mlirplug_run_with(NULL, (const char *const[]){__VA_ARGS__, NULL})

/// The same through a line of shell, in which $MLIRPLUG is the command.
__attribute__((format(printf, 1, 2))) struct command_result
mlirplug_shell(const char *format, ...);

/// How a run ended, with all it said if that is not so.
void expect_exit(const struct command_result *result, int exit_code);

/// Success without a word on standard error.
void expect_silent_success(const struct command_result *result);

/// `text` holds `part`, or does not.
void expect_contains(const char *text, const char *part);
void expect_lacks(const char *text, const char *part);

/// Exactly the text.
void expect_text(const char *text, const char *expected);

/// Exactly the content of the file.
void expect_file(const char *text, const char *path);

/// Failure with nothing on standard output and one line on standard error.
void expect_refusal(const struct command_result *result, int exit_code);

size_t line_count(const char *text);

/// DIRECTORY/NAME, for tests that write files. Lives until the test ends.
const char *path_in(const char *directory, const char *name);
bool file_exists(const char *path);

#endif // MLIRPLUG_TEST_RUN_H
