// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the core offers plugins: the functions of plugin.h, and those of MLIR
// that it stands in front of.

#ifndef MLIRPLUG_PASS_SERVICES_H
#define MLIRPLUG_PASS_SERVICES_H

#include "load/bind.h"

/// Ended by a null name.
extern const struct service services[];

#endif // MLIRPLUG_PASS_SERVICES_H
