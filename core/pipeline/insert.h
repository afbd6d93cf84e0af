// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes put into a pipeline that somebody else wrote.

#ifndef MLIRPLUG_PIPELINE_INSERT_H
#define MLIRPLUG_PIPELINE_INSERT_H

#include "pipeline/tree.h"

/// Inserts what `request` asks for into the tree `root`, which was parsed from
/// `text`. New plugin passes stand where they can run, or are refused; only
/// their names are looked at, so the tree is printed and resolved anew. Calls
/// `tell`, unless null, with a line about what could have been meant otherwise.
/// After a failure the tree is of no use. Errors name the request.
mlirplug_status
pipeline_tree_insert(struct pipeline_node *root, const char *text,
                     const char *request, const struct pipeline_lookup *lookup,
                     void (*tell)(void *user_data, const char *line),
                     void *user_data, struct arena *arena,
                     mlirplug_error **error);

#endif // MLIRPLUG_PIPELINE_INSERT_H
