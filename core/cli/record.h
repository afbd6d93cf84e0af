// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where records go: nowhere, to standard output or to a file. The records of an
// input are kept until it is done, and dropped if it fails.

#ifndef MLIRPLUG_CLI_RECORD_H
#define MLIRPLUG_CLI_RECORD_H

#include "cli/input.h"
#include "cli/memory.h"

/// Zero bytes drop all records.
struct records {
  const char *path; ///< "-" for standard output; null for nowhere.
  struct console *console;
  struct memory input; ///< Of the input under way.
  struct memory file;  ///< Of those done, for a file.
};

/// `path` is what --records says, or null. False after saying why not.
bool records_begin(struct records *records, const char *path,
                   const struct inputs *inputs, struct console *console);

/// Whether the file of the records can be written, as far as can be told
/// beforehand; false after saying why not.
bool records_check(const struct records *records);

/// A callback of a manager; `user_data` is a struct records.
void records_add(const char *line, size_t length, void *user_data);

/// Around the run of one input. False after saying what went wrong.
bool records_input_begin(struct records *records);
bool records_input_end(struct records *records, bool succeeded);

/// Writes the file, unless no input was `written`; frees everything.
bool records_end(struct records *records, bool written);

#endif // MLIRPLUG_CLI_RECORD_H
