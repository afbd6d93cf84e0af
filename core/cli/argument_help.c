// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options as help shows them.

#include "cli/argument_rules.h"

#include <string.h>

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
  for (size_t i = 0; i < argument_rule_count; ++i) {
    const struct argument_rule *rule = &argument_rules[i];
    if (!(rule->commands & command) || !rule->help)
      continue;
    bool is_short = rule->name[1] == '\0';
    int width = fprintf(stream, "  %s%s", is_short ? "-" : "--", rule->name);
    if (rule->kind == MAYBE)
      width += fprintf(stream, "[=%s]", rule->value);
    else if (rule->value)
      width += fprintf(stream, "%s%s", is_short ? " " : "=", rule->value);
    // Behind a name that fills its column, the text begins on the next line.
    if (width >= column) {
      fputc('\n', stream);
      width = 0;
    }
    fprintf(stream, "%*s", column - width, "");
    wrapped_print(stream, rule->help, column);
  }
}
