// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Moving bytes through a descriptor: all of them, whatever interrupts it, and
// also where somebody made it non-blocking.

#ifndef MLIRPLUG_CLI_TRANSFER_H
#define MLIRPLUG_CLI_TRANSFER_H

#include <stddef.h>
#include <sys/types.h>

/// Writes all of `bytes`. 0 or an errno.
int transfer_write(int descriptor, const char *bytes, size_t length);

/// Reads some bytes, at most `size`, once there are any. 0 at the end, -1 with
/// errno set.
ssize_t transfer_read(int descriptor, char *bytes, size_t size);

#endif // MLIRPLUG_CLI_TRANSFER_H
