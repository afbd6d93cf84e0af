// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/arguments.h"

#include "cli/argument_rules.h"
#include "cli/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

static bool number_check(const char *value) {
  char *end;
  errno = 0;
  (void)strtoll(value, &end, 0);
  return end != value && !*end && errno == 0;
}

/// SET and SET_NUMBER.
static bool setting_add(struct argument_parser *parser,
                        const struct argument_rule *rule, const char *written,
                        const char *value) {
  bool ignored = true;
  if (rule->kind == SET_NUMBER)
    value = value_take(parser, rule, written, value);
  else if (!value)
    value = "true";
  if (!value)
    return false;
  if (rule->kind == SET_NUMBER && !number_check(value)) {
    console_error(parser->console,
                  "'--%s' takes a number: found '%s', expected one like "
                  "--%s=16",
                  rule->name, value, rule->name);
    return false;
  }
  if (rule->kind == SET && !switch_parse(value, &ignored)) {
    console_error(parser->console,
                  "'%s' is on or off: found '%s', expected true or false",
                  written, value);
    return false;
  }
  struct argument_settings *settings = &parser->arguments->settings;
  settings->items[settings->count++] =
      (struct argument_setting){rule->name, value};
  return true;
}

/// What a MAYBE without a value means.
static const char *unsaid_value(const struct argument_rule *rule) {
  return rule->offset == offsetof(struct arguments, split_marker)
             ? argument_split_marker
             : "";
}

static bool choice_check(struct argument_parser *parser,
                         const struct argument_rule *rule, const char *value) {
  size_t length = strlen(value);
  for (const char *word = rule->value; *word;) {
    size_t end = strcspn(word, "|");
    if (end == length && memcmp(word, value, length) == 0)
      return true;
    word += end + (word[end] == '|');
  }
  console_error(parser->console, "'--%s' is '%s'; expected --%s=%s", rule->name,
                value, rule->name, rule->value);
  return false;
}

static bool rule_apply(struct argument_parser *parser,
                       const struct argument_rule *rule, const char *written,
                       const char *value) {
  void *field = (char *)parser->arguments + rule->offset;
  if (rule->kind == SET || rule->kind == SET_NUMBER)
    return setting_add(parser, rule, written, value);
  if (rule->kind == MAYBE) {
    *(const char **)field = value && *value ? value : unsaid_value(rule);
    return true;
  }
  if (rule->kind == EMPTY && value) {
    *(const char **)field = value;
    return true;
  }
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
  if (rule->kind == CHOICE && !choice_check(parser, rule, value))
    return false;
  if (rule->kind == ONLY)
    return only_parse(parser, rule, value, field);
  if (rule->kind == TEXTS) {
    struct argument_texts *texts = field;
    texts->items[texts->count++] = value;
    return true;
  }
  const char **text = field;
  if (*text && rule->kind != EMPTY) {
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
      argument_rule_find(parser->arguments->command, name, length);
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
  arguments->dialect_plugins.items = calloc(room, sizeof(char *));
  arguments->settings.items = calloc(room, sizeof(struct argument_setting));
  arguments->directories.items = calloc(room, sizeof(char *));
  arguments->insertions.items = calloc(room, sizeof(char *));
  arguments->print_ir_before.items = calloc(room, sizeof(char *));
  arguments->print_ir_after.items = calloc(room, sizeof(char *));
  arguments->action_filters.items = calloc(room, sizeof(char *));
  arguments->debug_counters.items = calloc(room, sizeof(char *));
  arguments->passes.items = calloc(room, sizeof(struct argument_pass));
  return arguments->inputs.items && arguments->plugins.items &&
         arguments->dialect_plugins.items && arguments->settings.items &&
         arguments->directories.items && arguments->insertions.items &&
         arguments->print_ir_before.items && arguments->print_ir_after.items &&
         arguments->action_filters.items && arguments->debug_counters.items &&
         arguments->passes.items;
}

static bool keys_check(struct argument_parser *parser) {
  const struct arguments *arguments = parser->arguments;
  if (!arguments->key_directory || arguments->require_signature ||
      !(arguments->command & ARGUMENTS_SEARCH))
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
  free(arguments->dialect_plugins.items);
  free(arguments->settings.items);
  free(arguments->directories.items);
  free(arguments->insertions.items);
  free(arguments->print_ir_before.items);
  free(arguments->print_ir_after.items);
  free(arguments->action_filters.items);
  free(arguments->debug_counters.items);
  free(arguments->passes.items);
  *arguments = (struct arguments){.command = arguments->command};
}
