// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Going along a path as the kernel does, one name at a time: whoever can change
// a directory or a symbolic link on the way decides which file is at its end.
//
//     struct walk walk = {0};
//     if (walk_begin(&walk, path))
//       while (walk_next(&walk))
//         look at walk.path and walk.status;
//     walk.problem says why it ended; walk.status is of the end
//     walk_end(&walk);

#ifndef MLIRPLUG_FIND_WALK_H
#define MLIRPLUG_FIND_WALK_H

#include "base/text.h"

#include <sys/stat.h>

struct walk {
  struct text path;   ///< Where it is: absolute, without links above it.
  struct stat status; ///< Of what is there: a directory, a link, or the end.
  int descriptor;     ///< Of the same (O_PATH).
  int problem;        ///< An errno, 0 if there was none.
  int directory;      ///< The one it is in; -1 at the root.
  char *rest;         ///< What is still to go; begins at `next`.
  char *next;
  unsigned links; ///< Followed so far.
};

/// Begins at the root; `path` is absolute, of any length. False if memory runs
/// out.
bool walk_begin(struct walk *walk, const char *path);

/// Goes to the next directory or link, the first being the root. False at the
/// end and when it cannot go on.
bool walk_next(struct walk *walk);

void walk_end(struct walk *walk);

#endif // MLIRPLUG_FIND_WALK_H
