// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told on standard error.

#ifndef MLIRPLUG_CLI_CONSOLE_H
#define MLIRPLUG_CLI_CONSOLE_H

#include <mlirplug/host.h>

struct console {
  bool debug;          ///< Show one line per decision.
  bool json;           ///< Messages are lines of JSON.
  bool terminal;       ///< Standard error is one, so progress may be shown.
  bool progress_shown; ///< The last line on it is a progress line.
};

/// `debug` is asked for by the environment already when MLIRPLUG_DEBUG is set.
void console_begin(struct console *console);

/// One line, "mlirplug: …".
__attribute__((format(printf, 2, 3))) void
console_error(struct console *console, const char *format, ...);

/// The same for an error of the library, which is destroyed. A refusal for want
/// of trust is followed by the option that overrules it.
void console_failure(struct console *console, mlirplug_error *error);

/// "mlirplug: note: …", what helps with something said before.
__attribute__((format(printf, 2, 3))) void
console_note(struct console *console, const char *format, ...);

/// Text that is complete, line ends included.
void console_text(struct console *console, const char *text, size_t length);

/// Callbacks of a host; `console` is a struct console.
void console_decision(const char *line, void *console);
void console_warning(const char *line, void *console);

/// Says which of `count` inputs is being worked on; on a terminal only.
void console_progress(struct console *console, size_t number, size_t count,
                      const char *name);
void console_progress_end(struct console *console);

#endif // MLIRPLUG_CLI_CONSOLE_H
