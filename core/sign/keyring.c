// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sign/keyring.h"

#include "base/text.h"
#include "find/home.h"
#include "find/path.h"
#include "find/trust.h"
#include "sign/small_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Nobody trusts more signers than this.
#define KEY_LIMIT 1024

static const char doing[] = "cannot read the keys in";

static mlirplug_status refuse(const char *path, const char *found,
                              const char *remedy, mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = doing,
                                            .subject = path,
                                            .found = found,
                                            .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// Adding
//===----------------------------------------------------------------------===//

/// Takes `path`.
static mlirplug_status key_add(struct keyring *keyring, char *path,
                               mlirplug_error **error) {
  struct keyring_key *keys =
      reallocarray(keyring->keys, keyring->count + 1, sizeof *keys);
  if (!keys) {
    free(path);
    return error_set_memory(error);
  }
  keyring->keys = keys;
  struct keyring_key *made = &keys[keyring->count];
  if (public_key_read(path, &made->key, error) != MLIRPLUG_OK) {
    free(path);
    return MLIRPLUG_FAILED;
  }
  made->path = path;
  ++keyring->count;
  return MLIRPLUG_OK;
}

static int is_key(const struct dirent *entry) {
  size_t length = strlen(entry->d_name);
  return entry->d_name[0] != '.' && length > 4 &&
         strcmp(entry->d_name + length - 4, ".pub") == 0;
}

static int names_compare(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static mlirplug_status keys_add(struct keyring *keyring, const char *directory,
                                struct dirent **entries, int count,
                                mlirplug_error **error) {
  mlirplug_status result = MLIRPLUG_OK;
  for (int i = 0; i < count && result == MLIRPLUG_OK; ++i) {
    char *path = NULL;
    if (keyring->count >= KEY_LIMIT)
      result = refuse(directory, error_text("more than %d keys", KEY_LIMIT),
                      "remove those that nobody signs with", error);
    else if (asprintf(&path, "%s/%s", directory, entries[i]->d_name) < 0)
      result = error_set_memory(error);
    else
      result = key_add(keyring, path, error);
  }
  return result;
}

static mlirplug_status refuse_to_read(const char *path, int reason,
                                      mlirplug_error **error) {
  if (error_is_exhaustion(reason))
    return error_set_exhausted(error, doing, path, reason);
  errno = reason; // for %m
  return refuse(path, error_text("%m"),
                "give a directory with the *.pub files of those who sign "
                "plugins",
                error);
}

static mlirplug_status directory_check(const char *path, int descriptor,
                                       mlirplug_error **error) {
  mlirplug_error *problem = NULL;
  if (trust_check_directory(path, descriptor, &problem) == MLIRPLUG_OK)
    return MLIRPLUG_OK;
  return small_file_distrust("keys in", problem, error);
}

static mlirplug_status directory_add_open(struct keyring *keyring,
                                          const char *path, int descriptor,
                                          mlirplug_error **error) {
  if (directory_check(path, descriptor, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct dirent **entries = NULL;
  int count = scandirat(descriptor, ".", &entries, is_key, names_compare);
  if (count < 0)
    return refuse_to_read(path, errno, error);
  mlirplug_status result = keys_add(keyring, path, entries, count, error);
  for (int i = 0; i < count; ++i)
    free(entries[i]);
  free(entries);
  return result;
}

static mlirplug_status directory_add(struct keyring *keyring, const char *path,
                                     bool required, mlirplug_error **error) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT && !required)
    return MLIRPLUG_OK;
  if (descriptor < 0)
    return refuse_to_read(path, errno, error);
  mlirplug_status result = directory_add_open(keyring, path, descriptor, error);
  close(descriptor);
  return result;
}

/// Remembers where keys were looked for.
static mlirplug_status directory_note(struct keyring *keyring, const char *path,
                                      mlirplug_error **error) {
  char *directories = NULL;
  const char *before = keyring->directories ? keyring->directories : "";
  if (asprintf(&directories, "%s%s'%s'", before, *before ? ", " : "", path) < 0)
    return error_set_memory(error);
  free(keyring->directories);
  keyring->directories = directories;
  return MLIRPLUG_OK;
}

mlirplug_status keyring_add_directory(struct keyring *keyring, const char *path,
                                      bool required, mlirplug_error **error) {
  if (!*path)
    return refuse("", "the path is empty", "give a directory", error);
  char *absolute = path_make_absolute(path);
  if (!absolute && errno == ENOMEM)
    return error_set_memory(error);
  if (!absolute)
    return refuse(path, error_text("the working directory is gone: %m"),
                  "give an absolute path", error);
  mlirplug_status result = directory_note(keyring, absolute, error);
  if (result == MLIRPLUG_OK)
    result = directory_add(keyring, absolute, required, error);
  free(absolute);
  return result;
}

mlirplug_status keyring_add_system(struct keyring *keyring, const char *system,
                                   mlirplug_error **error) {
  char *path = NULL;
  if (asprintf(&path, "%s/keys", system) < 0)
    return error_set_memory(error);
  mlirplug_status result = keyring_add_directory(keyring, path, false, error);
  free(path);
  return result;
}

mlirplug_status keyring_add_defaults(struct keyring *keyring,
                                     const char *system,
                                     mlirplug_error **error) {
  mlirplug_status result = MLIRPLUG_OK;
  char *path = home_path(HOME_CONFIG, "keys");
  if (path)
    result = keyring_add_directory(keyring, path, false, error);
  else if (errno == ENOMEM)
    result = error_set_memory(error);
  free(path);
  return result == MLIRPLUG_OK ? keyring_add_system(keyring, system, error)
                               : result;
}

void keyring_release(struct keyring *keyring) {
  for (size_t i = 0; i < keyring->count; ++i)
    free(keyring->keys[i].path);
  free(keyring->keys);
  free(keyring->directories);
  free(keyring->demanded_by);
  *keyring = (struct keyring){0};
}
