// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/approval.h"

#include "configure/record.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct approval_digits
approval_digits_of(const struct configuration_checksum *checksum) {
  struct approval_digits digits;
  sodium_bin2hex(digits.text, sizeof digits.text, checksum->bytes,
                 sizeof checksum->bytes);
  return digits;
}

/// What is recorded, to be released by json_decref.
static mlirplug_status trusted_read(json_t **trusted, mlirplug_error **error) {
  char *path = record_path(error);
  if (!path)
    return MLIRPLUG_FAILED;
  mlirplug_status result = record_read(path, trusted, error);
  free(path);
  return result;
}

mlirplug_status approval_find(const char *path,
                              const struct configuration_checksum *checksum,
                              enum approval *approval, mlirplug_error **error) {
  json_t *trusted;
  if (trusted_read(&trusted, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const char *recorded = json_string_value(json_object_get(trusted, path));
  struct approval_digits digits = approval_digits_of(checksum);
  *approval = !recorded                            ? APPROVAL_NONE
              : strcmp(recorded, digits.text) == 0 ? APPROVAL_CURRENT
                                                   : APPROVAL_CHANGED;
  json_decref(trusted);
  return MLIRPLUG_OK;
}

/// A change of the record. Without `*changed` nothing has to be written.
typedef mlirplug_status record_edit(json_t *trusted, const void *user_data,
                                    bool *changed, mlirplug_error **error);

/// Reads, changes and writes the record while nobody else does.
static mlirplug_status record_change(record_edit *edit, const void *user_data,
                                     bool *changed, mlirplug_error **error) {
  char *path = record_path(error);
  if (!path)
    return MLIRPLUG_FAILED;
  int lock;
  if (record_lock(path, &lock, error) != MLIRPLUG_OK) {
    free(path);
    return MLIRPLUG_FAILED;
  }
  json_t *trusted = NULL;
  *changed = false;
  mlirplug_status result = record_read(path, &trusted, error);
  if (result == MLIRPLUG_OK)
    result = edit(trusted, user_data, changed, error);
  if (result == MLIRPLUG_OK && *changed)
    result = record_write(path, trusted, error);
  json_decref(trusted);
  close(lock);
  free(path);
  return result;
}

//===----------------------------------------------------------------------===//
// Adding
//===----------------------------------------------------------------------===//

struct addition {
  const char *path;
  struct approval_digits digits;
};

static mlirplug_status addition_apply(json_t *trusted, const void *user_data,
                                      bool *changed, mlirplug_error **error) {
  const struct addition *addition = user_data;
  json_t *value = json_string(addition->digits.text);
  if (!value)
    return error_set_memory(error);
  if (json_object_set_new(trusted, addition->path, value) == 0) {
    *changed = true;
    return MLIRPLUG_OK;
  }
  return error_set(
      error, &(mlirplug_error){.doing = "cannot record that it is trusted",
                               .subject = addition->path,
                               .found = "its path is not UTF-8",
                               .remedy = "rename the directory, or name the "
                                         "file each time: --config=FILE"});
}

mlirplug_status approval_add(const char *path,
                             const struct configuration_checksum *checksum,
                             mlirplug_error **error) {
  struct addition addition = {path, approval_digits_of(checksum)};
  bool changed;
  return record_change(addition_apply, &addition, &changed, error);
}

//===----------------------------------------------------------------------===//
// Removing
//===----------------------------------------------------------------------===//

/// `user_data` is a list of paths.
static mlirplug_status removal_apply(json_t *trusted, const void *user_data,
                                     bool *changed, mlirplug_error **error) {
  (void)error;
  for (const char *const *path = user_data; *path && !*changed; ++path)
    *changed = json_object_del(trusted, *path) == 0;
  return MLIRPLUG_OK;
}

mlirplug_status approval_remove(const char *const *paths, bool *found,
                                mlirplug_error **error) {
  return record_change(removal_apply, paths, found, error);
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

mlirplug_status approval_list(void (*tell)(const char *path,
                                           const char *checksum,
                                           void *user_data),
                              void *user_data, mlirplug_error **error) {
  json_t *trusted;
  if (trusted_read(&trusted, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  const char *path;
  json_t *checksum;
  json_object_foreach(trusted, path, checksum) {
    tell(path, json_string_value(checksum), user_data);
  }
  json_decref(trusted);
  return MLIRPLUG_OK;
}
