// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/results.h"

#include "base/text.h"
#include "stock/command.h"
#include "stock/say.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct row {
  size_t index;
  const char *label;
  const mlirplug_pass_description *pass;
  uint64_t *values;
};

// A process has one standard output and ends once.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  int records;      // -1 if none are wanted
  struct text kept; // for standard output
  bool has_failed;  // told of
  bool prints_statistics;
  struct row *rows; // in the order in which they came
  size_t row_count;
} results = {.records = -1};

//===----------------------------------------------------------------------===//
// Beginning
//===----------------------------------------------------------------------===//

static bool statistics_are_wanted(void) {
  const char *wanted = secure_getenv("MLIRPLUG_STATISTICS");
  if (wanted && *wanted)
    return strcmp(wanted, "0") != 0;
  struct text words;
  command_read(&words);
  bool has_flag = command_has_flag(&words, "mlir-pass-statistics");
  text_release(&words);
  return has_flag;
}

mlirplug_status results_begin(mlirplug_error **error) {
  results.prints_statistics = statistics_are_wanted();
  const char *path = secure_getenv("MLIRPLUG_RECORDS");
  if (!path || !*path)
    return MLIRPLUG_OK;
  if (strcmp(path, "-") == 0) {
    results.records = STDOUT_FILENO;
    return MLIRPLUG_OK;
  }
  results.records =
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666);
  if (results.records >= 0)
    return MLIRPLUG_OK;
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot write the records to",
                                     .subject = path,
                                     .found = strerror(errno),
                                     .remedy = "set MLIRPLUG_RECORDS to a file "
                                               "that can be written, or to "
                                               "'-'"});
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static bool bytes_write(int file, const char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(file, bytes, length);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    }
  }
  return true;
}

/// With the lock held.
static void text_write(const struct text *text) {
  bool written =
      !text->failed && bytes_write(results.records, text->bytes, text->length);
  if (written || results.has_failed)
    return;
  results.has_failed = true;
  if (text->failed)
    say_memory();
  else
    say("cannot write the records: %s", strerror(errno));
}

void results_record(const char *line, size_t length, void *unused) {
  (void)unused;
  if (results.records < 0)
    return;
  pthread_mutex_lock(&lock);
  text_add_bytes(&results.kept, line, length);
  text_add(&results.kept, "\n");
  if (results.records != STDOUT_FILENO) {
    text_write(&results.kept);
    text_release(&results.kept);
  }
  pthread_mutex_unlock(&lock);
}

//===----------------------------------------------------------------------===//
// Statistics
//===----------------------------------------------------------------------===//

/// The row of a pass, made if there is none; null if memory runs out.
static struct row *row_find(size_t index, const char *label,
                            const mlirplug_pass_description *pass) {
  for (size_t i = 0; i < results.row_count; ++i)
    if (results.rows[i].index == index && results.rows[i].pass == pass &&
        strcmp(results.rows[i].label, label) == 0)
      return &results.rows[i];
  struct row *rows =
      reallocarray(results.rows, results.row_count + 1, sizeof *rows);
  if (!rows)
    return NULL;
  results.rows = rows;
  struct row *row = &rows[results.row_count];
  *row = (struct row){index, label, pass,
                      calloc(pass->statistic_count, sizeof(uint64_t))};
  if (!row->values)
    return NULL;
  ++results.row_count;
  return row;
}

void results_statistics(size_t index, const char *label,
                        const mlirplug_pass_description *pass,
                        const uint64_t *values) {
  if (!results.prints_statistics || !pass->statistic_count)
    return;
  pthread_mutex_lock(&lock);
  struct row *row = row_find(index, label, pass);
  for (size_t i = 0; row && i < pass->statistic_count; ++i)
    row->values[i] += values[i];
  pthread_mutex_unlock(&lock);
  if (!row)
    say_memory();
}

static void row_print(struct text *text, const struct row *row) {
  text_format(text, "%s\n", row->label);
  for (size_t i = 0; i < row->pass->statistic_count; ++i) {
    const mlirplug_statistic *statistic = row->pass->statistics[i];
    text_format(text, "  (S) %8" PRIu64 " %s", row->values[i], statistic->name);
    if (statistic->help && *statistic->help)
      text_format(text, " - %s", statistic->help);
    text_add(text, "\n");
  }
}

/// As MLIR prints its own, which are not those of plugins.
static void statistics_print(void) {
  static const char line[] = "===---------------------------------------------"
                             "----------------------------===\n";
  struct text text = {0};
  text_format(&text, "%s%25s... Pass statistics report ...\n%s", line, "",
              line);
  for (size_t i = 0; i < results.row_count; ++i)
    row_print(&text, &results.rows[i]);
  if (text.failed)
    say_memory();
  else
    (void)bytes_write(STDERR_FILENO, text.bytes, text.length);
  text_release(&text);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void results_end(void) {
  if (results.kept.length)
    text_write(&results.kept);
  text_release(&results.kept);
  if (results.row_count)
    statistics_print();
  for (size_t i = 0; i < results.row_count; ++i)
    free(results.rows[i].values);
  free(results.rows);
  results.rows = NULL;
  results.row_count = 0;
}
