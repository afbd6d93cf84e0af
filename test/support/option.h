// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options for descriptions that tests make.

#ifndef MLIRPLUG_TEST_OPTION_H
#define MLIRPLUG_TEST_OPTION_H

#include <mlirplug/option.h>

/// An element of a table of options, from MLIRPLUG_INT(…) and its like.
#define OPTION(...) (&(const mlirplug_option)__VA_ARGS__)

#endif // MLIRPLUG_TEST_OPTION_H
