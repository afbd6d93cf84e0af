// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What machine an object file is for.

#ifndef MLIRPLUG_OBJECT_TARGET_H
#define MLIRPLUG_OBJECT_TARGET_H

#include "object/llvm.h"

#include <mlirplug/object.h>

/// Zero bytes are none.
struct target {
  char *triple;
  char *cpu;
  char *features;
  void *machine; ///< LLVM's, for these three.
};

/// Finds the machine that `configuration` asks for. LLVM itself says of a
/// processor or a feature that it does not know on standard error, and goes on;
/// here it is an error.
mlirplug_status
target_create(const struct object_api *api,
              const mlirplug_object_configuration *configuration,
              struct target *target, mlirplug_error **error);
void target_release(const struct object_api *api, struct target *target);

#endif // MLIRPLUG_OBJECT_TARGET_H
