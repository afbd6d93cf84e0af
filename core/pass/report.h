// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sending diagnostics through MLIR, so that they reach the handlers of the
// context in the order in which a run without threads would send them.

#ifndef MLIRPLUG_PASS_REPORT_H
#define MLIRPLUG_PASS_REPORT_H

#include "provider/api.h"

/// An error at `location`.
__attribute__((format(printf, 3, 4))) void
report_error(const struct provider_api *api, MlirLocation location,
             const char *format, ...);

/// A diagnostic of any severity. Where the provider can only send errors, the
/// others become errors that say what they are.
void report(const struct provider_api *api, MlirLocation location,
            int32_t severity, const char *text, size_t length);

/// The same with notes. Where none can be attached, they are sent behind it.
struct report_note {
  MlirLocation location;
  MlirStringRef text;
};
void report_with_notes(const struct provider_api *api, MlirLocation location,
                       int32_t severity, MlirStringRef text,
                       const struct report_note *notes, size_t count);

#endif // MLIRPLUG_PASS_REPORT_H
