// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a pipeline a plugin pass can stand, and a tree put right.

#ifndef MLIRPLUG_PIPELINE_NESTING_H
#define MLIRPLUG_PIPELINE_NESTING_H

#include "pipeline/tree.h"

/// True if `pass` can run in a nest on `anchor`.
bool nesting_allows(const mlirplug_pass_description *pass, const char *anchor);

/// The anchor of a nest made for `pass`: its own if it has one that is the name
/// of an operation, else "any".
const char *nesting_own_anchor(const mlirplug_pass_description *pass);

/// True if all that keeps a pass from running in the innermost of `nests` (the
/// outermost first) is that it wants a nest of its own there.
bool nesting_would_help(const mlirplug_pass_description *pass,
                        struct pipeline_node *const *nests, size_t count);

/// A copy of the resolved tree `root` with each plugin pass where it can run:
/// in an enclosing nest that suits it, or else in a nest on its anchor
/// (nesting_own_anchor), which neighbours share. The copy may be one level
/// deeper. Made in `arena`; null if memory runs out.
struct pipeline_node *nesting_correct(const struct pipeline_node *root,
                                      struct arena *arena);

#endif // MLIRPLUG_PIPELINE_NESTING_H
