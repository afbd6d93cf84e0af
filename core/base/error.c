// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "base/error.h"

#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shared by all that ran out of memory, and therefore never freed.
static mlirplug_error out_of_memory = {
    .doing = "cannot go on",
    .found = "out of memory",
    .message = "cannot go on: out of memory",
    .is_exhausted = true,
};

static char *message_compose(const mlirplug_error *parts) {
  struct text text = {0};
  text_add(&text, parts->doing);
  if (parts->subject)
    text_format(&text, " '%s'", parts->subject);
  if (parts->found)
    text_format(&text, ": %s", parts->found);
  if (parts->expected)
    text_format(&text, "; expected %s", parts->expected);
  if (parts->remedy)
    text_format(&text, "; %s", parts->remedy);
  char *message = text_take(&text);
  // One error is one line, whatever a file name or a host says.
  if (message)
    text_make_line(message);
  return message;
}

static bool part_copy(const char **copy, const char *part) {
  *copy = part ? strdup(part) : NULL;
  return *copy || !part;
}

mlirplug_status error_set(mlirplug_error **error, const mlirplug_error *parts) {
  if (!error)
    return MLIRPLUG_FAILED;
  mlirplug_error *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  bool copied = part_copy(&made->doing, parts->doing) &&
                part_copy(&made->subject, parts->subject) &&
                part_copy(&made->found, parts->found) &&
                part_copy(&made->expected, parts->expected) &&
                part_copy(&made->remedy, parts->remedy);
  made->untrusted = parts->untrusted;
  made->is_unsigned = parts->is_unsigned;
  made->is_exhausted = parts->is_exhausted;
  made->message = copied ? message_compose(parts) : NULL;
  if (!made->message) {
    mlirplug_error_destroy(made);
    return error_set_memory(error);
  }
  *error = made;
  return MLIRPLUG_FAILED;
}

mlirplug_status error_set_memory(mlirplug_error **error) {
  if (error)
    *error = &out_of_memory;
  return MLIRPLUG_FAILED;
}

bool error_is_exhaustion(int reason) {
  return reason == ENOMEM || reason == EMFILE || reason == ENFILE;
}

mlirplug_status error_set_exhausted(mlirplug_error **error, const char *doing,
                                    const char *subject, int reason) {
  if (reason == ENOMEM)
    return error_set_memory(error);
  errno = reason; // for %m
  return error_set(
      error,
      &(mlirplug_error){.doing = doing,
                        .subject = subject,
                        .found = error_text("%m"),
                        .remedy = reason == EMFILE
                                      ? "let this process open more files: "
                                        "ulimit -n 1024"
                                      : "close files in other programs, or let "
                                        "the system open more (fs.file-max)",
                        .is_exhausted = true});
}

void mlirplug_error_destroy(mlirplug_error *error) {
  if (!error || error == &out_of_memory)
    return;
  free((void *)error->doing);
  free((void *)error->subject);
  free((void *)error->found);
  free((void *)error->expected);
  free((void *)error->remedy);
  free((void *)error->message);
  free(error);
}

const char *error_format(struct error_buffer *buffer, const char *format, ...) {
  va_list values;
  va_start(values, format);
  (void)vsnprintf(buffer->bytes, sizeof buffer->bytes, format, values);
  va_end(values);
  return buffer->bytes;
}
