// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Option text, "top=3 names=a,b fast", to the structure that a pass declared,
// and back.
//
// Options are separated by space; none stands around '='. A value is bare, in
// quotes ('…' or "…", without escapes), or in braces, which may hold spaces,
// quotes and further braces. A list has commas between its values, each of them
// bare, quoted or braced; braces around all of it are optional, and {} is the
// empty list. A bool without value is true.

#ifndef MLIRPLUG_PIPELINE_OPTION_H
#define MLIRPLUG_PIPELINE_OPTION_H

#include "base/arena.h"
#include "base/error.h"

/// Reads `text` (what stands between the braces; null is "") by the pass's
/// table. The structure, its lists and strings are made in `arena`; it is
/// complete: what the text does not name has its default. An unknown option's
/// error names it and lists those there are; a bad value's names option, value
/// and what it wants. `*options` is null for a pass that takes none. A string
/// whose default is null stays null.
mlirplug_status option_parse(const mlirplug_pass_description *pass,
                             const char *text, struct arena *arena,
                             const void **options, mlirplug_error **error);

/// The text of `options`, a structure filled by option_parse: only what differs
/// from the defaults, in the order of the table, and quoted where needed, so
/// that it reads back to the same values. Made in `arena`, "" if all is
/// default; null if memory runs out.
const char *option_print(const mlirplug_pass_description *pass,
                         const void *options, struct arena *arena);

/// What kind of value `option` takes, for help and messages: "integer",
/// "list of strings", "one of fast, exact". Made in `arena`; null if memory
/// runs out.
const char *option_kind_text(const mlirplug_option *option,
                             struct arena *arena);

/// The default of `option` as it would be written; likewise.
const char *option_default_text(const mlirplug_option *option,
                                struct arena *arena);

#endif // MLIRPLUG_PIPELINE_OPTION_H
