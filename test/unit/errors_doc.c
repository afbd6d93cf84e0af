// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "errors_doc.h"

#include "support/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOCUMENT MLIRPLUG_SOURCE_DIRECTORY "/docs/errors.md"

struct entry {
  char *pattern; ///< With <placeholders>.
  size_t words;  ///< How many characters are none of a placeholder.
  bool is_said;
};

static struct entry entries[512];
static size_t entry_count;

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Behind the placeholder at `at`; null if there is none.
static const char *placeholder_end(const char *at) {
  const char *end = *at == '<' ? strchr(at, '>') : NULL;
  return end ? end + 1 : NULL;
}

/// Whether `text` is what `pattern` says; a placeholder stands for anything.
static bool pattern_matches(const char *pattern, const char *text) {
  const char *after = NULL, *again = NULL; // of the last placeholder
  while (*text || *pattern) {
    const char *end = placeholder_end(pattern);
    if (end) {
      after = pattern = end;
      again = text;
    } else if (*pattern && *pattern == *text) {
      ++pattern;
      ++text;
    } else if (after && *again) {
      pattern = after;
      text = ++again;
    } else {
      return false;
    }
  }
  return true;
}

static size_t pattern_words(const char *pattern) {
  size_t words = 0;
  while (*pattern) {
    const char *end = placeholder_end(pattern);
    words += !end;
    pattern = end ? end : pattern + 1;
  }
  return words;
}

//===----------------------------------------------------------------------===//
// The document
//===----------------------------------------------------------------------===//

/// Cuts "`code`" at the front of `*line` off; null if there is none.
static char *code_cut(char **line) {
  char *end = **line == '`' ? strchr(*line + 1, '`') : NULL;
  if (!end)
    return NULL;
  char *code = *line + 1;
  *end = '\0';
  *line = end + 1;
  return code;
}

/// Reads "| `message` | cause | cure |".
static void row_read(char *line, const char *prefix) {
  line += strlen("| ");
  char *message = code_cut(&line);
  if (!message)
    return; // the head of a table
  char cause[512] = "", cure[512] = "";
  cr_expect(sscanf(line, " | %511[^|]| %511[^|]|", cause, cure) == 2 &&
                *cause && *cure,
            "no cause or cure: %s", message);
  cr_assert(entry_count < sizeof entries / sizeof *entries);
  struct entry *entry = &entries[entry_count++];
  cr_assert(asprintf(&entry->pattern, "%s%s", prefix, message) >= 0);
  entry->words = pattern_words(entry->pattern);
}

void errors_doc_open(void) {
  static const char begins[] = "Begins with ";
  char *document = file_content(DOCUMENT);
  const char *prefix = "";
  char *rest = document;
  for (char *line; (line = strsep(&rest, "\n"));) {
    if (*line == '#')
      prefix = "";
    else if (strncmp(line, "| ", 2) == 0)
      row_read(line, prefix);
    else if (strncmp(line, begins, sizeof begins - 1) == 0) {
      line += sizeof begins - 1;
      prefix = code_cut(&line);
      cr_assert_not_null(prefix);
    }
  }
  free(document);
  cr_assert_gt(entry_count, 100);
}

const char *const errors_doc_blind[] = {
    "mlirplugExtDumpIR", "mlirplugExtTimingAttach", "mlirplugExtWatchPasses",
    "mlirplugExtTargetHasProcessor", NULL};

void errors_doc_close(void) {
  while (entry_count)
    free(entries[--entry_count].pattern);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

void errors_doc_expect(const char *message) {
  struct entry *best = NULL;
  for (size_t i = 0; i < entry_count; ++i)
    if (pattern_matches(entries[i].pattern, message) &&
        (!best || entries[i].words > best->words))
      best = &entries[i];
  if (best)
    best->is_said = true;
  cr_expect_not_null(best, "not in docs/errors.md:\n%s", message);
}

void errors_doc_expect_error(mlirplug_error *error) {
  cr_assert_not_null(error, "nothing was refused");
  errors_doc_expect(error->message);
  mlirplug_error_destroy(error);
}

void errors_doc_expect_failure(mlirplug_status status, mlirplug_error **error) {
  cr_expect_eq(status, MLIRPLUG_FAILED);
  errors_doc_expect_error(*error);
  *error = NULL;
}

void errors_doc_expect_all(const char *const *silent) {
  for (; *silent; ++silent) {
    struct entry *found = NULL;
    for (size_t i = 0; i < entry_count && !found; ++i)
      if (strcmp(entries[i].pattern, *silent) == 0)
        found = &entries[i];
    cr_expect(found, "not in docs/errors.md:\n%s", *silent);
    cr_expect(!found || !found->is_said, "said after all:\n%s", *silent);
    if (found)
      found->is_said = true;
  }
  for (size_t i = 0; i < entry_count; ++i)
    cr_expect(entries[i].is_said, "in docs/errors.md, but nobody says it:\n%s",
              entries[i].pattern);
}
