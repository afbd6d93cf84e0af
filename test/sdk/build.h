// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building plugins in tests, and looking at the files.

#ifndef MLIRPLUG_TEST_BUILD_H
#define MLIRPLUG_TEST_BUILD_H

#include "support/command.h"

#include <criterion/criterion.h>
#include <mlirplug/host.h>

#define SDK_INCLUDE MLIRPLUG_SOURCE_DIRECTORY "/sdk/include"
#define SDK_COMPAT MLIRPLUG_SOURCE_DIRECTORY "/sdk/compat"
#define SDK_SOURCES MLIRPLUG_SOURCE_DIRECTORY "/test/plugins/sdk"

/// What a plugin is compiled with, warnings being errors.
#define SDK_FLAGS                                                              \
  "-Wall -Wextra -Wpedantic -Werror -shared -fPIC -fvisibility=hidden "        \
  "-Wl,-z,defs -I" SDK_INCLUDE

/// DIRECTORY/NAME, to be freed.
char *build_path(const char *directory, const char *name);

/// Runs a line of shell in test/plugins/sdk, made from a printf format, and
/// returns what it wrote, to be freed. Fails the test, with all it said, if it
/// fails.
__attribute__((format(printf, 1, 2))) char *build_shell(const char *format,
                                                        ...);

/// The same for a line that must fail; returns standard error.
__attribute__((format(printf, 1, 2))) char *build_refusal(const char *format,
                                                          ...);

/// Fails the test unless `text` holds `part`.
void build_expect(const char *text, const char *part);

/// What the file says of itself; destroyed by the caller. Fails the test if it
/// cannot be read.
mlirplug_plugin_description *build_read(const char *path);

/// Fails the test unless the shared object at `path` exports what a plugin
/// exports and nothing else, needs nothing but libc, and runs on glibc 2.17.
void build_expect_plain(const char *path);

#endif // MLIRPLUG_TEST_BUILD_H
