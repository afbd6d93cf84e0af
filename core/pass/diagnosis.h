// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Diagnostics of plugins, with their notes. MLIR attaches notes to a diagnostic
// before it sends it, and plugins send one after the other: so one is kept
// until it is known whether notes follow.

#ifndef MLIRPLUG_PASS_DIAGNOSIS_H
#define MLIRPLUG_PASS_DIAGNOSIS_H

#include "pass/frame.h"

/// Sends a diagnostic of the frame's pass, now or with the next one or at the
/// end of the frame. A note belongs to the diagnostic before it.
void diagnosis_add(struct frame *frame, MlirLocation location, int32_t severity,
                   MlirStringRef text);

/// Sends what is kept.
void diagnosis_flush(struct frame *frame);

#endif // MLIRPLUG_PASS_DIAGNOSIS_H
