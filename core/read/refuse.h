// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form that every refusal of a plugin file has.

#ifndef MLIRPLUG_READ_REFUSE_H
#define MLIRPLUG_READ_REFUSE_H

#include "base/error.h"

/// Sets the error for the plugin file `path`; `expected` and `remedy` may be
/// null. Returns MLIRPLUG_FAILED.
static inline mlirplug_status refuse(const char *path, const char *found,
                                     const char *expected, const char *remedy,
                                     mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot read the plugin",
                                            .subject = path,
                                            .found = found,
                                            .expected = expected,
                                            .remedy = remedy});
}

#endif // MLIRPLUG_READ_REFUSE_H
