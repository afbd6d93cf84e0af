// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug: choosing the subcommand.

#include "cli/command.h"
#include "cli/help.h"
#include "cli/isolated.h"
#include "cli/output.h"
#include "cli/suggest.h"

#include <string.h>
#include <unistd.h>

struct subcommand {
  const char *name;
  enum argument_command command;
  enum command_status (*run)(const struct arguments *arguments,
                             struct console *console);
};

static const struct subcommand subcommands[] = {
    {"opt", ARGUMENT_OPT, command_opt},
    {"list", ARGUMENT_LIST, command_list},
    {"info", ARGUMENT_INFO, command_info},
    {"doctor", ARGUMENT_DOCTOR, command_doctor},
    {"trust", ARGUMENT_TRUST, command_trust},
    {"sign", ARGUMENT_SIGN, command_sign},
};

enum { SUBCOMMAND_COUNT = sizeof subcommands / sizeof subcommands[0] };

static const struct subcommand *subcommand_find(const char *name) {
  for (size_t i = 0; i < SUBCOMMAND_COUNT; ++i)
    if (strcmp(subcommands[i].name, name) == 0)
      return &subcommands[i];
  return NULL;
}

static enum command_status unknown_refuse(struct console *console,
                                          const char *name) {
  struct suggestion suggestion = {0};
  for (size_t i = 0; i < SUBCOMMAND_COUNT; ++i)
    suggestion_consider(&suggestion, name, subcommands[i].name);
  suggestion_consider(&suggestion, name, "help");
  if (suggestion.name)
    console_error(console, "unknown command '%s'; did you mean '%s'?", name,
                  suggestion.name);
  else if (name[0] == '-' || strpbrk(name, "./") || access(name, F_OK) == 0)
    console_error(console,
                  "unknown command '%s'; to run passes: mlirplug opt %s", name,
                  name);
  else
    console_error(console,
                  "unknown command '%s'; expected opt, list, info, doctor, "
                  "trust, sign or help",
                  name);
  return COMMAND_WRONG_USAGE;
}

/// Help on `subcommand`, or in general if it is null.
static enum command_status help_print(struct console *console,
                                      const struct subcommand *subcommand) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return COMMAND_FAILED;
  }
  if (subcommand)
    help_command(subcommand->command, memory.stream);
  else
    help_general(memory.stream);
  return output_memory(console, &memory) ? COMMAND_OK : COMMAND_FAILED;
}

static enum command_status version_print(struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return COMMAND_FAILED;
  }
  fprintf(memory.stream, "mlirplug %s\n", mlirplug_version());
  return output_memory(console, &memory) ? COMMAND_OK : COMMAND_FAILED;
}

static enum command_status subcommand_run(struct console *console,
                                          const struct subcommand *subcommand,
                                          int count, char **texts) {
  struct arguments arguments;
  if (!arguments_parse(subcommand->command, count, texts, &arguments, console))
    return COMMAND_WRONG_USAGE;
  enum command_status status;
  if (arguments.version)
    status = version_print(console);
  // The help of opt shows the passes of plugins too.
  else if (arguments.help && subcommand->command != ARGUMENT_OPT)
    status = help_print(console, subcommand);
  else
    status = subcommand->run(&arguments, console);
  arguments_release(&arguments);
  return status;
}

static bool is_one_of(const char *text, const char *a, const char *b,
                      const char *c) {
  return strcmp(text, a) == 0 || strcmp(text, b) == 0 || strcmp(text, c) == 0;
}

static enum command_status help_run(struct console *console, int count,
                                    char **texts) {
  if (count == 0)
    return help_print(console, NULL);
  const struct subcommand *subcommand = subcommand_find(texts[0]);
  if (count > 1) {
    console_error(console, "help is about one command: mlirplug help %s",
                  texts[0]);
    return COMMAND_WRONG_USAGE;
  }
  if (subcommand)
    return help_print(console, subcommand);
  return strcmp(texts[0], "help") == 0 ||
                 is_one_of(texts[0], "--help", "-help", "-h")
             ? help_print(console, NULL)
             : unknown_refuse(console, texts[0]);
}

int main(int count, char **texts) {
  output_begin();
  struct console console;
  console_begin(&console);
  if (count < 2) {
    console_error(&console, "no command; expected opt, list, info, doctor, "
                            "trust, sign or help; see 'mlirplug help'");
    return COMMAND_WRONG_USAGE;
  }
  const char *name = texts[1];
  if (is_one_of(name, "--help", "-help", "-h") || strcmp(name, "help") == 0)
    return (int)help_run(&console, count - 2, texts + 2);
  if (is_one_of(name, "--version", "-version", "version"))
    return (int)version_print(&console);
  if (strcmp(name, MLIRPLUG_ISOLATED_COMMAND) == 0)
    return (int)isolated_serve(&console, count - 2, texts + 2);
  const struct subcommand *subcommand = subcommand_find(name);
  if (!subcommand)
    return (int)unknown_refuse(&console, name);
  return (int)subcommand_run(&console, subcommand, count - 2, texts + 2);
}
