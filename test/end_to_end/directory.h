// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directories of plugins, for tests of what is found there.

#ifndef MLIRPLUG_TEST_DIRECTORY_H
#define MLIRPLUG_TEST_DIRECTORY_H

#include "run.h"

/// Plugins with the passes dir-one and dir-two, which leave a mark when they
/// are loaded.
#define ONE MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/directory-one.so"
#define TWO MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/directory-two.so"
#define RUN(pass) " --" pass " " TWICE " -o /dev/null"

/// The directory of plugins; what tree_make or two_make made.
extern char *directory;
/// The directory in which loaded plugins leave a file with their pass's name.
extern char *marks;

/// The directory of case 12.
void tree_make(void);

/// A directory with one.so and two.so.
void two_make(void);

/// Forgets both.
void directory_forget(void);

/// The path of NAME in the directory of plugins.
const char *in_directory(const char *name);

void expect_loaded(const char *pass, bool loaded);

/// `first` and `second` are in `text`, in this order.
void expect_order(const char *text, const char *first, const char *second);

/// `errors` has a line with all of `parts`.
void expect_line(const char *errors, const char *const *parts);

#define LINE(...) ((const char *const[]){__VA_ARGS__, NULL})

#endif // MLIRPLUG_TEST_DIRECTORY_H
