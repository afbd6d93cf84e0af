// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of files of other languages: of one that a host plugin has made
// a descriptor of, in memory, and of one that was not opened yet.

#ifndef MLIRPLUG_READ_OPENED_H
#define MLIRPLUG_READ_OPENED_H

#include "base/error.h"

struct mlirplug_descriptor;

/// Describes the file at `path` by `descriptor`, which a host plugin of
/// `language` has made of it: checked like one in a file, but for its pointers,
/// which are the host plugin's affair. The result belongs to the caller.
mlirplug_status opened_describe(const char *path, const char *language,
                                const struct mlirplug_descriptor *descriptor,
                                mlirplug_plugin_description **description,
                                mlirplug_error **error);

/// Describes it by its name alone; null if memory runs out.
mlirplug_plugin_description *unopened_describe(const char *path,
                                               const char *language);

#endif // MLIRPLUG_READ_OPENED_H
