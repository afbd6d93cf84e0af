// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of some names was meant by one that is none of them.

#ifndef MLIRPLUG_CLI_SUGGEST_H
#define MLIRPLUG_CLI_SUGGEST_H

#include <stddef.h>

/// The best candidate so far; `name` is null while none is close enough.
struct suggestion {
  const char *name;
  size_t distance;
};

/// Takes `candidate` if it is closer to `written` than what there is.
void suggestion_consider(struct suggestion *suggestion, const char *written,
                         const char *candidate);

#endif // MLIRPLUG_CLI_SUGGEST_H
