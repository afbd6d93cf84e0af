// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands in messages, which people copy: a file name stays one word, whatever
// bytes its owner put in it.

#ifndef MLIRPLUG_BASE_SHELL_H
#define MLIRPLUG_BASE_SHELL_H

#include "base/text.h"

/// Adds `word` in single quotes, so that a shell takes it for what it is.
void shell_add_word(struct text *text, const char *word);

#endif // MLIRPLUG_BASE_SHELL_H
