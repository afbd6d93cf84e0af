// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "find/file.h"

#include "find/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file_identity file_identity_of(const struct stat *status) {
  return (struct file_identity){.device = status->st_dev,
                                .inode = status->st_ino,
                                .size = (uint64_t)status->st_size,
                                .modified = status->st_mtim};
}

bool file_identity_equal(const struct file_identity *left,
                         const struct file_identity *right) {
  return left->device == right->device && left->inode == right->inode &&
         left->size == right->size &&
         left->modified.tv_sec == right->modified.tv_sec &&
         left->modified.tv_nsec == right->modified.tv_nsec;
}

static const char doing[] = "cannot open the plugin";

static mlirplug_status refuse(const char *path, const char *found,
                              const char *remedy, mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = doing,
                                            .subject = path,
                                            .found = found,
                                            .remedy = remedy});
}

/// `path` behind the working directory; null with the error set on failure.
static char *path_complete(const char *path, mlirplug_error **error) {
  char *made = path_make_absolute(path);
  if (!made && errno == ENOMEM)
    (void)error_set_memory(error);
  else if (!made)
    (void)refuse(path, error_text("the working directory is gone: %m"),
                 "give an absolute path", error);
  return made;
}

static mlirplug_status refuse_to_open(const char *path, bool is_relative,
                                      int reason, mlirplug_error **error) {
  errno = reason; // for %m
  switch (reason) {
  case ENOENT:
  case ENOTDIR:
    return refuse(path, error_text("%m"),
                  is_relative ? "check the path; a relative one starts at the "
                                "working directory"
                              : "check the path",
                  error);
  case EACCES:
    return refuse(path, error_text("%m"),
                  error_text("chmod a+r '%s', and let its directories be "
                             "entered (a+x)",
                             path),
                  error);
  case ENXIO:
    return refuse(path, "it is a socket or a device without a driver",
                  "give the plugin's .so file", error);
  case ENOMEM:
  case EMFILE:
  case ENFILE:
    return error_set_exhausted(error, doing, path, reason);
  default:
    return refuse(path, error_text("%m"), "check the path", error);
  }
}

/// What the file is, if it is no regular file.
static const char *kind_of_file(mode_t mode) {
  switch (mode & S_IFMT) {
  case S_IFREG:
    return NULL;
  case S_IFDIR:
    return "it is a directory";
  case S_IFIFO:
    return "it is a pipe (fifo)";
  case S_IFCHR:
  case S_IFBLK:
    return "it is a device";
  default:
    return "it is no regular file";
  }
}

static mlirplug_status check_status(const char *path, const struct stat *status,
                                    mlirplug_error **error) {
  const char *other_kind = kind_of_file(status->st_mode);
  if (other_kind)
    return refuse(path, other_kind, "give the plugin's .so file", error);
  if (status->st_size == 0)
    return refuse(path, "the file is empty (0 bytes)",
                  "build or copy the plugin again", error);
  return MLIRPLUG_OK;
}

mlirplug_status file_open(const char *path, struct file *file,
                          mlirplug_error **error) {
  // dlopen("") is the main program; nobody means that.
  if (!path || !*path)
    return error_set(error,
                     &(mlirplug_error){.doing = doing,
                                       .subject = "",
                                       .found = "the path is empty",
                                       .remedy = "give the plugin's .so file"});
  char *absolute = path_complete(path, error);
  if (!absolute)
    return MLIRPLUG_FAILED;

  struct stat status;
  // Without O_NONBLOCK a fifo would wait for a writer; O_NOCTTY keeps a
  // terminal from becoming ours.
  int descriptor = open(absolute, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    refuse_to_open(absolute, path[0] != '/', errno, error);
    goto done;
  }
  if (check_status(absolute, &status, error) != MLIRPLUG_OK)
    goto done;
  *file = (struct file){.descriptor = descriptor,
                        .path = absolute,
                        .identity = file_identity_of(&status)};
  return MLIRPLUG_OK;

done:
  if (descriptor >= 0)
    close(descriptor);
  free(absolute);
  return MLIRPLUG_FAILED;
}

void file_close(struct file *file) {
  if (file->descriptor >= 0)
    close(file->descriptor);
  free(file->path);
  file->descriptor = -1;
  file->path = NULL;
}
