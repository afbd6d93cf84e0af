// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/file_output.h"

#include "cli/attribute.h"
#include "cli/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Beside the file, hidden, and short: there must be room for it where the
/// file's own name just fits.
static const char temporary_name[] = ".mlirplug-XXXXXX";

/// As many symbolic links in a row as the system follows.
enum { LINKS_AT_MOST = 40 };

/// The length of the directory's part of `path`, with its slash.
static int directory_length(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (int)(slash + 1 - path) : 0;
}

//===----------------------------------------------------------------------===//
// Symbolic links
//===----------------------------------------------------------------------===//

/// What the symbolic link at `path` says, to be freed; null with errno, which
/// is EINVAL if it is none.
static char *link_read(const char *path) {
  char content[PATH_MAX];
  ssize_t length = readlink(path, content, sizeof content);
  if (length < 0)
    return NULL;
  if ((size_t)length == sizeof content) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  char *next = NULL;
  // What is relative starts at the link's own directory.
  int kept = content[0] == '/' ? 0 : directory_length(path);
  if (asprintf(&next, "%.*s%.*s", kept, path, (int)length, content) < 0) {
    errno = ENOMEM;
    return NULL;
  }
  return next;
}

char *file_output_target(const char *path) {
  char *target = strdup(path);
  for (int i = 0; target && i < LINKS_AT_MOST; ++i) {
    char *next = link_read(target);
    if (!next && (errno == EINVAL || errno == ENOENT))
      return target;
    free(target);
    target = next;
  }
  if (target)
    errno = ELOOP;
  free(target);
  return NULL;
}

//===----------------------------------------------------------------------===//
// In place
//===----------------------------------------------------------------------===//

/// Writes to what is there: a file, a device, a pipe.
static int in_place_write(const char *path, const char *bytes, size_t length) {
  int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0)
    return errno;
  struct stat status;
  int error = transfer_write(descriptor, bytes, length);
  // Only now, so that a full disk need not find room for what had some before.
  if (!error && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
      ftruncate(descriptor, (off_t)length) != 0)
    error = errno;
  if (close(descriptor) != 0 && !error)
    error = errno;
  return error;
}

/// Standard output or standard error if it is the file `file` and can be
/// written to, so that what is written comes behind what is there; or -1.
static int standard_stream_find(const struct stat *file) {
  for (int stream = STDOUT_FILENO; stream <= STDERR_FILENO; ++stream) {
    struct stat status;
    int flags = fcntl(stream, F_GETFL);
    if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
        fstat(stream, &status) == 0 && status.st_dev == file->st_dev &&
        status.st_ino == file->st_ino)
      return stream;
  }
  return -1;
}

//===----------------------------------------------------------------------===//
// By another file
//===----------------------------------------------------------------------===//

static mode_t new_file_mode(void) {
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Opens a file beside `path`, whose name is to be freed.
static int temporary_open(const char *path, char **name) {
  if (asprintf(name, "%.*s%s", directory_length(path), path, temporary_name) <
      0) {
    *name = NULL;
    errno = ENOMEM;
    return -1;
  }
  int descriptor = mkostemp(*name, O_CLOEXEC);
  if (descriptor < 0) {
    free(*name);
    *name = NULL;
  }
  return descriptor;
}

/// Makes a new file like the one at `path`, which is `old`, or like any new one
/// if that is null. False with errno if that cannot be.
static bool likeness_make(int descriptor, const char *path,
                          const struct stat *old) {
  struct stat made;
  if (!old)
    return fchmod(descriptor, new_file_mode()) == 0;
  if (fstat(descriptor, &made) != 0)
    return false;
  if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
      fchown(descriptor, old->st_uid, old->st_gid) != 0)
    return false;
  if (fchmod(descriptor, old->st_mode & 07777) != 0)
    return false;
  // An access list among them may be what keeps others out.
  if (attributes_are_same(path, descriptor))
    return true;
  errno = EPERM;
  return false;
}

/// Writes a file beside `path` and puts it in the place of `old`, which is null
/// if there is none.
static int file_replace(const char *path, const struct stat *old,
                        const char *bytes, size_t length) {
  char *temporary;
  int descriptor = temporary_open(path, &temporary);
  if (descriptor < 0)
    return errno;
  int error = likeness_make(descriptor, path, old)
                  ? transfer_write(descriptor, bytes, length)
                  : errno;
  if (close(descriptor) != 0 && !error)
    error = errno;
  if (!error && rename(temporary, path) != 0)
    error = errno;
  if (error)
    unlink(temporary);
  free(temporary);
  return error;
}

/// Whether the error is that files may not be made, given away or replaced in
/// this directory; writing to one that is there may work.
static bool is_forbidden(int error) {
  switch (error) {
  case EACCES:
  case EPERM:
  case EROFS:
  case ENAMETOOLONG:
  case EINVAL: // an owner that this user namespace does not have
  case EBUSY:  // a mount point
  case EXDEV:
    return true;
  default:
    return false;
  }
}

/// The path of the file `old`, which is what `path` leads to, without symbolic
/// links, to be freed; null if it has none, such as one that was deleted and is
/// named by its descriptor.
static char *old_file_path(const char *path, const struct stat *old) {
  struct stat status;
  char *real = realpath(path, NULL);
  if (real && stat(real, &status) == 0 && status.st_dev == old->st_dev &&
      status.st_ino == old->st_ino)
    return real;
  free(real);
  return NULL;
}

/// Writes what is there, whose status is `old`.
static int old_file_write(const char *path, const struct stat *old,
                          const char *bytes, size_t length) {
  if (S_ISDIR(old->st_mode))
    return EISDIR;
  int stream = standard_stream_find(old);
  if (stream >= 0)
    return transfer_write(stream, bytes, length);
  // A device cannot be replaced. Other names of a file would keep what it held.
  if (!S_ISREG(old->st_mode) || old->st_nlink > 1)
    return in_place_write(path, bytes, length);
  // A file that may not be written to is not to be replaced either.
  if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
    return errno;
  char *real = old_file_path(path, old);
  int error = real ? file_replace(real, old, bytes, length) : EXDEV;
  free(real);
  return is_forbidden(error) ? in_place_write(path, bytes, length) : error;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

int file_output_write(const char *path, const char *bytes, size_t length) {
  struct stat status;
  if (stat(path, &status) == 0)
    return old_file_write(path, &status, bytes, length);
  if (errno != ENOENT)
    return errno;
  char *target = file_output_target(path);
  if (!target)
    return errno;
  int error = file_replace(target, NULL, bytes, length);
  free(target);
  return error;
}

/// Whether a new file can be made at `path`, at the end of symbolic links.
static int new_file_check(const char *path) {
  char *target = file_output_target(path);
  if (!target)
    return errno;
  int length = directory_length(target);
  char *directory = length ? strndup(target, (size_t)length) : strdup(".");
  free(target);
  if (!directory)
    return ENOMEM;
  int error =
      faccessat(AT_FDCWD, directory, W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
  free(directory);
  return error;
}

int file_output_check(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0)
    return errno == ENOENT ? new_file_check(path) : errno;
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  return standard_stream_find(&status) >= 0 ||
                 faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0
             ? 0
             : errno;
}
