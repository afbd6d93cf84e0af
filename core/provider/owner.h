// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose is a context? One copy of MLIR crashes on what another has made, so it
// cannot be asked. But its types say in which library their dialect's code is,
// and memory can be read without believing in it.

#ifndef MLIRPLUG_PROVIDER_OWNER_H
#define MLIRPLUG_PROVIDER_OWNER_H

#include "provider/library.h"

/// False if the context was made by another copy of MLIR than that of
/// `library`; `reason` names it. True if it was made by this one, or if that
/// cannot be told, which happens only with an MLIR whose objects are made
/// otherwise than those of 15 to 24.
bool owner_check_context(const struct library *library, const void *context,
                         struct error_buffer *reason);

/// The same for an operation.
bool owner_check_operation(const struct library *library, const void *operation,
                           struct error_buffer *reason);

#endif // MLIRPLUG_PROVIDER_OWNER_H
