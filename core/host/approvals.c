// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user approves of, without a host.

#include "configure/approval.h"
#include "configure/content.h"
#include "find/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The configuration file of `directory`, to be freed; null for want of memory.
static char *file_in(const char *directory) {
  size_t length = strlen(directory);
  while (length && directory[length - 1] == '/')
    --length;
  char *path = NULL;
  return asprintf(&path, "%.*s/" CONFIGURATION_NAME, (int)length, directory) < 0
             ? NULL
             : path;
}

static mlirplug_status file_read(const char *path,
                                 mlirplug_configuration **configuration,
                                 mlirplug_error **error) {
  struct file file;
  struct configuration_text text = {0};
  if (content_open(CONFIGURATION_READING, path, NULL, &file, error) !=
      MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_status status = content_trust(CONFIGURATION_TRUSTING, &file, error);
  if (status == MLIRPLUG_OK)
    status = configuration_read(&file, &text, error);
  if (status == MLIRPLUG_OK)
    status = configuration_parse(&text, configuration, error);
  configuration_text_release(&text);
  file_close(&file);
  return status;
}

mlirplug_status
mlirplug_configuration_read(const char *directory,
                            mlirplug_configuration **configuration,
                            mlirplug_error **error) {
  char *path = *directory ? file_in(directory) : strdup("");
  if (!path)
    return error_set_memory(error);
  mlirplug_status status = file_read(path, configuration, error);
  free(path);
  return status;
}

mlirplug_status
mlirplug_configuration_approve(const mlirplug_configuration *configuration,
                               mlirplug_error **error) {
  return approval_add(configuration->path,
                      configuration_checksum(configuration), error);
}

//===----------------------------------------------------------------------===//
// Taking back
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_unknown(const char *directory,
                                      mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot take back the trust in",
                                     .subject = directory,
                                     .found = "it is not trusted",
                                     .remedy = "see what is: mlirplug trust "
                                               "--list"});
}

mlirplug_status mlirplug_configuration_withdraw(const char *directory,
                                                mlirplug_error **error) {
  // The file, or the whole directory, may be gone; then its name is all there
  // is to go by.
  char *absolute = path_make_absolute(directory);
  char *real = realpath(directory, NULL);
  char *file = absolute ? file_in(absolute) : NULL;
  char *real_file = real ? file_in(real) : NULL;
  char *target = real_file ? realpath(real_file, NULL) : NULL;
  mlirplug_status status = MLIRPLUG_FAILED;
  const char *paths[4] = {0};
  size_t count = 0;
  if (target)
    paths[count++] = target;
  if (real_file)
    paths[count++] = real_file;
  if (file)
    paths[count++] = file;
  bool found = false;
  if (!count)
    (void)error_set_memory(error);
  else
    status = approval_remove(paths, &found, error);
  if (status == MLIRPLUG_OK && !found)
    status = refuse_unknown(directory, error);
  free(absolute);
  free(real);
  free(file);
  free(real_file);
  free(target);
  return status;
}

//===----------------------------------------------------------------------===//
// Listing
//===----------------------------------------------------------------------===//

/// Whether the file at `path` has the text with this checksum.
static bool is_current(const char *path, const char *digits) {
  struct file file;
  char *bytes;
  size_t length;
  if (content_open(CONFIGURATION_READING, path, NULL, &file, NULL) !=
      MLIRPLUG_OK)
    return false;
  bool current = content_read(CONFIGURATION_READING, &file, &bytes, &length,
                              NULL) == MLIRPLUG_OK;
  if (current) {
    struct configuration_checksum checksum =
        configuration_checksum_of(bytes, length);
    current = strcmp(approval_digits_of(&checksum).text, digits) == 0;
    free(bytes);
  }
  file_close(&file);
  return current;
}

struct listener {
  void (*tell)(const char *path, bool current, void *user_data);
  void *user_data;
};

static void approval_tell(const char *path, const char *digits,
                          void *user_data) {
  const struct listener *listener = user_data;
  listener->tell(path, is_current(path, digits), listener->user_data);
}

mlirplug_status mlirplug_configuration_list_approved(
    void (*tell)(const char *path, bool current, void *user_data),
    void *user_data, mlirplug_error **error) {
  struct listener listener = {tell, user_data};
  return approval_list(approval_tell, &listener, error);
}
