// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opening a plugin file: nothing but a regular file that can be read, and never
// mapped into memory while others may write to it.

#ifndef MLIRPLUG_FIND_FILE_H
#define MLIRPLUG_FIND_FILE_H

#include "base/error.h"

#include <sys/stat.h>

/// Which file, in which state: a file that was rebuilt is another one, even
/// where the file system gave it the old one's number.
struct file_identity {
  dev_t device;
  ino_t inode;
  uint64_t size; ///< In bytes.
  struct timespec modified;
};

struct file_identity file_identity_of(const struct stat *status);

bool file_identity_equal(const struct file_identity *left,
                         const struct file_identity *right);

/// An open file and what it was when it was opened.
struct file {
  int descriptor; ///< Owned; -1 when closed.
  char *path;     ///< Absolute, owned.
  struct file_identity identity;
};

/// Opens `path`, which is taken relative to the working directory. Refuses what
/// is missing, empty, a directory, or no regular file; never blocks on a fifo.
mlirplug_status file_open(const char *path, struct file *file,
                          mlirplug_error **error);

void file_close(struct file *file);

#endif // MLIRPLUG_FIND_FILE_H
