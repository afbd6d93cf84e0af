// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strings that live for ever. MLIR keeps pointers to the names of a pass and
// does not copy them, so what it is given must never go away.

#ifndef MLIRPLUG_BASE_INTERN_H
#define MLIRPLUG_BASE_INTERN_H

/// The one copy of `string`; null if memory runs out. Any thread.
const char *intern(const char *string);

#endif // MLIRPLUG_BASE_INTERN_H
