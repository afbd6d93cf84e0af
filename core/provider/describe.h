// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What there is to say of a copy of MLIR.

#ifndef MLIRPLUG_PROVIDER_DESCRIBE_H
#define MLIRPLUG_PROVIDER_DESCRIBE_H

#include "provider/binding.h"

/// Describes `binding`, by looking for every function that the ledger knows.
/// The result is destroyed with provider_description_destroy.
mlirplug_status provider_describe(const struct binding *binding,
                                  mlirplug_provider_description **description,
                                  mlirplug_error **error);

/// `description` may be null.
void provider_description_destroy(mlirplug_provider_description *description);

#endif // MLIRPLUG_PROVIDER_DESCRIBE_H
