// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/account.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>

enum { size_at_first = 1024, size_at_most = 16 << 20 };

/// Where the strings of an entry of the system's lists lie.
struct room {
  char *bytes;
  size_t size;
};

static bool room_grow(struct room *room) {
  size_t size = room->size ? 2 * room->size : size_at_first;
  char *bytes = size <= size_at_most ? realloc(room->bytes, size) : NULL;
  if (!bytes)
    return false;
  room->bytes = bytes;
  room->size = size;
  return true;
}

static bool user_find(uid_t user, struct passwd *entry, struct room *room) {
  struct passwd *found = NULL;
  int problem = ERANGE;
  while (problem == ERANGE && room_grow(room))
    problem = getpwuid_r(user, entry, room->bytes, room->size, &found);
  return problem == 0 && found;
}

static bool group_find(gid_t group, struct group *entry, struct room *room) {
  struct group *found = NULL;
  int problem = ERANGE;
  while (problem == ERANGE && room_grow(room))
    problem = getgrgid_r(group, entry, room->bytes, room->size, &found);
  return problem == 0 && found;
}

void account_add_user(struct text *text, uid_t user) {
  struct passwd entry;
  struct room room = {0};
  if (user_find(user, &entry, &room))
    text_format(text, "%s (%u)", entry.pw_name, user);
  else
    text_format(text, "%u", user);
  free(room.bytes);
}

void account_add_group(struct text *text, gid_t group) {
  struct group entry;
  struct room room = {0};
  if (group_find(group, &entry, &room))
    text_format(text, "%s (%u)", entry.gr_name, group);
  else
    text_format(text, "%u", group);
  free(room.bytes);
}

static bool group_has_other_members(const struct group *group,
                                    const char *name) {
  for (char *const *member = group->gr_mem; *member; ++member)
    if (strcmp(*member, name) != 0)
      return true;
  return false;
}

bool account_group_is_private(gid_t group, uid_t owner) {
  struct passwd user;
  struct group its;
  struct room user_room = {0};
  struct room group_room = {0};
  bool is_private = user_find(owner, &user, &user_room) &&
                    user.pw_gid == group &&
                    group_find(group, &its, &group_room) &&
                    strcmp(its.gr_name, user.pw_name) == 0 &&
                    !group_has_other_members(&its, user.pw_name);
  free(user_room.bytes);
  free(group_room.bytes);
  return is_private;
}
