// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/arguments.h"

#include "cli/suggest.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// An ONLY takes one word, which is its `value`, and sets a bool.
enum argument_kind { SWITCH, ONLY, TEXT, TEXTS };

struct argument_rule {
  const char *name; ///< Without dashes.
  enum argument_kind kind;
  unsigned commands; ///< Bits of enum argument_command.
  size_t offset;     ///< Of the field in struct arguments.
  const char *value; ///< What it takes, for help; null for a switch.
  const char *help;  ///< Null for a second name, which help does not show.
};

#define FIELD(name) offsetof(struct arguments, name)
#define ANY                                                                    \
  (ARGUMENT_OPT | ARGUMENT_LIST | ARGUMENT_INFO | ARGUMENT_DOCTOR |            \
   ARGUMENT_TRUST | ARGUMENT_SIGN)
// Those that search for plugins.
#define SEARCH (ARGUMENT_OPT | ARGUMENT_LIST | ARGUMENT_DOCTOR)

static const struct argument_rule rules[] = {
    {"load-pass-plugin", TEXTS, SEARCH, FIELD(plugins), "FILE",
     "Use the passes of this plugin (may be repeated)"},
    {"plugin-dir", TEXTS, SEARCH, FIELD(directories), "DIR",
     "Use the plugins in this directory (*.so; may be repeated)"},
    {"config", TEXT, SEARCH, FIELD(configuration), "FILE",
     "Use the plugins that this configuration file names, instead of a "
     "mlirplug.json found beside the input or above that you trust (mlirplug "
     "trust)"},
    {"no-config", SWITCH, SEARCH, FIELD(no_configuration), NULL,
     "Do not look for a mlirplug.json"},
    {"list", SWITCH, ARGUMENT_TRUST, FIELD(list_trusted), NULL,
     "List the configuration files that you trust"},
    {"remove", SWITCH, ARGUMENT_TRUST, FIELD(remove_trusted), NULL,
     "Trust those in the directories no longer"},
    {"no-default-plugins", SWITCH, SEARCH, FIELD(no_default_plugins), NULL,
     "Do not search the directories where plugins are installed (MLIRPLUG_PATH "
     "and others: 'mlirplug list' shows them)"},
    {"no-cache", SWITCH, SEARCH, FIELD(no_cache), NULL,
     "Read every plugin file anew, and keep nothing for the next time"},
    {"trust", ONLY, SEARCH, FIELD(trust_any), "any",
     "Use plugins that other users may have written or can change"},
    {"require-signature", SWITCH, SEARCH, FIELD(require_signature), NULL,
     "Use only plugins that are signed (mlirplug sign) by a key in a directory "
     "of keys"},
    {"key-dir", TEXT, SEARCH | ARGUMENT_INFO, FIELD(key_directory), "DIR",
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
    {"o", TEXT, ARGUMENT_OPT, FIELD(output), "FILE",
     "Write the IR to FILE, or to DIR/ with one file for each input; "
     "'-' is standard output"},
    {"records", TEXT, ARGUMENT_OPT, FIELD(records), "FILE",
     "Write the records of analysis passes, a line of JSON each; with '-' they "
     "get standard output, and IR is written only where -o says"},
    {"emit-bytecode", SWITCH, ARGUMENT_OPT, FIELD(emit_bytecode), NULL,
     "Write bytecode instead of text"},
    {"allow-unregistered-dialect", SWITCH, ARGUMENT_OPT,
     FIELD(allow_unregistered_dialect), NULL,
     "Accept operations of dialects that are not known"},
    {"verify-each", SWITCH, ARGUMENT_OPT, FIELD(verify_each), NULL,
     "Verify the IR after each pass (default: true)"},
    {"mlir-print-op-generic", SWITCH, ARGUMENT_OPT, FIELD(print_generic), NULL,
     "Print every operation in its generic form"},
    {"mlir-print-debuginfo", SWITCH, ARGUMENT_OPT, FIELD(print_debuginfo), NULL,
     "Print locations"},
    {"mlir-disable-threading", SWITCH, ARGUMENT_OPT, FIELD(disable_threading),
     NULL, "Work on one thread"},
    {"mlir-pass-statistics", SWITCH, ARGUMENT_OPT, FIELD(pass_statistics), NULL,
     "Print the statistics of plugin passes on standard error at the end"},
    {"provider", TEXT, ARGUMENT_OPT | ARGUMENT_DOCTOR, FIELD(provider), "WHICH",
     "The copy of MLIR to run on: static (default), shared, or a path"},
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

enum { RULE_COUNT = sizeof rules / sizeof rules[0] };

static const struct argument_rule *rule_find(enum argument_command command,
                                             const char *name, size_t length) {
  for (size_t i = 0; i < RULE_COUNT; ++i)
    if ((rules[i].commands & command) && strlen(rules[i].name) == length &&
        memcmp(rules[i].name, name, length) == 0)
      return &rules[i];
  return NULL;
}

const char *arguments_name(enum argument_command command, size_t number) {
  for (size_t i = 0; i < RULE_COUNT; ++i)
    if ((rules[i].commands & command) && number-- == 0)
      return rules[i].name;
  return NULL;
}

void arguments_suggest(enum argument_command command, const char *name,
                       struct suggestion *suggestion) {
  for (size_t i = 0; i < RULE_COUNT; ++i)
    if ((rules[i].commands & command) && rules[i].help)
      suggestion_consider(suggestion, name, rules[i].name);
}

//===----------------------------------------------------------------------===//
// Help
//===----------------------------------------------------------------------===//

/// Prints `text` with lines that begin in `column`, at most 80 wide.
static void wrapped_print(FILE *stream, const char *text, int column) {
  int at = column;
  while (*text) {
    int length = (int)strcspn(text, " ");
    if (at > column && at + 1 + length > 80) {
      fprintf(stream, "\n%*s", column, "");
      at = column;
    }
    at += fprintf(stream, "%s%.*s", at > column ? " " : "", length, text);
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', stream);
}

void arguments_describe(enum argument_command command, FILE *stream) {
  const int column = 32;
  for (size_t i = 0; i < RULE_COUNT; ++i) {
    const struct argument_rule *rule = &rules[i];
    if (!(rule->commands & command) || !rule->help)
      continue;
    bool is_short = rule->name[1] == '\0';
    int width = fprintf(stream, "  %s%s", is_short ? "-" : "--", rule->name);
    if (rule->value)
      width += fprintf(stream, "%s%s", is_short ? " " : "=", rule->value);
    // A name that fills its column still gets a space behind it.
    fprintf(stream, "%*s", width < column ? column - width : 1, "");
    wrapped_print(stream, rule->help, column);
  }
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

struct argument_parser {
  struct arguments *arguments;
  struct console *console;
  char **texts;
  int count;
  int next; ///< Of the texts, the one to look at.
};

static bool switch_parse(const char *value, bool *result) {
  static const char *const yes[] = {"true", "TRUE", "True", "1"};
  static const char *const no[] = {"false", "FALSE", "False", "0"};
  for (size_t i = 0; i < sizeof yes / sizeof yes[0]; ++i) {
    if (strcmp(value, yes[i]) == 0)
      return *result = true, true;
    if (strcmp(value, no[i]) == 0)
      return *result = false, true;
  }
  return false;
}

/// The value of an option: behind its '=', or the next argument.
static const char *value_take(struct argument_parser *parser,
                              const struct argument_rule *rule,
                              const char *written, const char *value) {
  if (!value && parser->next < parser->count)
    value = parser->texts[parser->next++];
  if (value && *value)
    return value;
  const char *dashes = rule->name[1] ? "--" : "-";
  const char *between = rule->name[1] ? "=" : " ";
  console_error(parser->console, "'%s' needs a value: %s%s%s%s", written,
                dashes, rule->name, between, rule->value);
  return NULL;
}

static bool only_parse(struct argument_parser *parser,
                       const struct argument_rule *rule, const char *value,
                       bool *result) {
  if (strcmp(value, rule->value) == 0)
    return *result = true;
  console_error(parser->console, "'--%s' is '%s'; expected --%s=%s", rule->name,
                value, rule->name, rule->value);
  return false;
}

static bool rule_apply(struct argument_parser *parser,
                       const struct argument_rule *rule, const char *written,
                       const char *value) {
  void *field = (char *)parser->arguments + rule->offset;
  if (rule->kind == SWITCH) {
    if (!value)
      return *(bool *)field = true;
    if (switch_parse(value, field))
      return true;
    console_error(parser->console,
                  "'%s' is on or off: found '%s', expected true or false",
                  written, value);
    return false;
  }
  value = value_take(parser, rule, written, value);
  if (!value)
    return false;
  if (rule->kind == ONLY)
    return only_parse(parser, rule, value, field);
  if (rule->kind == TEXTS) {
    struct argument_texts *texts = field;
    texts->items[texts->count++] = value;
    return true;
  }
  const char **text = field;
  if (*text) {
    console_error(parser->console,
                  "'%s%s' is given twice: '%s' and '%s'; give it once",
                  rule->name[1] ? "--" : "-", rule->name, *text, value);
    return false;
  }
  *text = value;
  return true;
}

static bool unknown_refuse(struct argument_parser *parser, const char *written,
                           const char *name) {
  struct suggestion suggestion = {0};
  arguments_suggest(parser->arguments->command, name, &suggestion);
  int length = (int)strcspn(written, *name ? "=" : "");
  if (suggestion.name)
    console_error(parser->console,
                  "unknown option '%.*s'; did you mean '%s%s'?", length,
                  written, suggestion.name[1] ? "--" : "-", suggestion.name);
  else
    console_error(parser->console, "unknown option '%.*s'; see 'mlirplug help'",
                  length, written);
  return false;
}

/// --my-pass{top=3}, as it would stand in a pipeline; `brace` is the '{'.
static bool braces_refuse(struct argument_parser *parser, const char *written,
                          const char *brace) {
  size_t length = strlen(brace + 1);
  if (length && brace[length] == '}')
    --length;
  console_error(parser->console,
                "'%s' has its options in braces, as in a pipeline; write "
                "'%.*s=%.*s'",
                written, (int)(brace - written), written, (int)length,
                brace + 1);
  return false;
}

static bool memory_refuse(struct argument_parser *parser) {
  console_error(parser->console, "out of memory");
  return false;
}

/// What is no option may be a pass: plugins are not known yet.
static bool pass_add(struct argument_parser *parser, const char *written,
                     const char *name, size_t length, const char *options) {
  const char *brace = memchr(name, '{', length);
  if (brace && brace > name && parser->arguments->command == ARGUMENT_OPT)
    return braces_refuse(parser, written, brace);
  char *copy = strndup(name, length);
  if (!copy)
    return memory_refuse(parser);
  bool possible = *copy && *copy != '-' && !strpbrk(copy, " \t\n(){},'\"");
  if (parser->arguments->command != ARGUMENT_OPT || !possible) {
    unknown_refuse(parser, written, copy);
    free(copy);
    return false;
  }
  struct argument_passes *passes = &parser->arguments->passes;
  passes->items[passes->count++] = (struct argument_pass){
      .written = written, .name = copy, .options = options};
  return true;
}

static bool option_parse(struct argument_parser *parser, const char *written) {
  // mlir-opt takes one dash for two.
  const char *name = written + (written[1] == '-' ? 2 : 1);
  size_t length = strcspn(name, "=");
  const char *value = name[length] ? name + length + 1 : NULL;
  const struct argument_rule *rule =
      rule_find(parser->arguments->command, name, length);
  if (rule)
    return rule_apply(parser, rule, written, value);
  return pass_add(parser, written, name, length, value);
}

static bool input_add(struct argument_parser *parser, const char *text) {
  if (!*text) {
    console_error(parser->console, "the name of an input is empty");
    return false;
  }
  struct argument_texts *inputs = &parser->arguments->inputs;
  inputs->items[inputs->count++] = text;
  return true;
}

/// No list gets longer than the command line.
static bool lists_allocate(struct arguments *arguments, int count) {
  size_t room = (size_t)count + 1;
  arguments->inputs.items = calloc(room, sizeof(char *));
  arguments->plugins.items = calloc(room, sizeof(char *));
  arguments->directories.items = calloc(room, sizeof(char *));
  arguments->passes.items = calloc(room, sizeof(struct argument_pass));
  return arguments->inputs.items && arguments->plugins.items &&
         arguments->directories.items && arguments->passes.items;
}

static bool keys_check(struct argument_parser *parser) {
  const struct arguments *arguments = parser->arguments;
  if (!arguments->key_directory || arguments->require_signature ||
      !(arguments->command & SEARCH))
    return true;
  console_error(parser->console, "'--key-dir' says whose signatures count: "
                                 "give --require-signature, too");
  return false;
}

bool arguments_parse(enum argument_command command, int count, char **texts,
                     struct arguments *arguments, struct console *console) {
  *arguments = (struct arguments){.command = command, .verify_each = true};
  struct argument_parser parser = {arguments, console, texts, count, 0};
  bool right = lists_allocate(arguments, count) || memory_refuse(&parser);
  bool options_over = false;
  while (right && parser.next < count) {
    const char *text = texts[parser.next++];
    if (!options_over && strcmp(text, "--") == 0)
      options_over = true;
    else if (!options_over && text[0] == '-' && text[1])
      right = option_parse(&parser, text);
    else
      right = input_add(&parser, text);
  }
  right = right && keys_check(&parser);
  if (!right)
    arguments_release(arguments);
  console->debug = console->debug || (right && arguments->debug);
  return right;
}

void arguments_release(struct arguments *arguments) {
  for (size_t i = 0; i < arguments->passes.count; ++i)
    free(arguments->passes.items[i].name);
  free(arguments->inputs.items);
  free(arguments->plugins.items);
  free(arguments->directories.items);
  free(arguments->passes.items);
  *arguments = (struct arguments){.command = arguments->command};
}
