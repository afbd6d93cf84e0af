// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/transfer.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

/// After a call that failed: whether it is to be tried again, which may be
/// waited for.
static bool may_go_on(int descriptor, short events) {
  if (errno == EINTR)
    return true;
  if (errno != EAGAIN)
    return false;
  struct pollfd waited = {.fd = descriptor, .events = events};
  return poll(&waited, 1, -1) >= 0 || errno == EINTR;
}

int transfer_write(int descriptor, const char *bytes, size_t length) {
  while (length) {
    ssize_t written = write(descriptor, bytes, length);
    if (written < 0 && !may_go_on(descriptor, POLLOUT))
      return errno;
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    }
  }
  return 0;
}

ssize_t transfer_read(int descriptor, char *bytes, size_t size) {
  ssize_t length;
  do
    length = read(descriptor, bytes, size);
  while (length < 0 && may_go_on(descriptor, POLLIN));
  return length;
}
