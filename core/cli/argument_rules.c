// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/argument_rules.h"

#include "cli/suggest.h"

#include <string.h>

const char argument_split_marker[] = "// -----";

#define FIELD(name) offsetof(struct arguments, name)
#define ANY                                                                    \
  (ARGUMENT_OPT | ARGUMENT_LIST | ARGUMENT_INFO | ARGUMENT_DOCTOR |            \
   ARGUMENT_TRUST | ARGUMENT_SIGN)

const struct argument_rule argument_rules[] = {
    {"load-pass-plugin", TEXTS, ARGUMENTS_SEARCH, FIELD(plugins), "FILE",
     "Use the passes of this plugin (may be repeated)"},
    {"plugin-dir", TEXTS, ARGUMENTS_SEARCH, FIELD(directories), "DIR",
     "Use the plugins in this directory (*.so; may be repeated)"},
    {"config", TEXT, ARGUMENTS_SEARCH, FIELD(configuration), "FILE",
     "Use the plugins that this configuration file names, instead of a "
     "mlirplug.json found beside the input or above that you trust (mlirplug "
     "trust)"},
    {"no-config", SWITCH, ARGUMENTS_SEARCH, FIELD(no_configuration), NULL,
     "Do not look for a mlirplug.json"},
    {"list", SWITCH, ARGUMENT_TRUST, FIELD(list_trusted), NULL,
     "List the configuration files that you trust"},
    {"remove", SWITCH, ARGUMENT_TRUST, FIELD(remove_trusted), NULL,
     "Trust those in the directories no longer"},
    {"no-default-plugins", SWITCH, ARGUMENTS_SEARCH, FIELD(no_default_plugins),
     NULL,
     "Do not search the directories where plugins are installed (MLIRPLUG_PATH "
     "and others: 'mlirplug list' shows them)"},
    {"no-cache", SWITCH, ARGUMENTS_SEARCH, FIELD(no_cache), NULL,
     "Read every plugin file anew, and keep nothing for the next time"},
    {"trust", ONLY, ARGUMENTS_SEARCH, FIELD(trust_any), "any",
     "Use plugins that other users may have written or can change"},
    {"require-signature", SWITCH, ARGUMENTS_SEARCH, FIELD(require_signature),
     NULL,
     "Use only plugins that are signed (mlirplug sign) by a key in a directory "
     "of keys"},
    {"key-dir", TEXT, ARGUMENTS_SEARCH | ARGUMENT_INFO, FIELD(key_directory),
     "DIR",
     "The directory of keys (*.pub; default: ~/.config/mlirplug/keys and "
     "/etc/mlirplug/keys)"},
    {"key", TEXT, ARGUMENT_SIGN, FIELD(key), "FILE",
     "Sign the plugins with this secret key"},
    {"comment", TEXT, ARGUMENT_SIGN, FIELD(comment), "TEXT",
     "Sign this line too (default: the time and the name of the file)"},
    {"new-key", TEXT, ARGUMENT_SIGN, FIELD(new_key), "NAME",
     "Make a new pair of keys: NAME.key and NAME.pub"},
    {"no-password", SWITCH, ARGUMENT_SIGN, FIELD(no_password), NULL,
     "Do not encrypt the new key"},
    {"password-file", TEXT, ARGUMENT_SIGN, FIELD(password_file), "FILE",
     "Take the password from the first line of FILE, instead of asking"},
    {"pass-pipeline", TEXT, ARGUMENT_OPT, FIELD(pipeline), "TEXT",
     "Run a pipeline: 'builtin.module(func.func(my-pass{top=3}),cse)'"},
    {"p", TEXT, ARGUMENT_OPT, FIELD(pipeline), "TEXT", NULL},
    {"insert", TEXTS, ARGUMENT_OPT, FIELD(insertions), "WHERE:PASS",
     "Insert a pass into the pipeline: after:cse:my-pass{top=3}, "
     "after:cse#2:my-pass, before:cse:my-pass, start:my-pass, end:my-pass, or "
     "each:my-pass, behind every pass where it can run (may be repeated)"},
    {"o", TEXT, ARGUMENT_OPT, FIELD(output), "FILE",
     "Write the IR to FILE, or to DIR/ with one file for each input; "
     "'-' is standard output"},
    {"records", TEXT, ARGUMENT_OPT, FIELD(records), "FILE",
     "Write the records of analysis passes, a line of JSON each; with '-' they "
     "get standard output, and IR is written only where -o says"},
    {"emit-bytecode", SWITCH, ARGUMENT_OPT, FIELD(emit_bytecode), NULL,
     "Write bytecode instead of text"},
    {"emit-bytecode-version", TEXT, ARGUMENT_OPT, FIELD(bytecode_version), "N",
     "Write bytecode of this version"},
    {"elide-resource-data-from-bytecode", SWITCH, ARGUMENT_OPT,
     FIELD(elide_resource_data), NULL, "Leave the data of resources out of it"},
    {"emit-object", SWITCH, ARGUMENT_OPT, FIELD(emit_object), NULL,
     "Lower what the passes leave to machine code, and write an object file"},
    {"emit-assembly", SWITCH, ARGUMENT_OPT, FIELD(emit_assembly), NULL,
     "The same as the text of an assembler"},
    {"object-header", TEXT, ARGUMENT_OPT, FIELD(object_header), "FILE",
     "Write the C header of its functions to FILE"},
    {"object-level", CHOICE, ARGUMENT_OPT, FIELD(object_level),
     "O0|O1|O2|O3|Os", "Optimize it so much (default: O3)"},
    {"target", TEXT, ARGUMENT_OPT, FIELD(target), "TRIPLE",
     "The machine it is for: x86_64-linux-gnu, aarch64-linux-gnu (default: "
     "this one)"},
    {"cpu", TEXT, ARGUMENT_OPT, FIELD(cpu), "NAME",
     "Its processor, as LLVM calls it, or native (default: this one's, or any "
     "of the target)"},
    {"features", TEXT, ARGUMENT_OPT, FIELD(features), "LIST",
     "What the processor has or lacks besides: +sve,-fp16fml"},
    {"split-input-file", MAYBE, ARGUMENT_OPT, FIELD(split_marker), "MARKER",
     "Cut each input at its lines '// -----', or at MARKER, and treat the "
     "parts "
     "as files of their own"},
    {"output-split-marker", EMPTY, ARGUMENT_OPT, FIELD(output_marker), "MARKER",
     "What stands between their outputs (default: '// -----')"},
    {"verify-diagnostics", MAYBE, ARGUMENT_OPT, FIELD(verify_diagnostics),
     "LEVEL",
     "Compare the diagnostics with the 'expected-error {{text}}' and such in "
     "the input, on the lines they stand on: all (default), or only-expected"},
    {"verify-roundtrip", SWITCH, ARGUMENT_OPT, FIELD(verify_roundtrip), NULL,
     "Write what was read and read it again, as text and as bytecode, and fail "
     "if it is not the same"},
    {"no-implicit-module", SWITCH, ARGUMENT_OPT, FIELD(no_implicit_module),
     NULL, "Put no module around an input that has none"},
    {"mlir-very-unsafe-disable-verifier-on-parsing", SWITCH, ARGUMENT_OPT,
     FIELD(unverified), NULL, "Do not verify what was read"},
    {"show-dialects", SWITCH, ARGUMENT_OPT, FIELD(show_dialects), NULL,
     "List the dialects, and stop"},
    {"irdl-file", TEXT, ARGUMENT_OPT, FIELD(irdl_file), "FILE",
     "Use the dialects that this file defines in IRDL"},
    {"load-dialect-plugin", TEXTS, ARGUMENT_OPT, FIELD(dialect_plugins), "FILE",
     "Use the dialects of this C++ plugin of MLIR (--provider=shared)"},
    {"allow-unregistered-dialect", SWITCH, ARGUMENT_OPT,
     FIELD(allow_unregistered_dialect), NULL,
     "Accept operations of dialects that are not known"},
    {"verify-each", SWITCH, ARGUMENT_OPT, FIELD(verify_each), NULL,
     "Verify the IR after each pass (default: true)"},
    {"mlir-print-op-generic", SWITCH, ARGUMENT_OPT, FIELD(print_generic), NULL,
     "Print every operation in its generic form"},
    {"mlir-print-debuginfo", SWITCH, ARGUMENT_OPT, FIELD(print_debuginfo), NULL,
     "Print locations"},
    {"mlir-pretty-debuginfo", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print locations in a form for readers"},
    {"mlir-elide-elementsattrs-if-larger", SET_NUMBER, ARGUMENT_OPT,
     FIELD(settings), "N", "Do not print constants of more than N elements"},
    {"mlir-elide-resource-strings-if-larger", SET_NUMBER, ARGUMENT_OPT,
     FIELD(settings), "N", "Do not print resources of more than N characters"},
    {"mlir-print-elementsattrs-with-hex-if-larger", SET_NUMBER, ARGUMENT_OPT,
     FIELD(settings), "N",
     "Print constants of more than N elements in hexadecimal (-1: none)"},
    {"mlir-print-local-scope", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print no aliases, all in place"},
    {"mlir-print-value-users", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print the users of each value in a comment"},
    {"mlir-print-unique-ssa-ids", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print each value with a number of its own"},
    {"mlir-print-skip-regions", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print no regions"},
    {"mlir-use-nameloc-as-prefix", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print values with the names that their locations have"},
    {"mlir-print-assume-verified", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Print without looking whether the IR is right"},
    {"mlir-print-op-on-diagnostic", SET, ARGUMENT_OPT, FIELD(settings), NULL,
     "Show the operation with each diagnostic about one (default: true)"},
    {"mlir-print-stacktrace-on-diagnostic", SET, ARGUMENT_OPT, FIELD(settings),
     NULL, "Show with each diagnostic where in the program it comes from"},
    {"mlir-disable-diagnostic-notes", SWITCH, ARGUMENT_OPT, FIELD(no_notes),
     NULL, "Show diagnostics without their notes"},
    {"mlir-diagnostic-verbosity-level", TEXT, ARGUMENT_OPT, FIELD(verbosity),
     "LEVEL", "Show only errors, warnings too, or remarks too (default)"},
    {"remarks-filter", TEXT, ARGUMENT_OPT, FIELD(remarks), "REGEX",
     "Show all optimization remarks whose category fits REGEX"},
    {"remarks-filter-passed", TEXT, ARGUMENT_OPT, FIELD(remarks_passed),
     "REGEX", "Show those about what was done"},
    {"remarks-filter-missed", TEXT, ARGUMENT_OPT, FIELD(remarks_missed),
     "REGEX", "Show those about what was not done"},
    {"remarks-filter-failed", TEXT, ARGUMENT_OPT, FIELD(remarks_failed),
     "REGEX", "Show those about what could not be done"},
    {"remarks-filter-analyse", TEXT, ARGUMENT_OPT, FIELD(remarks_analysis),
     "REGEX", "Show those about what was found"},
    {"remark-format", TEXT, ARGUMENT_OPT, FIELD(remark_format), "FORMAT",
     "Show remarks as diagnostics (emitRemark, the default), or write them to "
     "a file (yaml or bitstream)"},
    {"remarks-output-file", TEXT, ARGUMENT_OPT, FIELD(remarks_output), "FILE",
     "The file (default: mlir-remarks.yaml or mlir-remarks.bitstream)"},
    {"remark-policy", TEXT, ARGUMENT_OPT, FIELD(remark_policy), "POLICY",
     "Show all remarks (default), or of those about one thing the last one "
     "(final)"},
    {"mlir-disable-threading", SWITCH, ARGUMENT_OPT, FIELD(disable_threading),
     NULL, "Work on one thread"},
    {"mlir-print-ir-before", TEXTS, ARGUMENT_OPT, FIELD(print_ir_before),
     "PASSES",
     "Show the IR on standard error in front of these passes, of plugins or of "
     "MLIR (a,b; may be repeated)"},
    {"mlir-print-ir-after", TEXTS, ARGUMENT_OPT, FIELD(print_ir_after),
     "PASSES", "Show it behind these passes"},
    {"mlir-print-ir-before-all", SWITCH, ARGUMENT_OPT,
     FIELD(print_ir_before_all), NULL, "Show it in front of each pass"},
    {"mlir-print-ir-after-all", SWITCH, ARGUMENT_OPT, FIELD(print_ir_after_all),
     NULL, "Show it behind each pass"},
    {"mlir-print-ir-after-change", SWITCH, ARGUMENT_OPT,
     FIELD(print_ir_after_change), NULL,
     "Behind passes, show it only if they changed it"},
    {"mlir-print-ir-after-failure", SWITCH, ARGUMENT_OPT,
     FIELD(print_ir_after_failure), NULL,
     "Behind passes, show it only if they failed"},
    {"mlir-print-ir-module-scope", SWITCH, ARGUMENT_OPT, FIELD(print_ir_whole),
     NULL,
     "Show all of it, not only what the pass runs on (with "
     "--mlir-disable-threading)"},
    {"mlir-print-ir-tree-dir", TEXT, ARGUMENT_OPT, FIELD(print_ir_tree), "DIR",
     "Write it to files in this directory instead, one for each pass and "
     "operation"},
    {"dump-pass-pipeline", SWITCH, ARGUMENT_OPT, FIELD(dump_pass_pipeline),
     NULL, "Show the pipeline on standard error, with all options"},
    {"mlir-timing", SWITCH, ARGUMENT_OPT, FIELD(timing), NULL,
     "Show on standard error at the end how long passes took"},
    {"mlir-timing-display", CHOICE, ARGUMENT_OPT, FIELD(timing_display),
     "list|tree", "Sorted by time, or as they ran (default)"},
    {"mlir-output-format", CHOICE, ARGUMENT_OPT, FIELD(output_format),
     "text|json", "The form of --mlir-timing"},
    {"mlir-pass-statistics", SWITCH, ARGUMENT_OPT, FIELD(pass_statistics), NULL,
     "Show on standard error at the end what passes have counted, and what was "
     "measured of those that count nothing"},
    {"mlir-pass-statistics-display", CHOICE, ARGUMENT_OPT,
     FIELD(statistics_display), "list|pipeline",
     "Sorted by name, or as in the pipeline (default)"},
    {"log-actions-to", TEXT, ARGUMENT_OPT, FIELD(log_actions), "FILE",
     "Log each action of MLIR, such as a pass on an operation ('-': standard "
     "output)"},
    {"log-mlir-actions-filter", TEXTS, ARGUMENT_OPT, FIELD(action_filters),
     "FILE:LINE:COLUMN", "Log only those on operations from there"},
    {"profile-actions-to", TEXT, ARGUMENT_OPT, FIELD(profile_actions), "FILE",
     "Write the times of actions, as chrome://tracing reads them"},
    {"mlir-enable-debugger-hook", SWITCH, ARGUMENT_OPT, FIELD(debugger_hook),
     NULL, "Let a debugger stop at actions"},
    {"mlir-debug-counter", TEXTS, ARGUMENT_OPT, FIELD(debug_counters),
     "COUNTERS",
     "Leave out actions: the first N (pass-execution-skip=N), or those after N "
     "(pass-execution-count=N)"},
    {"mlir-print-debug-counter", SWITCH, ARGUMENT_OPT, FIELD(print_counters),
     NULL, "Show at the end how often these were done"},
    {"mlir-pass-pipeline-crash-reproducer", TEXT, ARGUMENT_OPT,
     FIELD(crash_reproducer), "FILE",
     "If a pass fails or crashes, write the IR as it was before the run, the "
     "pipeline and which plugins it needs to FILE"},
    {"mlir-pass-pipeline-local-reproducer", SWITCH, ARGUMENT_OPT,
     FIELD(local_reproducer), NULL,
     "Write only the pass that fails or crashes, and the IR before it (with "
     "--mlir-disable-threading)"},
    {"mlir-generate-reproducer", TEXT, ARGUMENT_OPT, FIELD(generate_reproducer),
     "FILE", "Write the same in any case, before the run"},
    {"run-reproducer", SWITCH, ARGUMENT_OPT, FIELD(run_reproducer), NULL,
     "Run what the input, a reproducer, says, with the plugins that it names"},
    {"provider", TEXT, ARGUMENT_OPT | ARGUMENT_DOCTOR, FIELD(provider), "WHICH",
     "The copy of MLIR to run on: static (default), shared, or a path"},
    {"isolate", SWITCH, ARGUMENT_OPT, FIELD(isolate), NULL,
     "Run each plugin pass in a process of its own: if it crashes, exits or "
     "hangs, that is an error of its input, with a reproducer"},
    {"isolate-memory", TEXT, ARGUMENT_OPT, FIELD(isolate_memory), "MIB",
     "With --isolate, the address space that such a process may have"},
    {"pass-timeout", TEXT, ARGUMENT_OPT, FIELD(pass_timeout), "SECONDS",
     "End a plugin pass that takes longer (without --isolate: on one "
     "operation), and name it"},
    {"diagnostics", TEXT, ARGUMENT_OPT, FIELD(diagnostics), "FORM",
     "Show messages as text (default) or, a line each, as json"},
    {"list-passes", SWITCH, ARGUMENT_OPT, FIELD(list_passes), NULL,
     "List the passes of plugins, and stop"},
    {"json", SWITCH, ARGUMENT_LIST | ARGUMENT_INFO | ARGUMENT_DOCTOR,
     FIELD(json), NULL, "Print JSON"},
    {"plugin-debug", SWITCH, ANY, FIELD(debug), NULL,
     "Say on standard error what is decided, a line each (also: "
     "MLIRPLUG_DEBUG=1)"},
    {"help", SWITCH, ANY, FIELD(help), NULL, "Show this, and stop"},
    {"h", SWITCH, ANY, FIELD(help), NULL, NULL},
    {"version", SWITCH, ANY, FIELD(version), NULL,
     "Show the version, and stop"},
};

const size_t argument_rule_count =
    sizeof argument_rules / sizeof argument_rules[0];

const struct argument_rule *argument_rule_find(enum argument_command command,
                                               const char *name,
                                               size_t length) {
  for (size_t i = 0; i < argument_rule_count; ++i)
    if ((argument_rules[i].commands & command) &&
        strlen(argument_rules[i].name) == length &&
        memcmp(argument_rules[i].name, name, length) == 0)
      return &argument_rules[i];
  return NULL;
}

const char *arguments_name(enum argument_command command, size_t number) {
  for (size_t i = 0; i < argument_rule_count; ++i)
    if ((argument_rules[i].commands & command) && number-- == 0)
      return argument_rules[i].name;
  return NULL;
}

void arguments_suggest(enum argument_command command, const char *name,
                       struct suggestion *suggestion) {
  for (size_t i = 0; i < argument_rule_count; ++i)
    if ((argument_rules[i].commands & command) && argument_rules[i].help)
      suggestion_consider(suggestion, name, argument_rules[i].name);
}
