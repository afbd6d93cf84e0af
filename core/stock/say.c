// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/say.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void say(const char *format, ...) {
  char *line = NULL;
  va_list values;
  va_start(values, format);
  int length = vasprintf(&line, format, values);
  va_end(values);
  if (length < 0) {
    say_memory();
    return;
  }
  text_make_line(line);
  dprintf(STDERR_FILENO, "mlirplug: %s\n", line);
  free(line);
}

void say_error(mlirplug_error *error) {
  say("%s", error->message);
  mlirplug_error_destroy(error);
}

void say_memory(void) {
  dprintf(STDERR_FILENO, "mlirplug: cannot go on: out of memory\n");
}
