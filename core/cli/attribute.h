// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extended attributes of files: access lists, labels, whatever users attach.

#ifndef MLIRPLUG_CLI_ATTRIBUTE_H
#define MLIRPLUG_CLI_ATTRIBUTE_H

#include <stdbool.h>

/// Whether the file at `path` and the one open as `descriptor` have the same
/// ones. False too if that cannot be told.
bool attributes_are_same(const char *path, int descriptor);

#endif // MLIRPLUG_CLI_ATTRIBUTE_H
