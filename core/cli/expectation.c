// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/expectation.h"

#include "cli/memory.h"

#include <stdlib.h>
#include <string.h>

static const char pattern[] =
    "expected-(error|note|remark|warning)(-re)? "
    "*(@([+-][0-9]+|above|below|unknown))? *[{][{](.*)[}][}]$";

enum { WHOLE, SEVERITY, IS_REGEX, OFFSET, OFFSET_VALUE, TEXT, GROUPS };

struct finder {
  struct expectations *expectations;
  regex_t pattern;
  expectation_fault *fault;
  void *user_data;
  size_t last_plain; ///< The last line without an expectation, from 1.
};

//===----------------------------------------------------------------------===//
// Regular expressions
//===----------------------------------------------------------------------===//

static void literal_print(FILE *stream, const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    if (text[i] && strchr("()^$|*+?.[]\\{}", text[i]))
      fputc('\\', stream);
    fputc(text[i], stream);
  }
}

/// Prints the whole text as one expression: {{…}} is taken as it is, the rest
/// for itself. False if a {{ has no end.
static bool expression_print(FILE *stream, const char *text) {
  for (;;) {
    const char *begin = strstr(text, "{{");
    literal_print(stream, text, begin ? (size_t)(begin - text) : strlen(text));
    if (!begin)
      return true;
    const char *end = strstr(begin + 2, "}}");
    if (!end)
      return false;
    fprintf(stream, "(%.*s)", (int)(end - begin - 2), begin + 2);
    text = end + 2;
  }
}

/// Null, or what is wrong.
static const char *regex_make(struct expectation *expectation) {
  struct memory memory;
  if (!memory_open(&memory))
    return "out of memory";
  bool ends = expression_print(memory.stream, expectation->text);
  const char *fault = NULL;
  if (!ends)
    fault = "found start of regex with no end '}}'";
  else if (!memory_close(&memory))
    fault = "out of memory";
  else if (regcomp(&expectation->regex, memory.bytes,
                   REG_EXTENDED | REG_NOSUB) != 0)
    fault = "invalid regex";
  else
    expectation->is_regex = true;
  memory_release(&memory);
  return fault;
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static MlirDiagnosticSeverity severity_of(char first) {
  switch (first) {
  case 'w':
    return MlirDiagnosticWarning;
  case 'n':
    return MlirDiagnosticNote;
  case 'r':
    return MlirDiagnosticRemark;
  default:
    return MlirDiagnosticError;
  }
}

static bool expectation_append(struct finder *finder,
                               const struct expectation *expectation) {
  struct expectations *list = finder->expectations;
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    struct expectation *items =
        reallocarray(list->items, capacity, sizeof *items);
    if (!items)
      return false;
    list->items = items;
    list->capacity = capacity;
  }
  list->items[list->count++] = *expectation;
  return true;
}

/// Which line the expectation on `line` is about; `offset` is what stands
/// behind its '@', or empty.
static size_t line_meant(const struct finder *finder, size_t line,
                         const char *offset) {
  switch (*offset) {
  case '+':
  case '-':
    return line + (size_t)strtol(offset, NULL, 10);
  case 'a':
    return finder->last_plain;
  case 'u':
    return 0;
  default: // with 'b', until the line is found
    return line;
  }
}

static void expectation_release(struct expectation *expectation) {
  free(expectation->text);
  if (expectation->is_regex)
    regfree(&expectation->regex);
}

static bool expectation_read(struct finder *finder, char *text, size_t line,
                             const regmatch_t *groups) {
  char *offset = groups[OFFSET].rm_so < 0 ? "" : text + groups[OFFSET].rm_so;
  offset += *offset == '@';
  text[groups[TEXT].rm_eo] = '\0';
  struct expectation expectation = {
      .severity = severity_of(text[groups[SEVERITY].rm_so]),
      .line = line_meant(finder, line, offset),
      .at_line = line,
      .at_column = (size_t)groups[WHOLE].rm_so + 1,
      .text = strdup(text + groups[TEXT].rm_so)};
  if (!expectation.text)
    return false;
  const char *fault =
      groups[IS_REGEX].rm_so >= 0 ? regex_make(&expectation) : NULL;
  if (fault) {
    finder->fault(line, expectation.at_column, fault, finder->user_data);
    free(expectation.text);
    return true;
  }
  expectation.waits = *offset == 'b';
  if (expectation_append(finder, &expectation))
    return true;
  expectation_release(&expectation);
  return false;
}

/// Those "@below" mean the next line without an expectation.
static void plain_line_note(struct finder *finder, size_t line) {
  struct expectations *list = finder->expectations;
  size_t first = list->count;
  while (first && list->items[first - 1].at_line >= finder->last_plain)
    --first;
  for (size_t i = first; i < list->count; ++i)
    if (list->items[i].waits) {
      list->items[i].line = line;
      list->items[i].waits = false;
    }
  finder->last_plain = line;
}

static size_t trimmed_length(const char *line, size_t length) {
  while (length && strchr(" \t\n\v\f\r", line[length - 1]))
    --length;
  return length;
}

static bool line_read(struct finder *finder, const char *line, size_t length,
                      size_t number) {
  // Most lines do without a copy for the expression.
  bool possible = memmem(line, length, "expected-", strlen("expected-"));
  char *copy = possible ? strndup(line, trimmed_length(line, length)) : NULL;
  if (possible && !copy)
    return false;
  regmatch_t groups[GROUPS];
  bool fine = true;
  if (copy && regexec(&finder->pattern, copy, GROUPS, groups, 0) == 0)
    fine = expectation_read(finder, copy, number, groups);
  else
    plain_line_note(finder, number);
  free(copy);
  return fine;
}

bool expectations_find(struct expectations *expectations, const char *content,
                       size_t length, expectation_fault *fault,
                       void *user_data) {
  *expectations = (struct expectations){0};
  struct finder finder = {.expectations = expectations,
                          .fault = fault,
                          .user_data = user_data,
                          .last_plain = 1};
  if (regcomp(&finder.pattern, pattern, REG_EXTENDED) != 0)
    return false;
  const char *end = content + length;
  bool fine = true;
  size_t number = 0;
  for (const char *line = content; fine && line;) {
    const char *line_end = memchr(line, '\n', (size_t)(end - line));
    fine = line_read(&finder, line,
                     (size_t)((line_end ? line_end : end) - line), ++number);
    line = line_end ? line_end + 1 : NULL;
  }
  for (size_t i = 0; i < expectations->count; ++i)
    if (expectations->items[i].waits)
      expectations->items[i].line = number;
  regfree(&finder.pattern);
  if (!fine)
    expectations_release(expectations);
  return fine;
}

void expectations_release(struct expectations *expectations) {
  for (size_t i = 0; i < expectations->count; ++i)
    expectation_release(&expectations->items[i]);
  free(expectations->items);
  *expectations = (struct expectations){0};
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool text_fits(const struct expectation *expectation, const char *text) {
  return expectation->is_regex
             ? regexec(&expectation->regex, text, 0, NULL, 0) == 0
             : strstr(text, expectation->text) != NULL;
}

bool expectations_meet(struct expectations *expectations, size_t line,
                       MlirDiagnosticSeverity severity, const char *text,
                       const struct expectation **near) {
  *near = NULL;
  for (size_t i = 0; i < expectations->count; ++i) {
    struct expectation *expectation = &expectations->items[i];
    if (expectation->line != line || !text_fits(expectation, text))
      continue;
    if (expectation->severity == severity)
      return expectation->met = true;
    *near = expectation;
  }
  return false;
}
