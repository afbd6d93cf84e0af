// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/describe.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/// Prints the character at the front of `text`; returns its length.
static size_t character_print(FILE *stream, const char *text) {
  bool is_control;
  size_t length = text_character(text, &is_control);
  fwrite(is_control ? " " : text, 1, is_control ? 1 : length, stream);
  return length;
}

void describe_text(FILE *stream, const char *text) {
  while (*text)
    text += character_print(stream, text);
}

/// The shortest decimal that reads back as `value`.
static void double_print(FILE *stream, double value) {
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  fputs(text, stream);
}

/// "from 1 to 8"; a bound that bounds nothing is left out.
static void range_print(FILE *stream, const mlirplug_option *option) {
  uint64_t low = (uint64_t)option->minimum, high = (uint64_t)option->maximum;
  switch (option->kind & ~MLIRPLUG_KIND_LIST) {
  case MLIRPLUG_KIND_UINT:
    fprintf(stream, " from %" PRIu64, low);
    if (high != UINT64_MAX)
      fprintf(stream, " to %" PRIu64, high);
    break;
  case MLIRPLUG_KIND_DOUBLE:
    fputs(" from ", stream);
    double_print(stream, option->minimum_double);
    fputs(" to ", stream);
    double_print(stream, option->maximum_double);
    break;
  default:
    if (option->minimum != INT64_MIN)
      fprintf(stream, " from %" PRId64, option->minimum);
    if (option->maximum != INT64_MAX)
      fprintf(stream, " to %" PRId64, option->maximum);
  }
}

static void choices_print(FILE *stream, const char *choices) {
  fputs("one of ", stream);
  for (const char *c = choices ? choices : ""; *c;) {
    bool is_comma = *c == ',';
    c += character_print(stream, c);
    if (is_comma)
      fputc(' ', stream);
  }
}

void describe_kind(FILE *stream, const mlirplug_option *option) {
  static const char *const names[] = {
      [MLIRPLUG_KIND_BOOL] = "boolean",
      [MLIRPLUG_KIND_INT] = "integer",
      [MLIRPLUG_KIND_UINT] = "unsigned integer",
      [MLIRPLUG_KIND_DOUBLE] = "number",
      [MLIRPLUG_KIND_STRING] = "string",
  };
  uint32_t kind = option->kind & ~MLIRPLUG_KIND_LIST;
  bool is_list = option->kind & MLIRPLUG_KIND_LIST;
  if (is_list)
    fputs("list of ", stream);
  if (kind == MLIRPLUG_KIND_ENUM) {
    choices_print(stream, option->choices);
    return;
  }
  bool known = kind < sizeof names / sizeof names[0] && names[kind];
  fprintf(stream, "%s%s", known ? names[kind] : "value", is_list ? "s" : "");
  if (option->flags & MLIRPLUG_OPTION_RANGE)
    range_print(stream, option);
}

static void choice_print(FILE *stream, const char *choices, int64_t position) {
  const char *choice = choices ? choices : "";
  for (; position > 0; --position) {
    choice = strchr(choice, ',');
    if (!choice)
      return;
    ++choice;
  }
  fprintf(stream, "%.*s", (int)strcspn(choice, ","), choice);
}

void describe_default(FILE *stream, const mlirplug_option *option) {
  switch (option->kind) {
  case MLIRPLUG_KIND_BOOL:
    fputs(option->default_integer ? "true" : "false", stream);
    return;
  case MLIRPLUG_KIND_INT:
    fprintf(stream, "%" PRId64, option->default_integer);
    return;
  case MLIRPLUG_KIND_UINT:
    fprintf(stream, "%" PRIu64, (uint64_t)option->default_integer);
    return;
  case MLIRPLUG_KIND_DOUBLE:
    double_print(stream, option->default_double);
    return;
  case MLIRPLUG_KIND_ENUM:
    choice_print(stream, option->choices, option->default_integer);
    return;
  default:
    describe_text(stream, option->default_text ? option->default_text : "");
  }
}

void describe_origin(FILE *stream, const mlirplug_directory *directory) {
  fprintf(stream, "(%s", directory->origin);
  if (directory->distribution) {
    fputs(": ", stream);
    describe_text(stream, directory->distribution);
    fputs(" ", stream);
    describe_text(stream, directory->distribution_version);
  }
  fputs(")", stream);
}

void describe_anchors(FILE *stream, const mlirplug_pass_description *pass) {
  if (!pass->anchor_count)
    fputs("any operation", stream);
  for (size_t i = 0; i < pass->anchor_count; ++i) {
    fputs(i ? ", " : "", stream);
    describe_text(stream, pass->anchors[i]);
  }
}

static void option_print(FILE *stream, const mlirplug_option *option,
                         int indent) {
  fprintf(stream, "%*s", indent, "");
  describe_text(stream, option->name);
  fputs("=<", stream);
  describe_kind(stream, option);
  fputs(">  ", stream);
  describe_text(stream, option->help ? option->help : "");
  fputs(" (default: ", stream);
  bool is_text = option->kind == MLIRPLUG_KIND_STRING ||
                 (option->kind & MLIRPLUG_KIND_LIST);
  if (is_text && (!option->default_text || !*option->default_text))
    fputs(option->kind & MLIRPLUG_KIND_LIST ? "{}" : "\"\"", stream);
  else
    describe_default(stream, option);
  fputs(")\n", stream);
}

void describe_options(FILE *stream, const mlirplug_pass_description *pass,
                      int indent) {
  for (size_t i = 0; i < pass->option_count; ++i)
    option_print(stream, pass->options[i], indent);
}

void describe_pass(FILE *stream, const mlirplug_pass_description *pass,
                   const char *prefix) {
  const int column = 28;
  int width = fprintf(stream, "  %s", prefix) + (int)strlen(pass->name);
  describe_text(stream, pass->name);
  fprintf(stream, "%*s", width < column ? column - width : 2, "");
  describe_text(stream, pass->summary);
  fputs(*pass->summary ? " (on " : "(on ", stream);
  describe_anchors(stream, pass);
  fputs(")\n", stream);
  describe_options(stream, pass, 6);
}
