// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/write.h"

#include "base/store.h"

#include <errno.h>
#include <string.h>

static mlirplug_status refuse(const char *path, int reason, const char *doing,
                              mlirplug_error **error) {
  if (reason == ENOMEM)
    return error_set_memory(error);
  errno = reason; // for %m
  return error_set(
      error, &(mlirplug_error){
                 .doing = doing,
                 .subject = path,
                 .found = error_text("%m"),
                 .remedy = reason == EEXIST
                               ? "give another name: keys are not overwritten"
                               : "check the directory, its permissions and the "
                                 "disk"});
}

mlirplug_status write_new(const char *path, mode_t mode, const char *text,
                          const char *doing, mlirplug_error **error) {
  int reason = store_new(path, mode, text, strlen(text));
  return reason ? refuse(path, reason, doing, error) : MLIRPLUG_OK;
}

mlirplug_status write_replace(const char *path, const char *text,
                              const char *doing, mlirplug_error **error) {
  int reason = store_replace(path, 0666, text, strlen(text));
  return reason ? refuse(path, reason, doing, error) : MLIRPLUG_OK;
}
