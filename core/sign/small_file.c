// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/small_file.h"

#include "find/path.h"
#include "find/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

mlirplug_status small_file_refuse(const struct small_file *file,
                                  const char *found, const char *remedy,
                                  mlirplug_error **error) {
  return error_set(
      error,
      &(mlirplug_error){.doing = error_text("cannot read the %s", file->kind),
                        .subject = file->path,
                        .found = found,
                        .expected = file->expected,
                        .remedy = remedy});
}

static mlirplug_status refuse_errno(const struct small_file *file, int reason,
                                    mlirplug_error **error) {
  if (error_is_exhaustion(reason))
    return error_set_exhausted(error,
                               error_text("cannot read the %s", file->kind),
                               file->path, reason);
  errno = reason; // for %m
  return small_file_refuse(file, error_text("%m"),
                           "check the path and its permissions", error);
}

mlirplug_status small_file_distrust(const char *kind, mlirplug_error *problem,
                                    mlirplug_error **error) {
  if (!problem->subject) // want of memory
    return error_set_memory(error);
  error_set(error,
            &(mlirplug_error){.doing = error_text("cannot trust the %s", kind),
                              .subject = problem->subject,
                              .found = problem->found,
                              .expected = problem->expected,
                              .remedy = problem->remedy,
                              .is_exhausted = problem->is_exhausted});
  mlirplug_error_destroy(problem);
  return MLIRPLUG_FAILED;
}

static mlirplug_status check_trust(const struct small_file *file,
                                   int descriptor, mlirplug_error **error) {
  char *path = path_make_absolute(file->path);
  if (!path)
    return refuse_errno(file, errno, error);
  mlirplug_error *problem = NULL;
  (void)trust_check(&(struct file){.descriptor = descriptor, .path = path},
                    TRUST_FOUND, &problem);
  free(path);
  return problem ? small_file_distrust(file->kind, problem, error)
                 : MLIRPLUG_OK;
}

/// What is there, up to `room` bytes; -1 with errno set if it cannot be read.
static ssize_t read_all(int descriptor, char *bytes, size_t room) {
  size_t length = 0;
  while (length < room) {
    ssize_t count = read(descriptor, bytes + length, room - length);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return -1;
    if (count == 0)
      break;
    length += (size_t)count;
  }
  return (ssize_t)length;
}

static mlirplug_status read_text(const struct small_file *file, int descriptor,
                                 char **text, mlirplug_error **error) {
  char *bytes = malloc(file->limit + 2);
  if (!bytes)
    return error_set_memory(error);
  mlirplug_status result = MLIRPLUG_FAILED;
  ssize_t length = read_all(descriptor, bytes, file->limit + 1);
  if (length < 0) {
    refuse_errno(file, errno, error);
  } else if ((size_t)length > file->limit) {
    small_file_refuse(file,
                      error_text("it has more than %zu bytes", file->limit),
                      "give the right file", error);
  } else if (memchr(bytes, '\0', (size_t)length)) {
    small_file_refuse(file, "it is no text: there is a zero byte in it",
                      "give the right file", error);
  } else {
    bytes[length] = '\0';
    *text = bytes;
    bytes = NULL;
    result = MLIRPLUG_OK;
  }
  free(bytes);
  return result;
}

static mlirplug_status read_descriptor(const struct small_file *file,
                                       int descriptor, char **text,
                                       mlirplug_error **error) {
  struct stat status;
  if (fstat(descriptor, &status) != 0)
    return refuse_errno(file, errno, error);
  if (!S_ISREG(status.st_mode))
    return small_file_refuse(file, "it is no regular file",
                             "give the right file", error);
  if (file->must_be_trusted &&
      check_trust(file, descriptor, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return read_text(file, descriptor, text, error);
}

/// Cuts the last name off; false if only the root was left.
static bool parent_take(char *path) {
  char *slash = strrchr(path, '/');
  if (!slash || !path[1])
    return false;
  slash[slash == path] = '\0';
  return true;
}

/// Follows a path that cannot be opened up to what is there: a directory, and
/// so the file is truly absent, or what keeps the path from leading on, which
/// stays in `path`.
static bool is_absent(char *path) {
  struct stat status;
  bool is_file = true;
  do {
    if (lstat(path, &status) == 0)
      return !is_file && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (errno != ENOENT && errno != ENOTDIR)
      return false;
    is_file = false;
  } while (parent_take(path));
  return false;
}

/// What becomes of a file that `must_be_absent` and cannot be opened.
static mlirplug_status absence_check(const struct small_file *file,
                                     mlirplug_error **error) {
  char *path = path_make_absolute(file->path);
  if (!path)
    return refuse_errno(file, errno, error);
  size_t length = strlen(path);
  mlirplug_status result = MLIRPLUG_OK;
  if (!is_absent(path))
    result = small_file_refuse(
        file,
        error_text("it cannot be told whether there is one, for '%s' leads to "
                   "no %s",
                   path, strlen(path) == length ? "file" : "directory"),
        "mend or remove what is there", error);
  free(path);
  return result;
}

mlirplug_status small_file_read(const struct small_file *file, char **text,
                                mlirplug_error **error) {
  // Without O_NONBLOCK a fifo would wait for a writer; O_NOCTTY keeps a
  // terminal from becoming ours.
  int descriptor =
      open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 && file->may_be_missing &&
      (errno == ENOENT || errno == ENOTDIR)) {
    *text = NULL;
    return file->must_be_absent ? absence_check(file, error) : MLIRPLUG_OK;
  }
  if (descriptor < 0)
    return refuse_errno(file, errno, error);
  mlirplug_status result = read_descriptor(file, descriptor, text, error);
  close(descriptor);
  return result;
}
