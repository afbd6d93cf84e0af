// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/console.h"

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

void console_progress_end(struct console *console) {
  if (!console->progress_shown)
    return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
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
  fprintf(stderr, "\r\033[K[%zu/%zu] %s", number, count, end);
  fflush(stderr);
  console->progress_shown = true;
}

static void line_print(struct console *console, const char *prefix,
                       const char *line) {
  console_progress_end(console);
  fprintf(stderr, "%s%s\n", prefix, line);
}

static void values_print(struct console *console, const char *prefix,
                         const char *format, va_list values) {
  console_progress_end(console);
  flockfile(stderr);
  fputs(prefix, stderr);
  vfprintf(stderr, format, values);
  fputc('\n', stderr);
  funlockfile(stderr);
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
  fwrite(text, 1, length, stderr);
}

void console_decision(const char *line, void *console) {
  line_print(console, "mlirplug: debug: ", line);
}

void console_warning(const char *line, void *console) {
  line_print(console, "mlirplug: warning: ", line);
}
