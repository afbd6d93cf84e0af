// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics from process to process: a digit for the severity, then strings:
// location and text of the diagnostic, location and text of each note.

#ifndef MLIRPLUG_ISOLATE_DIAGNOSTIC_H
#define MLIRPLUG_ISOLATE_DIAGNOSTIC_H

#include "base/text.h"
#include "isolate/functions.h"

/// Adds what is sent.
void diagnostic_write(const struct isolate_functions *functions,
                      MlirDiagnostic diagnostic, struct text *text);

/// Sends to the handlers of `location`'s context what was read; a location that
/// cannot be had there becomes `location`. False if it is no diagnostic.
bool diagnostic_emit(const struct isolate_functions *functions,
                     const struct provider_api *api, MlirContext context,
                     MlirLocation location, const char *bytes, size_t length,
                     bool *is_error);

#endif // MLIRPLUG_ISOLATE_DIAGNOSTIC_H
