// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the tool was started. It parses its command line itself; this only looks
// for flags that mean something for plugins, as LLVM's parser would read them.

#ifndef MLIRPLUG_STOCK_COMMAND_H
#define MLIRPLUG_STOCK_COMMAND_H

#include "base/text.h"

/// The words of the command line of this process, a NUL behind each. Empty if
/// it cannot be read.
void command_read(struct text *words);

/// Whether there is -flag or --flag, with a value (=…) or without.
bool command_has_flag(const struct text *words, const char *flag);

/// Whether --flag was given `value`, alone or in a list: --flag=a,value, or
/// "--flag value".
bool command_has_value(const struct text *words, const char *flag,
                       const char *value);

/// Tells the user who has written a pass of a plugin where the tool takes only
/// those of its own what to write instead. `is_early` if the tool did not have
/// read its arguments when the pass was entered. `anchored` is a pipeline with
/// it.
void command_tell(const struct text *words, const char *pass, bool is_early,
                  const char *anchored);

#endif // MLIRPLUG_STOCK_COMMAND_H
