// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The IR around passes, as mlirplug_ir_dumps asks for it.

#ifndef MLIRPLUG_PASS_DUMP_H
#define MLIRPLUG_PASS_DUMP_H

#include "pass/manager.h"

struct dumps;

/// Has the provider show what `asked` says around the passes of the manager,
/// which are built. `manager->dumps` is what it needs.
mlirplug_status dumps_begin(struct mlirplug_manager *manager,
                            const mlirplug_ir_dumps *asked,
                            mlirplug_error **error);

/// The manager's passes are gone. Takes null.
void dumps_end(struct dumps *dumps);

#endif // MLIRPLUG_PASS_DUMP_H
