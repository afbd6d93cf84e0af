// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/console.h"

#include "cli/json_value.h"
#include "cli/transfer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void console_begin(struct console *console) {
  const char *debug = getenv("MLIRPLUG_DEBUG");
  *console = (struct console){
      .debug = debug && debug[0] && strcmp(debug, "0") != 0,
      .terminal = isatty(STDERR_FILENO) == 1,
  };
}

/// Waits for whoever reads it. Nobody can be told of a failure.
static void text_write(const char *text, size_t length) {
  (void)transfer_write(STDERR_FILENO, text, length);
}

void console_progress_end(struct console *console) {
  static const char erased[] = "\r\033[K";
  if (console->progress_shown)
    text_write(erased, sizeof erased - 1);
  console->progress_shown = false;
}

void console_progress(struct console *console, size_t number, size_t count,
                      const char *name) {
  if (!console->terminal || count < 2)
    return;
  // A line that the terminal would wrap could not be taken back.
  const int shown = 60;
  size_t length = strlen(name);
  const char *end = length > (size_t)shown ? name + length - shown : name;
  char line[128];
  int written =
      snprintf(line, sizeof line, "\r\033[K[%zu/%zu] %s", number, count, end);
  if (written > 0 && (size_t)written < sizeof line)
    text_write(line, (size_t)written);
  console->progress_shown = true;
}

/// "mlirplug: warning: " is a warning.
static const char *severity_of(const char *prefix) {
  static const char *const severities[] = {"note", "debug", "warning"};
  for (size_t i = 0; i < sizeof severities / sizeof *severities; ++i)
    if (strstr(prefix, severities[i]))
      return severities[i];
  return "error";
}

/// False if memory runs out.
static bool json_line_print(const char *prefix, const char *line) {
  bool complete = true;
  json_t *object = json_object();
  json_field(object, "severity", json_text(severity_of(prefix)), &complete);
  json_field(object, "message", json_text(line), &complete);
  json_field(object, "notes", json_array(), &complete);
  char *text = object && complete ? json_dumps(object, 0) : NULL;
  char *whole = NULL;
  int length = text ? asprintf(&whole, "%s\n", text) : -1;
  if (length >= 0)
    text_write(whole, (size_t)length);
  if (length >= 0)
    free(whole);
  free(text);
  json_decref(object);
  return length >= 0;
}

/// In one piece, so that nobody else's line comes between.
static void line_print(struct console *console, const char *prefix,
                       const char *line) {
  console_progress_end(console);
  if (console->json && json_line_print(prefix, line))
    return;
  char *whole = NULL;
  int length = asprintf(&whole, "%s%s\n", prefix, line);
  if (length >= 0) {
    text_write(whole, (size_t)length);
    free(whole);
    return;
  }
  text_write(prefix, strlen(prefix));
  text_write(line, strlen(line));
  text_write("\n", 1);
}

__attribute__((format(printf, 3, 0))) static void
values_print(struct console *console, const char *prefix, const char *format,
             va_list values) {
  char *line = NULL;
  if (vasprintf(&line, format, values) < 0)
    line = NULL;
  line_print(console, prefix, line ? line : "out of memory");
  free(line);
}

void console_error(struct console *console, const char *format, ...) {
  va_list values;
  va_start(values, format);
  values_print(console, "mlirplug: ", format, values);
  va_end(values);
}

void console_note(struct console *console, const char *format, ...) {
  va_list values;
  va_start(values, format);
  values_print(console, "mlirplug: note: ", format, values);
  va_end(values);
}

void console_failure(struct console *console, mlirplug_error *error) {
  console_error(
      console, "%s%s", error ? error->message : "failed",
      error && error->untrusted ? "; to use it nonetheless: --trust=any" : "");
  mlirplug_error_destroy(error);
}

void console_text(struct console *console, const char *text, size_t length) {
  console_progress_end(console);
  text_write(text, length);
}

void console_decision(const char *line, void *console) {
  line_print(console, "mlirplug: debug: ", line);
}

void console_warning(const char *line, void *console) {
  line_print(console, "mlirplug: warning: ", line);
}
