// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/copy.h"

#include "load/reason.h"
#include "read/libraries.h"

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

static mlirplug_status copy_refuse(const struct file *file, bool is_demanded,
                                   const char *found, mlirplug_error **error) {
  if (is_demanded)
    return error_set(
        error, &(mlirplug_error){
                   .doing = "cannot load the copy that was verified of plugin",
                   .subject = file->path,
                   .found = found,
                   .expected = "a private copy, which nobody can change",
                   .remedy = "let code run from memory or from TMPDIR"});
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

/// The name by which the loader knows an open file, so that the descriptor must
/// stay open once it is loaded.
struct copy_name {
  char path[64];
};

static struct copy_name copy_name(int descriptor) {
  struct copy_name name;
  (void)snprintf(name.path, sizeof name.path, "/proc/self/fd/%d", descriptor);
  return name;
}

static int memory_create(void) {
  const unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int descriptor = memfd_create("mlirplug-plugin", flags | MFD_EXEC);
  if (descriptor < 0 && errno == EINVAL) // older than Linux 6.3
    descriptor = memfd_create("mlirplug-plugin", flags);
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

/// Whether the copy, from now on unchanged, satisfies the demands.
static mlirplug_status copy_check(const struct file *file, int descriptor,
                                  const struct demands *demands,
                                  mlirplug_error **error) {
  // A file without a name cannot be sealed; nobody else has it open.
  (void)fcntl(descriptor, F_ADD_SEALS,
              F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
  struct file copy = *file;
  copy.descriptor = descriptor;
  if (!demands)
    return MLIRPLUG_OK;
  if (demands_check(demands, &copy, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return libraries_check(&copy, error);
}

void *copy_load(const struct file *file, const struct demands *demands,
                mlirplug_error **error) {
  int (*const places[])(void) = {memory_create, file_create};
  struct error_buffer reason = {{0}};
  for (size_t i = 0; i < sizeof places / sizeof places[0]; ++i) {
    int descriptor = places[i]();
    const char *problem =
        descriptor < 0 ? strerror(errno) : content_copy(file, descriptor);
    if (problem) {
      error_format(&reason, "%s", problem);
    } else if (copy_check(file, descriptor, demands, error) != MLIRPLUG_OK) {
      (void)close(descriptor);
      return NULL;
    } else {
      const struct copy_name name = copy_name(descriptor);
      void *handle = dlopen(name.path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
      if (handle)
        return handle;
      error_format(&reason, "%s", dlerror());
      // If code may run there, it is the plugin that is wrong.
      if (demands && !strstr(reason.bytes, "failed to map segment")) {
        (void)close(descriptor);
        (void)loader_refuse(file->path, name.path, reason.bytes, error);
        return NULL;
      }
    }
    if (descriptor >= 0)
      (void)close(descriptor);
  }
  copy_refuse(file, demands != NULL, reason.bytes, error);
  return NULL;
}
