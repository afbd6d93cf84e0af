// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/record.h"

#include "cli/output.h"

#include <string.h>

/// True if records are shown on standard output.
static bool records_take_standard_output(const struct records *records) {
  return records->path && strcmp(records->path, "-") == 0;
}

static bool goes_to_file(const struct records *records) {
  return records->path && !records_take_standard_output(records);
}

static bool memory_refuse(const struct records *records) {
  console_error(records->console, "cannot keep the records: out of memory");
  return false;
}

bool records_begin(struct records *records, const char *path,
                   const struct inputs *inputs, struct console *console) {
  *records = (struct records){.path = path, .console = console};
  if (!goes_to_file(records))
    return true;
  const struct input *input = inputs_find(inputs, path);
  if (input) {
    console_error(console,
                  "--records='%s' would overwrite the input '%s'; name another "
                  "file",
                  path, input->name);
    return false;
  }
  return memory_open(&records->file) || memory_refuse(records);
}

bool records_check(const struct records *records) {
  return !goes_to_file(records) ||
         output_check(records->console, records->path);
}

void records_add(const char *line, size_t length, void *user_data) {
  struct records *records = user_data;
  if (!records->input.stream)
    return;
  fwrite(line, 1, length, records->input.stream);
  fputc('\n', records->input.stream);
}

bool records_input_begin(struct records *records) {
  return !records->path || memory_open(&records->input) ||
         memory_refuse(records);
}

bool records_input_end(struct records *records, bool succeeded) {
  if (!records->path)
    return true;
  bool complete = memory_close(&records->input) || memory_refuse(records);
  if (complete && succeeded) {
    const struct memory *input = &records->input;
    if (records_take_standard_output(records))
      complete = output_standard(records->console, input->bytes, input->length);
    else
      complete = fwrite(input->bytes, 1, input->length, records->file.stream) ==
                     input->length ||
                 memory_refuse(records);
  }
  memory_release(&records->input);
  return complete;
}

bool records_end(struct records *records, bool written) {
  bool complete = true;
  if (goes_to_file(records) && written) {
    complete = memory_close(&records->file) || memory_refuse(records);
    complete =
        complete && output_file(records->console, records->path,
                                records->file.bytes, records->file.length);
  }
  memory_release(&records->input);
  memory_release(&records->file);
  *records = (struct records){0};
  return complete;
}
