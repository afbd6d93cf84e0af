// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Running a program and looking at what it did, for tests.

#ifndef MLIRPLUG_TEST_COMMAND_H
#define MLIRPLUG_TEST_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

struct command_result {
  int exit_code; ///< -1 if a signal ended it.
  int signal;    ///< 0 if none did.
  char *output;  ///< Standard output, terminated by NUL.
  char *errors;  ///< Standard error, likewise.
};

/// Runs `arguments` (ended by null, the program first, found by PATH) with
/// `input` (may be null) as standard input. Fails the test if it cannot start,
/// or is not done after `seconds`.
struct command_result command_run(const char *const *arguments,
                                  const char *input, unsigned seconds);

/// The same for a line of shell, made from a printf format.
__attribute__((format(printf, 1, 2))) struct command_result
command_shell(const char *format, ...);

void command_release(struct command_result *result);

/// Paths, set by the build: the built tree, the sources, the command itself. No
/// test depends on what is installed: COMMAND_MLIRPLUG is the command with
/// --no-default-plugins, and the environment is that of a user without any.
#define COMMAND_MLIRPLUG MLIRPLUG_BUILD_DIRECTORY "/test/mlirplug.sh"
#define COMMAND_WITH_DEFAULTS MLIRPLUG_BUILD_DIRECTORY "/bin/mlirplug"
#define COMMAND_CASES MLIRPLUG_SOURCE_DIRECTORY "/test/cases"

/// Commands from here on may leave memory behind, as Python does.
void command_forgive_leaks(void);

/// The whole content of a file, to be freed; fails the test if it can't be
/// read.
char *file_content(const char *path);

/// A fresh directory, removed when the test program ends. The string is freed
/// by the caller.
char *directory_create(void);

/// Writes a file.
void file_write(const char *path, const void *bytes, size_t length);

#endif // MLIRPLUG_TEST_COMMAND_H
