// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's directories by the XDG Base Directory Specification.

#ifndef MLIRPLUG_FIND_HOME_H
#define MLIRPLUG_FIND_HOME_H

enum home_kind {
  HOME_DATA,   ///< $XDG_DATA_HOME, by default ~/.local/share
  HOME_CONFIG, ///< $XDG_CONFIG_HOME, by default ~/.config
  HOME_STATE,  ///< $XDG_STATE_HOME, by default ~/.local/state
  HOME_CACHE,  ///< $XDG_CACHE_HOME, by default ~/.cache
};

/// mlirplug's part of a directory, ".../mlirplug/BELOW", to be freed; absolute
/// and without a slash at its end. The specification wants a relative variable
/// ignored; so is a relative HOME.
///
/// Null with errno ENOENT if there is none, as in a process with more rights
/// than its user (AT_SECURE), or ENOMEM. Reads the environment.
char *home_path(enum home_kind kind, const char *below);

#endif // MLIRPLUG_FIND_HOME_H
