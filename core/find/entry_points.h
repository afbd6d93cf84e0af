// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a Python distribution's metadata: entry_points.txt, METADATA.

#ifndef MLIRPLUG_FIND_ENTRY_POINTS_H
#define MLIRPLUG_FIND_ENTRY_POINTS_H

#include <stdbool.h>
#include <stddef.h>

/// A part of a text, not terminated.
struct piece {
  const char *begin;
  size_t length;
};

/// The entry points of a group, one after the other.
struct entry_points {
  const char *rest;  ///< The text from here on; at first all of it.
  const char *group; ///< "mlirplug.plugins"
  bool within;       ///< The group; at first false.
};

/// Finds the next one. `value` is what it stands for, without extras ("[…]").
/// False behind the last.
bool entry_points_next(struct entry_points *points, struct piece *value);

/// True for the name of a module: letters, digits and '_', and between them
/// dots, so that as a path it leads nowhere but down.
bool entry_points_is_module(struct piece value);

/// The value of the field `name` in the header of METADATA or PKG-INFO; empty
/// if it is not there.
struct piece metadata_field(const char *text, const char *name);

#endif // MLIRPLUG_FIND_ENTRY_POINTS_H
