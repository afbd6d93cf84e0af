// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/password.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

enum { control_c = 3 };

/// Reads a byte as read does, but fails with ECANCELED once there is something
/// in `signals`, which may be -1.
static ssize_t byte_read(int descriptor, int signals, char *byte) {
  for (;;) {
    struct pollfd waited[] = {{.fd = descriptor, .events = POLLIN},
                              {.fd = signals, .events = POLLIN}};
    if (poll(waited, 2, -1) < 0 && errno != EINTR)
      return -1;
    if (waited[1].revents) {
      errno = ECANCELED;
      return -1;
    }
    ssize_t count = waited[0].revents ? read(descriptor, byte, 1) : -1;
    if (count >= 0 || (waited[0].revents && errno != EINTR && errno != EAGAIN))
      return count;
  }
}

/// Reads up to the end of the line or file, or a Ctrl-C; the length, or -1
/// with errno set.
static ssize_t line_read(int descriptor, int signals,
                         char password[PASSWORD_SIZE]) {
  size_t length = 0;
  for (;;) {
    char next;
    ssize_t count = byte_read(descriptor, signals, &next);
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
    console_error(console, "the password is empty (--no-password makes a key "
                           "without one)");
  else if (strlen(password) != (size_t)length)
    console_error(console, "the password has a zero byte in it");
  else
    return true;
  return false;
}

//===----------------------------------------------------------------------===//
// The terminal
//===----------------------------------------------------------------------===//

/// Keeps the signals that would end the process waiting, so that the terminal
/// can be restored first; those that are ignored stay so. A descriptor that has
/// them, or -1 with errno.
static int signals_hold(sigset_t *before) {
  static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  sigset_t held;
  sigemptyset(&held);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; ++i) {
    struct sigaction action;
    if (sigaction(ending[i], NULL, &action) == 0 &&
        action.sa_handler != SIG_IGN)
      sigaddset(&held, ending[i]);
  }
  int signals = signalfd(-1, &held, SFD_CLOEXEC);
  if (signals >= 0)
    sigprocmask(SIG_BLOCK, &held, before);
  return signals;
}

/// The process ends here if one of them came.
static void signals_release(int signals, const sigset_t *before) {
  close(signals);
  sigprocmask(SIG_SETMASK, before, NULL);
}

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

/// Reads the answer; the length, or -1 with errno set.
static ssize_t answer_read(int terminal, int signals, const char *question,
                           char password[PASSWORD_SIZE]) {
  struct termios before;
  if (!echo_stop(terminal, &before))
    return -1;
  dprintf(terminal, "%s: ", question);
  ssize_t length = line_read(terminal, signals, password);
  int reason = errno;
  (void)tcsetattr(terminal, TCSAFLUSH, &before);
  dprintf(terminal, "\n");
  errno = reason;
  return length;
}

static bool terminal_ask(struct console *console, int terminal,
                         const char *question, char password[PASSWORD_SIZE]) {
  sigset_t before;
  int signals = signals_hold(&before);
  if (signals < 0) {
    console_error(console, "cannot ask for the password: %m");
    return false;
  }
  ssize_t length = answer_read(terminal, signals, question, password);
  int reason = errno;
  signals_release(signals, &before);
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
  ssize_t length = line_read(descriptor, -1, password);
  int reason = errno;
  close(descriptor);
  errno = reason;
  return line_check(console, path, length, password);
}
