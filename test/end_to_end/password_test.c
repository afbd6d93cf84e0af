// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asking for a password and being ended meanwhile.

#include "run.h"

#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// A shell that leads the session, so that the terminal outlives the command,
/// and tells in the end what the command left.
#define SCRIPT                                                                 \
  "cd \"$0\"; sh -c 'echo $$ >process; exec " MLIRPLUG_BUILD_DIRECTORY         \
  "/bin/mlirplug sign --new-key=a'; echo \"status $?\"; stty -a"

/// Reads what `terminal` shows until `end` is in it, or it ends.
static void terminal_read(int terminal, char *shown, size_t size,
                          const char *end) {
  size_t length = strlen(shown);
  ssize_t count;
  while ((!end || !strstr(shown, end)) && length + 1 < size &&
         (count = read(terminal, shown + length, size - length - 1)) > 0) {
    length += (size_t)count;
    shown[length] = '\0';
  }
}

static void expect_end(int number) {
  char *directory = directory_create(), shown[65536] = "";
  int terminal;
  pid_t shell = forkpty(&terminal, NULL, NULL, NULL);
  cr_assert_geq(shell, 0);
  if (shell == 0) {
    signal(number, SIG_DFL); // Tests in the background may have it ignored.
    execl("/bin/sh", "sh", "-c", SCRIPT, directory, (char *)NULL);
    _exit(127);
  }
  terminal_read(terminal, shown, sizeof shown, ": ");
  char *process = file_content(path_in(directory, "process"));
  cr_assert_eq(kill((pid_t)strtol(process, NULL, 10), number), 0);
  terminal_read(terminal, shown, sizeof shown, NULL);
  cr_assert_eq(waitpid(shell, NULL, 0), shell);
  char status[64];
  (void)snprintf(status, sizeof status, "status %d", 128 + number);
  expect_contains(shown, status);
  expect_contains(shown, "\nisig icanon ");
  expect_contains(shown, " echo ");
  cr_expect_not(file_exists(path_in(directory, "a.key")));
  close(terminal);
  free(process);
  free(directory);
}

Test(password, that_is_ended_by_sigterm_leaves_the_terminal_as_it_was,
     .timeout = 60) {
  expect_end(SIGTERM);
}

Test(password, that_is_ended_by_sigint_leaves_the_terminal_as_it_was,
     .timeout = 60) {
  expect_end(SIGINT);
}

Test(password, that_is_ended_by_sighup_leaves_the_terminal_as_it_was,
     .timeout = 60) {
  expect_end(SIGHUP);
}
