// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/output.h"

#include "cli/file_output.h"
#include "cli/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

void output_begin(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // Opened the wrong way round, so that using it is an error all the same.
  const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (fcntl(descriptor, F_GETFD) < 0 &&
        open("/dev/null", modes[descriptor]) != descriptor)
      return;
}

bool output_standard(struct console *console, const char *bytes,
                     size_t length) {
  console_progress_end(console);
  int error = transfer_write(STDOUT_FILENO, bytes, length);
  if (!error)
    return true;
  // Whoever read it has read enough, as `head` does.
  if (error != EPIPE)
    console_error(console, "cannot write to standard output: %s",
                  strerror(error));
  return false;
}

bool output_memory(struct console *console, struct memory *memory) {
  bool complete = memory_close(memory);
  if (!complete)
    console_error(console, "out of memory");
  complete =
      complete && output_standard(console, memory->bytes, memory->length);
  memory_release(memory);
  return complete;
}

bool output_check(struct console *console, const char *path) {
  int error = file_output_check(path);
  if (!error)
    return true;
  console_error(console, "cannot write '%s': %s", path, strerror(error));
  return false;
}

bool output_file(struct console *console, const char *path, const char *bytes,
                 size_t length) {
  int error = file_output_write(path, bytes, length);
  if (!error)
    return true;
  console_error(console, "cannot write '%s': %s", path, strerror(error));
  return false;
}
