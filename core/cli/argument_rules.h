// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of options: which there are, what they take and what they mean.

#ifndef MLIRPLUG_CLI_ARGUMENT_RULES_H
#define MLIRPLUG_CLI_ARGUMENT_RULES_H

#include "cli/arguments.h"

/// An ONLY takes one word, which is its `value`, and sets a bool. A CHOICE is a
/// TEXT that takes one of the words of its `value`, "list|tree". An EMPTY is a
/// TEXT that may be empty, and the last one counts. A MAYBE may stand without a
/// value. SET and SET_NUMBER are switches and numbers for MLIR itself.
enum argument_kind {
  SWITCH,
  ONLY,
  CHOICE,
  TEXT,
  TEXTS,
  EMPTY,
  MAYBE,
  SET,
  SET_NUMBER,
};

struct argument_rule {
  const char *name; ///< Without dashes.
  enum argument_kind kind;
  unsigned commands; ///< Bits of enum argument_command.
  size_t offset;     ///< Of the field in struct arguments.
  const char *value; ///< What it takes, for help; null for a switch.
  const char *help;  ///< Null for a second name, which help does not show.
};

/// The subcommands that search for plugins.
#define ARGUMENTS_SEARCH (ARGUMENT_OPT | ARGUMENT_LIST | ARGUMENT_DOCTOR)

/// In the order in which help shows them.
extern const struct argument_rule argument_rules[];
extern const size_t argument_rule_count;

/// The rule of `command` for the `length` bytes at `name`, or null.
const struct argument_rule *argument_rule_find(enum argument_command command,
                                               const char *name, size_t length);

#endif // MLIRPLUG_CLI_ARGUMENT_RULES_H
