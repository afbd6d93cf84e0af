// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A C API library that has no MLIR inside calls that of another library, such
// as libMLIR.so. The system's loader takes the first one in the process that
// has the name, or the symbols, wherever it came from: a C API of one copy on
// the code of another, which ends in crashes.

#ifndef MLIRPLUG_PROVIDER_DEPENDENCY_H
#define MLIRPLUG_PROVIDER_DEPENDENCY_H

#include "provider/library.h"

/// Whether the calls of MLIR and LLVM in the object of `library` lead to the
/// files that it was linked for. If not, `reason` names both. Its
/// object and all that it depends on become the library's parts.
bool dependency_check(const struct mapped_list *list, struct library *library,
                      struct error_buffer *reason);

/// The same for a C API that was linked to no MLIR and is to call that of
/// `tool`: the calls lead there, or to what it depends on, or to the program.
bool dependency_check_for(const struct mapped_list *list,
                          const struct mapped *tool, struct library *library,
                          struct error_buffer *reason);

#endif // MLIRPLUG_PROVIDER_DEPENDENCY_H
