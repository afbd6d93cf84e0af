// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An error whose parts are put together piece by piece, as long as they need
// be.

#ifndef MLIRPLUG_PIPELINE_FAULT_H
#define MLIRPLUG_PIPELINE_FAULT_H

#include "base/error.h"
#include "base/text.h"

/// Parts as in mlirplug_error; an empty text is a part that does not apply.
struct fault {
  const char *doing;
  const char *subject;
  struct text found;
  struct text expected;
  struct text remedy;
};

/// Makes the error (see error_set) and releases the texts.
mlirplug_status fault_raise(struct fault *fault, mlirplug_error **error);

#endif // MLIRPLUG_PIPELINE_FAULT_H
