// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR from process to process: as bytecode there, and what comes back into the
// operation that it was made of.

#ifndef MLIRPLUG_ISOLATE_TRANSFER_IR_H
#define MLIRPLUG_ISOLATE_TRANSFER_IR_H

#include "base/text.h"
#include "isolate/functions.h"

/// Writes `root` as bytecode. False if MLIR writes none, or memory runs out.
bool ir_write(const struct isolate_functions *functions, MlirOperation root,
              struct text *bytes);

/// Parses it; `bytes` begin on a page. Null after a diagnostic.
MlirOperation ir_read(const struct isolate_functions *functions,
                      MlirContext context, const void *bytes, size_t length);

/// Puts the regions and attributes of `from`, an operation of the same name,
/// into `root`, and destroys `from`. False if the two do not fit together.
bool ir_take_over(const struct isolate_functions *functions,
                  const struct provider_api *api, MlirOperation root,
                  MlirOperation from);

/// Adds the text of a location, "loc("x.mlir":1:2)", and makes one of it; null
/// if it is none.
void location_write(const struct isolate_functions *functions,
                    MlirLocation location, struct text *text);
MlirLocation location_read(const struct isolate_functions *functions,
                           MlirContext context, const char *text);

#endif // MLIRPLUG_ISOLATE_TRANSFER_IR_H
