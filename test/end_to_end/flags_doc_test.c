// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/flags.md speaks of each flag that mlir-opt has and of no other, and what
// it says is so.

#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define PAGE MLIRPLUG_SOURCE_DIRECTORY "/docs/flags.md"
#define DERIVE MLIRPLUG_SOURCE_DIRECTORY "/test/flags/derive.py"

/// A row of the page, "| `--NAME` | ANSWER | NOTE |", or with no dashes.
struct row {
  char name[80];
  char answer[8];
};

static bool row_read(const char *line, struct row *row) {
  return sscanf(line, "| `%79[^`]` | %7[a-z] |", row->name, row->answer) == 2;
}

/// How the page writes a name of that kind.
static const char *name_written(const char *kind, const char *name,
                                char *written, size_t size) {
  const char *dashes = strcmp(kind, "option") == 0 ? ""
                       : name[1] == '\0'           ? "-"
                                                   : "--";
  snprintf(written, size, "%s%s", dashes, name);
  return written;
}

/// True if help shows the option, as a word of its own.
static bool help_shows(const char *help, const char *name) {
  size_t length = strlen(name);
  for (const char *at = help; (at = strstr(at, name)); at += length)
    if (at[-1] == ' ' && !isalnum((unsigned char)at[length]) &&
        at[length] != '-')
      return true;
  return false;
}

/// The answer of the only row for `written`; empty if there is none.
static struct row row_find(const char *page, const char *written) {
  struct row found = {.answer = ""};
  size_t count = 0;
  for (const char *line = page; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    struct row row;
    if (row_read(line, &row) && strcmp(row.name, written) == 0) {
      found = row;
      ++count;
    }
  }
  cr_expect(count == 1, "%zu rows for %s", count, written);
  return found;
}

Test(flags_page, has_a_row_for_each_flag_of_mlir_opt) {
  char *page = file_content(PAGE);
  struct command_result derived = command_shell(DERIVE);
  struct command_result help = mlirplug_run("opt", "--help");
  expect_exit(&derived, 0);
  cr_expect(line_count(derived.output) > 100);
  char *rest = derived.output;
  for (char *line; (line = strsep(&rest, "\n")) && *line;) {
    char kind[16], name[80], written[90];
    cr_assert(sscanf(line, "%15s %79s", kind, name) == 2, "%s", line);
    struct row row =
        row_find(page, name_written(kind, name, written, sizeof written));
    bool yes = strcmp(row.answer, "yes") == 0;
    cr_expect(yes || strcmp(row.answer, "no") == 0, "%s: '%s'", written,
              row.answer);
    if (strcmp(kind, "flag") == 0)
      cr_expect(help_shows(help.output, written) == yes,
                "the page says %s for %s, and help another thing", row.answer,
                written);
  }
  command_release(&help);
  command_release(&derived);
  free(page);
}

Test(flags_page, has_no_other_rows) {
  struct command_result rows = command_shell(
      "sed -n 's/^| `-*\\([^`]*\\)` | [a-z]* |.*/\\1/p' %s | sort", PAGE);
  struct command_result names =
      command_shell("%s | cut -d' ' -f2 | sort", DERIVE);
  expect_text(rows.output, names.output);
  command_release(&rows);
  command_release(&names);
}

Test(flags_page, is_right_about_pipelines) {
  struct command_result names =
      command_shell("%s | sed -n 's/^pipeline //p'", DERIVE);
  char *page = file_content(PAGE), *rest = names.output;
  for (char *name; (name = strsep(&rest, "\n")) && *name;) {
    char written[90];
    snprintf(written, sizeof written, "--%s", name);
    bool yes = strcmp(row_find(page, written).answer, "yes") == 0;
    struct command_result result = mlirplug_run_with(
        "module {}",
        (const char *const[]){"opt", "--no-config", written, NULL});
    expect_exit(&result, yes ? 0 : 2);
    command_release(&result);
  }
  command_release(&names);
  free(page);
}
