// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// As many as the kernel follows.
enum { links_at_most = 40 };

static void descriptor_close(int *descriptor) {
  if (*descriptor >= 0)
    close(*descriptor);
  *descriptor = -1;
}

bool walk_begin(struct walk *walk, const char *path) {
  *walk = (struct walk){.descriptor = -1, .directory = -1};
  walk->rest = walk->next = strdup(path);
  if (!walk->rest)
    walk->problem = ENOMEM;
  return walk->rest;
}

void walk_end(struct walk *walk) {
  descriptor_close(&walk->descriptor);
  descriptor_close(&walk->directory);
  text_release(&walk->path);
  free(walk->rest);
  walk->rest = NULL;
}

/// Takes the last name off where it is; the root stays.
static void path_pop(struct text *path) {
  while (path->length > 1 && path->bytes[path->length - 1] != '/')
    --path->length;
  if (path->length > 1)
    --path->length;
  path->bytes[path->length] = '\0';
}

static void path_push(struct text *path, const char *name) {
  if (strcmp(name, "..") == 0) {
    path_pop(path);
    return;
  }
  if (path->length > 1)
    text_add(path, "/");
  text_add(path, name);
}

/// The next name of the rest, null at its end. "." is nowhere else.
static char *name_take(struct walk *walk) {
  for (;;) {
    walk->next += strspn(walk->next, "/");
    if (!*walk->next)
      return NULL;
    char *name = walk->next;
    walk->next += strcspn(name, "/");
    if (*walk->next)
      *walk->next++ = '\0';
    if (strcmp(name, ".") != 0)
      return name;
  }
}

/// Goes to `name` in `directory`.
static int step_open(struct walk *walk, int directory, const char *name) {
  walk->descriptor = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (walk->descriptor < 0 || fstat(walk->descriptor, &walk->status) != 0)
    return errno;
  return walk->path.failed ? ENOMEM : 0;
}

static int root_open(struct walk *walk) {
  walk->path.length = 0;
  text_add(&walk->path, "/");
  return step_open(walk, AT_FDCWD, "/");
}

/// Puts what the link says before the rest and goes back to where that begins:
/// the directory that the link lies in, or before the root.
static int link_follow(struct walk *walk) {
  if (++walk->links > links_at_most)
    return ELOOP;
  char target[PATH_MAX + 1];
  ssize_t length = readlinkat(walk->descriptor, "", target, sizeof target);
  if (length < 0)
    return errno;
  if (length == 0)
    return ENOENT;
  if ((size_t)length == sizeof target)
    return ENAMETOOLONG;
  char *rest = NULL;
  if (asprintf(&rest, "%.*s/%s", (int)length, target, walk->next) < 0)
    return ENOMEM;
  free(walk->rest);
  walk->rest = walk->next = rest;
  descriptor_close(&walk->descriptor);
  if (target[0] == '/') {
    descriptor_close(&walk->directory);
    return 0;
  }
  path_pop(&walk->path);
  walk->descriptor = walk->directory;
  walk->directory = -1;
  return fstat(walk->descriptor, &walk->status) == 0 ? 0 : errno;
}

/// 0, or an errno; `*at_end` is set instead of going on.
static int step(struct walk *walk, bool *at_end) {
  if (walk->descriptor >= 0 && S_ISLNK(walk->status.st_mode)) {
    int problem = link_follow(walk);
    if (problem)
      return problem;
  }
  if (walk->descriptor < 0 && walk->directory < 0)
    return root_open(walk);
  const char *name = name_take(walk);
  if (!name) {
    *at_end = true;
    return 0;
  }
  if (walk->descriptor >= 0) {
    descriptor_close(&walk->directory);
    walk->directory = walk->descriptor;
    walk->descriptor = -1;
  }
  path_push(&walk->path, name);
  return step_open(walk, walk->directory, name);
}

bool walk_next(struct walk *walk) {
  bool at_end = false;
  walk->problem = step(walk, &at_end);
  return !walk->problem && !at_end;
}
