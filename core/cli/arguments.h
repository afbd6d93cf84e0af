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

/// A setting of MLIR itself, by the name that mlir-opt has for it.
struct argument_setting {
  const char *name;
  const char *value;
};

struct argument_settings {
  struct argument_setting *items;
  size_t count;
};

/// Everything that was asked for. Strings are those of the command line.
struct arguments {
  enum argument_command command;
  struct argument_texts inputs;
  struct argument_texts plugins;
  struct argument_texts directories; ///< Of plugins.
  struct argument_texts insertions;  ///< Requests to insert passes.
  struct argument_passes passes;     ///< In the order they were written.
  struct argument_settings settings;
  struct argument_texts dialect_plugins;
  const char *split_marker;       ///< Null: not to split.
  const char *output_marker;      ///< Null: the usual one.
  const char *verify_diagnostics; ///< Null: not to.
  const char *bytecode_version;
  const char *irdl_file;
  const char *verbosity;
  const char *remarks; ///< Which; null for none. So are the following four.
  const char *remarks_passed;
  const char *remarks_missed;
  const char *remarks_analysis;
  const char *remarks_failed;
  const char *remarks_output;
  const char *remark_format;
  const char *remark_policy;
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
  const char *pass_timeout;
  const char *isolate_memory;
  const char *diagnostics;
  const char *object_header;
  const char *object_level;
  const char *target;
  const char *cpu;
  const char *features;
  const char *crash_reproducer;
  const char *generate_reproducer;
  bool allow_unregistered_dialect;
  bool emit_bytecode;
  bool emit_object;
  bool emit_assembly;
  bool print_generic;
  bool print_debuginfo;
  bool disable_threading;
  bool verify_each;
  bool verify_roundtrip;
  bool no_implicit_module;
  bool unverified; ///< What was read need not be right.
  bool show_dialects;
  bool elide_resource_data;
  bool no_notes;
  struct argument_texts print_ir_before;
  struct argument_texts print_ir_after;
  const char *print_ir_tree;
  bool print_ir_before_all;
  bool print_ir_after_all;
  bool print_ir_after_change;
  bool print_ir_after_failure;
  bool print_ir_whole;
  bool dump_pass_pipeline;
  bool timing;
  const char *timing_display; ///< "list", "tree" or null.
  const char *output_format;  ///< "text", "json" or null.
  bool pass_statistics;
  const char *statistics_display; ///< "list", "pipeline" or null.
  const char *log_actions;
  const char *profile_actions;
  struct argument_texts action_filters;
  struct argument_texts debug_counters;
  bool debugger_hook;
  bool print_counters;
  bool local_reproducer;
  bool run_reproducer;
  bool isolate;
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

/// What parts of a file stand between, "// -----".
extern const char argument_split_marker[];

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
