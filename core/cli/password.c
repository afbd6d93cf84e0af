// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/password.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { control_c = 3 };

/// Reads up to the end of the line or file, or a Ctrl-C; the length, or -1
/// with errno set.
static ssize_t line_read(int descriptor, char password[PASSWORD_SIZE]) {
  size_t length = 0;
  for (;;) {
    char next;
    ssize_t count = read(descriptor, &next, 1);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return -1;
    if (count == 0 || next == '\n')
      break;
    if (length + 1 == PASSWORD_SIZE) {
      errno = EMSGSIZE;
      return -1;
    }
    password[length++] = next;
    if (next == control_c)
      break;
  }
  if (length && password[length - 1] == '\r')
    --length;
  password[length] = '\0';
  return (ssize_t)length;
}

static bool line_check(struct console *console, const char *where,
                       ssize_t length, const char *password) {
  if (length < 0 && errno == EMSGSIZE)
    console_error(console, "the password in '%s' is too long", where);
  else if (length < 0)
    console_error(console, "cannot read the password from '%s': %m", where);
  else if (length == 0)
    console_error(console, "the password is empty");
  else if (strlen(password) != (size_t)length)
    console_error(console, "the password has a zero byte in it");
  else
    return true;
  return false;
}

//===----------------------------------------------------------------------===//
// The terminal
//===----------------------------------------------------------------------===//

/// What was typed before the question is no answer to it, and nothing that is
/// typed shows. Ctrl-C ends the line instead of the process, so that the
/// terminal is left as it was.
static bool echo_stop(int terminal, struct termios *before) {
  if (tcgetattr(terminal, before) != 0)
    return false;
  struct termios silent = *before;
  silent.c_lflag &= ~(tcflag_t)(ECHO | ISIG);
  silent.c_lflag |= ICANON;
  silent.c_cc[VEOL] = control_c;
  return tcsetattr(terminal, TCSAFLUSH, &silent) == 0;
}

static bool terminal_ask(struct console *console, int terminal,
                         const char *question, char password[PASSWORD_SIZE]) {
  struct termios before;
  if (!echo_stop(terminal, &before)) {
    console_error(console, "cannot ask for the password: %m");
    return false;
  }
  dprintf(terminal, "%s: ", question);
  ssize_t length = line_read(terminal, password);
  int reason = errno;
  (void)tcsetattr(terminal, TCSAFLUSH, &before);
  dprintf(terminal, "\n");
  errno = reason;
  if (length > 0 && password[length - 1] == control_c) {
    console_error(console, "no password: interrupted");
    return false;
  }
  return line_check(console, "/dev/tty", length, password);
}

bool password_ask(struct console *console, const char *question,
                  char password[PASSWORD_SIZE]) {
  int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  if (terminal < 0) {
    console_error(console, "there is no terminal to ask for the password; "
                           "give it by --password-file=FILE");
    return false;
  }
  bool asked = terminal_ask(console, terminal, question, password);
  close(terminal);
  return asked;
}

//===----------------------------------------------------------------------===//
// A file
//===----------------------------------------------------------------------===//

bool password_read(struct console *console, const char *path,
                   char password[PASSWORD_SIZE]) {
  int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return line_check(console, path, -1, password);
  ssize_t length = line_read(descriptor, password);
  int reason = errno;
  close(descriptor);
  errno = reason;
  return line_check(console, path, length, password);
}
