// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what a descriptor says makes sense: names that can be written in a
// pipeline, options whose fields and defaults fit, callbacks that go together.

#ifndef MLIRPLUG_READ_VALIDATE_H
#define MLIRPLUG_READ_VALIDATE_H

#include "base/error.h"
#include "read/warning.h"

struct mlirplug_descriptor;

/// Which callbacks a pass has.
struct pass_callbacks {
  bool create, clone, destroy, initialize, run, merge, finish, reset;
};

/// Checks the first 16 bytes of a descriptor: magic, size, ABI.
mlirplug_status validate_header(const char *path,
                                const struct mlirplug_descriptor *descriptor,
                                mlirplug_error **error);

/// Checks the pass at `index`.
mlirplug_status validate_pass(const char *path, size_t index,
                              const mlirplug_pass_description *pass,
                              const struct pass_callbacks *callbacks,
                              struct warning_list *warnings,
                              mlirplug_error **error);

/// Checks the plugin's own fields, and its passes with each other.
mlirplug_status validate_plugin(const mlirplug_plugin_description *description,
                                struct warning_list *warnings,
                                mlirplug_error **error);

/// The longest of the structures that an SDK may state.
#define VALIDATE_LARGEST_STRUCTURE ((uint32_t)64 * 1024)

/// The size that the SDK stated for a structure; `what` names the structure.
mlirplug_status validate_structure_size(const char *path, const char *what,
                                        uint32_t size, mlirplug_error **error);

#endif // MLIRPLUG_READ_VALIDATE_H
