// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose code a plugin is. Loading a plugin is running its code, so these checks
// stop accidents and other users; they do not judge the author.
//
// What is checked is owner and mode of a file, a directory or a symbolic link:
//
//   - root or the effective user owns it;
//   - no one else may write to it. A group may if it is the owner's private one
//     (account_group_is_private) and no access list lets in more users;
//   - a directory that others may write to passes if it is sticky: then they
//     can neither move nor replace what is not theirs;
//   - of a link only the owner counts: it cannot be written to, only replaced.

#ifndef MLIRPLUG_FIND_TRUST_H
#define MLIRPLUG_FIND_TRUST_H

#include "find/file.h"

/// How a file came to be considered.
enum trust_origin {
  /// By name, from the command line or the embedder: its own owner and mode
  /// count, for the user has chosen where it lies.
  TRUST_NAMED,
  /// By search, in a directory: every directory above it counts as well, and so
  /// does whatever its symbolic links lead through.
  TRUST_FOUND,
};

/// Checks an open file by the rule for its origin. TRUST_FOUND goes along
/// `file->path` again; if that does not end at the open file, because a link or
/// a name was given to another one, this is an error. The path may still change
/// afterwards: whoever loads it by name compares device and inode once more.
/// The error says which file, directory or link fails, its owner and mode, what
/// they should be, and the command that cures it; it is `untrusted`.
mlirplug_status trust_check(const struct file *file, enum trust_origin origin,
                            mlirplug_error **error);

/// The same for a file that is no plugin; `doing` begins the error: "cannot
/// trust the configuration".
mlirplug_status trust_check_as(const char *doing, const struct file *file,
                               enum trust_origin origin,
                               mlirplug_error **error);

/// The same as TRUST_FOUND for a directory that is about to be searched, which
/// is open; `path` is absolute and leads to it.
mlirplug_status trust_check_directory(const char *path, int descriptor,
                                      mlirplug_error **error);

/// True if a file with this status passes without a further look: it is ours or
/// root's, no link, and nobody else may write to it. False says nothing.
bool trust_is_plain(const struct stat *status);

#endif // MLIRPLUG_FIND_TRUST_H
