// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passwords of keys: from the terminal, where they are not shown, or from a
// file.

#ifndef MLIRPLUG_CLI_PASSWORD_H
#define MLIRPLUG_CLI_PASSWORD_H

#include "cli/console.h"

#include <stddef.h>

/// The longest password and its NUL; more is an error.
#define PASSWORD_SIZE 1024

/// Asks on the terminal, whatever standard input is. False after saying why
/// there is none.
bool password_ask(struct console *console, const char *question,
                  char password[PASSWORD_SIZE]);

/// Takes the first line of the file at `path`. False after saying why not.
bool password_read(struct console *console, const char *path,
                   char password[PASSWORD_SIZE]);

#endif // MLIRPLUG_CLI_PASSWORD_H
