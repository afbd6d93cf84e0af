// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages about files of other languages.

#include "errors_doc.h"

#include "support/command.h"

#include <stdlib.h>
#include <string.h>

#define HOST MLIRPLUG_BUILD_DIRECTORY "/test/plugins/pass/host.so"
#define PYTHON_FILE MLIRPLUG_SOURCE_DIRECTORY "/examples/python/totals.py"

/// What the command has to say, whatever the status.
static void refusal_says(const struct command_result *result) {
  static const char mark[] = "mlirplug: ";
  char *line = strtok(result->errors, "\n");
  errors_doc_expect(line && strncmp(line, mark, sizeof mark - 1) == 0
                        ? line + sizeof mark - 1
                        : "it said nothing");
}

/// A file for the host plugin of the tests.
static void words_say(const char *shell) {
  char *directory = directory_create();
  struct command_result result =
      command_shell("cd %s && %s; " COMMAND_MLIRPLUG " list " HOST " one.words",
                    directory, shell);
  refusal_says(&result);
  command_release(&result);
  free(directory);
}

/// A python3 which is a script that answers so.
static void answer_says(const char *answer) {
  char *directory = directory_create();
  struct command_result result = command_shell(
      "cd %s && printf \"#!/bin/sh\\nprintf '%s'\\n\" > python3 && chmod 755 "
      "python3 && unset VIRTUAL_ENV && PATH=%s /bin/sh " COMMAND_MLIRPLUG
      " list " PYTHON_FILE,
      directory, answer, directory);
  refusal_says(&result);
  command_release(&result);
  free(directory);
}

void other_languages_say(void) {
  words_say("echo '?' > one.words");
  words_say("truncate -s 70M one.words");
  words_say("echo '!it has no words' > one.words");
  answer_says("/opt/python3\\\\n3.12.4\\\\ngil\\\\ncpython\\\\n\\\\n");
  answer_says("/opt/python3\\\\n3.13.0\\\\nfree\\\\ncpython\\\\n/x.so\\\\n");
  answer_says("/opt/python3\\\\n3.8.18\\\\ngil\\\\ncpython\\\\n/x.so\\\\n");
  answer_says("/opt/python3\\\\n3.10.1\\\\ngil\\\\npypy\\\\n/x.so\\\\n");
  answer_says(
      "/opt/python3\\\\n3.12.4\\\\ngil\\\\ncpython\\\\n/no/such.so\\\\n");
  answer_says("nonsense");
  struct command_result result =
      command_shell("unset VIRTUAL_ENV; PATH=/nowhere /bin/sh " COMMAND_MLIRPLUG
                    " list " PYTHON_FILE);
  refusal_says(&result);
  command_release(&result);
  result = command_shell("VIRTUAL_ENV=/no/such " COMMAND_MLIRPLUG
                         " list " PYTHON_FILE);
  refusal_says(&result);
  command_release(&result);
}
