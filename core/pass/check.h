// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of a pipeline that need the context, and the errors of building one.

#ifndef MLIRPLUG_PASS_CHECK_H
#define MLIRPLUG_PASS_CHECK_H

#include "base/text.h"
#include "pass/place.h"

#define CHECK_ANY_ANCHOR "any"
#define CHECK_NAME "check the name and the options"

/// Refuses to build the session's pipeline. Always fails.
mlirplug_status build_refuse(const struct session *session, const char *found,
                             const char *expected, const char *remedy,
                             mlirplug_error **error);

/// Passes can be nested on operations that are registered and isolated from
/// above. On others MLIR takes the nest and runs nothing.
mlirplug_status check_anchor(const struct session *session, const char *anchor,
                             mlirplug_error **error);

/// Loads the dialects that a pass makes things of, and checks that the provider
/// can tell what it runs on.
mlirplug_status check_place(const struct place *place, mlirplug_error **error);

/// What to do about a pass that nobody has: a plugin may have one of a like
/// name, or one that was refused may have it.
void check_unknown_pass(const struct session *session, const char *name,
                        struct text *remedy);

/// What to do if the options of a pass of MLIR name a pass of a plugin that is
/// not in MLIR's registry; nothing if they do not.
void check_named_pass(const struct session *session, const char *options,
                      struct text *remedy);

#endif // MLIRPLUG_PASS_CHECK_H
