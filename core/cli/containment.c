// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/containment.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/// A positive number, with nothing behind it.
static bool number_read(const char *text, double largest, double *number) {
  char *end;
  errno = 0;
  *number = strtod(text, &end);
  return end != text && !*end && !errno && isfinite(*number) && *number > 0 &&
         *number <= largest;
}

//===----------------------------------------------------------------------===//
// The child
//===----------------------------------------------------------------------===//

/// Adds a string behind the others, for which there is room.
__attribute__((format(printf, 2, 3))) static bool
string_add(char **strings, const char *format, ...) {
  while (*strings)
    ++strings;
  va_list values;
  va_start(values, format);
  bool made = vasprintf(strings, format, values) >= 0;
  va_end(values);
  if (!made)
    *strings = NULL;
  return made;
}

/// The program that this is, also after its file was replaced, with all that
/// its context is to be like ours (isolated.c).
static bool command_make(const struct arguments *arguments, char ***command) {
  const struct argument_texts *dialects = &arguments->dialect_plugins;
  const struct argument_settings *settings = &arguments->settings;
  char **made = calloc(dialects->count + settings->count + 5, sizeof(char *));
  *command = made;
  bool complete = made && string_add(made, "/proc/self/exe") &&
                  string_add(made, MLIRPLUG_ISOLATED_COMMAND);
  if (complete && arguments->irdl_file)
    complete = string_add(made, "--irdl-file=%s", arguments->irdl_file);
  if (complete && arguments->verify_diagnostics)
    complete = string_add(made, "--verify-diagnostics");
  for (size_t i = 0; complete && i < dialects->count; ++i)
    complete = string_add(made, "--load-dialect-plugin=%s", dialects->items[i]);
  for (size_t i = 0; complete && i < settings->count; ++i)
    complete = string_add(made, "--%s=%s", settings->items[i].name,
                          settings->items[i].value);
  return complete;
}

//===----------------------------------------------------------------------===//
// The arguments
//===----------------------------------------------------------------------===//

static bool timeout_read(const char *text, double *seconds,
                         struct console *console) {
  const double year = 366.0 * 86400;
  if (!text || number_read(text, year, seconds))
    return true;
  console_error(console,
                "'--pass-timeout' is '%s'; expected a number of seconds, such "
                "as 10 or 0.5",
                text);
  return false;
}

static bool memory_read(const struct arguments *arguments, uint64_t *bytes,
                        struct console *console) {
  const double largest = 1 << 30;
  double mebibytes = 0;
  if (!arguments->isolate_memory)
    return true;
  if (!arguments->isolate) {
    console_error(console, "'--isolate-memory' is the limit of a pass's own "
                           "process: give --isolate, too");
    return false;
  }
  if (number_read(arguments->isolate_memory, largest, &mebibytes) &&
      mebibytes >= 1) {
    *bytes = (uint64_t)(mebibytes * (1 << 20));
    return true;
  }
  console_error(console,
                "'--isolate-memory' is '%s'; expected a number of MiB, such "
                "as 4096",
                arguments->isolate_memory);
  return false;
}

bool containment_read(const struct arguments *arguments,
                      struct containment *containment,
                      struct console *console) {
  *containment = (struct containment){.command = NULL};
  if (!timeout_read(arguments->pass_timeout, &containment->timeout_seconds,
                    console) ||
      !memory_read(arguments, &containment->memory_bytes, console))
    return false;
  if (!arguments->isolate || command_make(arguments, &containment->command))
    return true;
  console_error(console, "out of memory");
  containment_release(containment);
  return false;
}

void containment_release(struct containment *containment) {
  for (char **string = containment->command; string && *string; ++string)
    free(*string);
  free(containment->command);
  *containment = (struct containment){.command = NULL};
}

void containment_configure(const struct containment *containment,
                           mlirplug_manager_configuration *configuration) {
  if (!containment->command)
    return;
  configuration->isolate_command = (const char *const *)containment->command;
  configuration->pass_timeout_seconds = containment->timeout_seconds;
  configuration->isolate_memory_bytes = containment->memory_bytes;
}
