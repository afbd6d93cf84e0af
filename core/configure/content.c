// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/content.h"

#include "find/path.h"
#include "find/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static mlirplug_status refuse(const char *doing, const char *path,
                              const char *found, const char *remedy,
                              mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = doing,
                                            .subject = path,
                                            .found = found,
                                            .remedy = remedy});
}

static mlirplug_status refuse_access(const char *doing, const char *path,
                                     int reason, mlirplug_error **error) {
  if (error_is_exhaustion(reason))
    return error_set_exhausted(error, doing, path, reason);
  errno = reason; // for %m
  return refuse(doing, path, error_text("%m"),
                "check the path, and who may read it", error);
}

static mlirplug_status refuse_kind(const char *doing, const char *path,
                                   mlirplug_error **error) {
  return refuse(doing, path, "it is no regular file",
                "put a text file in its place, or remove it", error);
}

static mlirplug_status refuse_size(const char *doing, const char *path,
                                   mlirplug_error **error) {
  return refuse(doing, path,
                error_text("it is larger than %d bytes", content_size_at_most),
                "look at what is in it", error);
}

mlirplug_status content_open(const char *doing, const char *path, bool *missing,
                             struct file *file, mlirplug_error **error) {
  if (missing)
    *missing = false;
  if (!*path)
    return refuse(doing, path, "the path is empty", "give a file", error);
  char *absolute = path_make_absolute(path);
  if (!absolute)
    return refuse_access(doing, path, errno, error);
  // Without O_NONBLOCK a fifo would wait for a writer.
  int descriptor = open(absolute, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat status;
  mlirplug_status result = MLIRPLUG_OK;
  if (descriptor < 0 && errno == ENOENT && missing) {
    *missing = true;
    result = MLIRPLUG_FAILED;
  } else if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    result = errno == ENXIO ? refuse_kind(doing, absolute, error)
                            : refuse_access(doing, absolute, errno, error);
  } else if (!S_ISREG(status.st_mode)) {
    result = refuse_kind(doing, absolute, error);
  }
  if (result == MLIRPLUG_OK) {
    *file = (struct file){.descriptor = descriptor,
                          .path = absolute,
                          .identity = file_identity_of(&status)};
    return MLIRPLUG_OK;
  }
  if (descriptor >= 0)
    close(descriptor);
  free(absolute);
  return result;
}

mlirplug_status content_trust(const char *doing, const struct file *file,
                              mlirplug_error **error) {
  mlirplug_status status = trust_check_as(doing, file, TRUST_FOUND, error);
  // Want of memory is an error that all share, and not untrusted.
  if (status != MLIRPLUG_OK && error && (*error)->untrusted)
    (*error)->untrusted = false;
  return status;
}

mlirplug_status content_read(const char *doing, const struct file *file,
                             char **bytes, size_t *length,
                             mlirplug_error **error) {
  if (file->identity.size > content_size_at_most)
    return refuse_size(doing, file->path, error);
  // One more byte than there may be shows a file that grew.
  size_t room = (size_t)file->identity.size + 1;
  char *made = malloc(room);
  if (!made)
    return error_set_memory(error);
  size_t count = 0;
  ssize_t got = 1;
  while (count < room && got != 0) {
    got = pread(file->descriptor, made + count, room - count, (off_t)count);
    if (got < 0 && errno != EINTR)
      break;
    count += got > 0 ? (size_t)got : 0;
  }
  mlirplug_status result = MLIRPLUG_OK;
  if (got < 0)
    result = refuse_access(doing, file->path, errno, error);
  else if (count == room)
    result = refuse(doing, file->path, "it was written to while it was read",
                    "try again", error);
  if (result != MLIRPLUG_OK) {
    free(made);
    return result;
  }
  *bytes = made;
  *length = count;
  return MLIRPLUG_OK;
}
