// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The users and groups that files belong to.

#ifndef MLIRPLUG_FIND_ACCOUNT_H
#define MLIRPLUG_FIND_ACCOUNT_H

#include "base/text.h"

#include <sys/types.h>

/// Adds "alice (1000)", or "1000" for one without a name.
void account_add_user(struct text *text, uid_t user);
void account_add_group(struct text *text, gid_t group);

/// True if nobody but `owner` is in `group`, as far as that can be told: it is
/// the owner's primary group, is called like the owner, and lists no other
/// member. The name counts because the list leaves out those who have the group
/// as their primary one: where all users share "users", it is empty as well.
/// False also if the system does not know the group or the owner.
bool account_group_is_private(gid_t group, uid_t owner);

#endif // MLIRPLUG_FIND_ACCOUNT_H
