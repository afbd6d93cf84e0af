// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line. One table says which options there are, what they take and
// what they mean; parsing, checks and help all come from it.

#ifndef MLIRPLUG_CLI_ARGUMENTS_H
#define MLIRPLUG_CLI_ARGUMENTS_H

#include "cli/console.h"

#include <stdio.h>

/// The subcommands, as bits: an option may belong to several.
enum argument_command {
  ARGUMENT_OPT = 1,
  ARGUMENT_LIST = 2,
  ARGUMENT_INFO = 4,
  ARGUMENT_DOCTOR = 8,
  ARGUMENT_TRUST = 16,
  ARGUMENT_SIGN = 32,
};

struct argument_texts {
  const char **items;
  size_t count;
};

/// A pass asked for like an option: --my-pass or --my-pass=top=3.
struct argument_pass {
  const char *written; ///< The whole argument.
  char *name;          ///< Owned.
  const char *options; ///< What follows the '=', or null.
};

struct argument_passes {
  struct argument_pass *items;
  size_t count;
};

/// Everything that was asked for. Strings are those of the command line.
struct arguments {
  enum argument_command command;
  struct argument_texts inputs;
  struct argument_texts plugins;
  struct argument_texts directories; ///< Of plugins.
  struct argument_passes passes;     ///< In the order they were written.
  const char *pipeline;
  const char *output;
  const char *records;
  const char *provider;
  const char *configuration;
  const char *key_directory;
  const char *key;
  const char *new_key;
  const char *password_file;
  const char *comment;
  bool allow_unregistered_dialect;
  bool emit_bytecode;
  bool print_generic;
  bool print_debuginfo;
  bool disable_threading;
  bool verify_each;
  bool pass_statistics;
  bool list_passes;
  bool no_default_plugins;
  bool no_configuration;
  bool trust_any;
  bool require_signature;
  bool no_password;
  bool no_cache;
  bool list_trusted;
  bool remove_trusted;
  bool json;
  bool debug;
  bool help;
  bool version;
};

/// Reads what follows the subcommand. False after saying what is wrong.
bool arguments_parse(enum argument_command command, int count, char **texts,
                     struct arguments *arguments, struct console *console);
void arguments_release(struct arguments *arguments);

/// The options of a subcommand, for its help.
void arguments_describe(enum argument_command command, FILE *stream);

/// The names of the options of `command`, by numbers from 0; null behind the
/// last.
const char *arguments_name(enum argument_command command, size_t number);

/// The option of `command` that `name` may have been meant to be, or null.
struct suggestion;
void arguments_suggest(enum argument_command command, const char *name,
                       struct suggestion *suggestion);

#endif // MLIRPLUG_CLI_ARGUMENTS_H
