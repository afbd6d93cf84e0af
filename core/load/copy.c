// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/copy.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

static mlirplug_status copy_refuse(const struct file *file, const char *found,
                                   mlirplug_error **error) {
  return error_set(
      error,
      &(mlirplug_error){
          .doing = "cannot load a second image of plugin",
          .subject = file->path,
          .found = found,
          .expected = "a private copy for another copy of MLIR in this process",
          .remedy = "use a process of its own for each copy of MLIR"});
}

/// Null, or why it cannot be copied.
static const char *content_copy(const struct file *file, int to) {
  off_t offset = 0;
  while ((uint64_t)offset < file->identity.size) {
    ssize_t sent = sendfile(to, file->descriptor, &offset,
                            (size_t)(file->identity.size - (uint64_t)offset));
    if (sent <= 0)
      return sent ? strerror(errno) : "the file has become shorter";
  }
  return NULL;
}

/// dlopen of an open file. The descriptor must stay open when that succeeds:
/// the loader knows the object by a name that is the descriptor's number.
static void *descriptor_load(int descriptor) {
  char path[64];
  (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static int memory_create(void) {
  int descriptor = memfd_create("mlirplug-plugin", MFD_CLOEXEC | MFD_EXEC);
  if (descriptor < 0 && errno == EINVAL) // older than Linux 6.3
    descriptor = memfd_create("mlirplug-plugin", MFD_CLOEXEC);
  return descriptor;
}

static int file_create(void) {
  const char *directory = secure_getenv("TMPDIR");
  char *path = NULL;
  if (asprintf(&path, "%s/mlirplug-XXXXXX",
               directory && directory[0] == '/' ? directory : "/tmp") < 0)
    return -1;
  int descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0)
    (void)unlink(path);
  free(path);
  return descriptor;
}

void *copy_load(const struct file *file, mlirplug_error **error) {
  int (*const places[])(void) = {memory_create, file_create};
  struct error_buffer reason = {{0}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
    int descriptor = places[i]();
    const char *problem =
        descriptor < 0 ? strerror(errno) : content_copy(file, descriptor);
    if (problem) {
      error_format(&reason, "%s", problem);
    } else {
      void *handle = descriptor_load(descriptor);
      if (handle)
        return handle;
      error_format(&reason, "%s", dlerror());
    }
    if (descriptor >= 0)
      (void)close(descriptor);
  }
  copy_refuse(file, reason.bytes, error);
  return NULL;
}
