// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/record.h"

#include "base/shell.h"
#include "base/store.h"
#include "configure/content.h"
#include "find/home.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define READING "cannot read the record of what is trusted"
#define WRITING "cannot write the record of what is trusted"

enum { lock_tries = 1000, lock_pause = 10 * 1000 /* microseconds */ };

char *record_path(mlirplug_error **error) {
  char *path = home_path(HOME_STATE, "trusted.json");
  if (!path && errno == ENOMEM)
    error_set_memory(error);
  else if (!path)
    error_set(error,
              &(mlirplug_error){
                  .doing = READING,
                  .found = "neither XDG_STATE_HOME nor HOME is an absolute "
                           "path, or this process has more rights than its "
                           "user",
                  .remedy = "set HOME"});
  return path;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_damaged(const char *path, const char *reason,
                                      mlirplug_error **error) {
  struct text text = {0};
  text_add(&text, "remove it, and trust again what you need: rm ");
  shell_add_word(&text, path);
  char *remedy = text_take(&text);
  mlirplug_status result =
      remedy
          ? error_set(error, &(mlirplug_error){.doing = READING,
                                               .subject = path,
                                               .found = error_text(
                                                   "it is damaged: %s", reason),
                                               .remedy = remedy})
          : error_set_memory(error);
  free(remedy);
  return result;
}

/// True if `object` has absolute paths and a string for each.
static bool has_trusted(json_t *object) {
  const char *path;
  json_t *checksum;
  json_object_foreach(object, path, checksum) {
    if (path[0] != '/' || !json_is_string(checksum))
      return false;
  }
  return json_is_object(object);
}

mlirplug_status record_parse(const char *path, const char *bytes, size_t length,
                             json_t **trusted, mlirplug_error **error) {
  json_error_t problem;
  json_t *root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &problem);
  if (!root && json_error_code(&problem) == json_error_out_of_memory)
    return error_set_memory(error);
  if (!root)
    return refuse_damaged(
        path, error_text("%s at line %d", problem.text, problem.line), error);
  json_t *object = json_object_get(root, "trusted");
  bool is_good = has_trusted(object);
  if (is_good)
    *trusted = json_incref(object);
  json_decref(root);
  return is_good ? MLIRPLUG_OK
                 : refuse_damaged(path, "it has not what it should", error);
}

mlirplug_status record_read(const char *path, json_t **trusted,
                            mlirplug_error **error) {
  struct file file;
  bool missing;
  if (content_open(READING, path, &missing, &file, error) != MLIRPLUG_OK) {
    if (!missing)
      return MLIRPLUG_FAILED;
    *trusted = json_object();
    return *trusted ? MLIRPLUG_OK : error_set_memory(error);
  }
  char *bytes;
  size_t length;
  mlirplug_status result =
      content_trust("cannot trust the record of what is trusted", &file, error);
  if (result == MLIRPLUG_OK)
    result = content_read(READING, &file, &bytes, &length, error);
  if (result == MLIRPLUG_OK) {
    result = record_parse(path, bytes, length, trusted, error);
    free(bytes);
  }
  file_close(&file);
  return result;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static mlirplug_status refuse_writing(const char *path, int reason,
                                      mlirplug_error **error) {
  if (reason == ENOMEM)
    return error_set_memory(error);
  errno = reason; // for %m
  return error_set(
      error, &(mlirplug_error){.doing = WRITING,
                               .subject = path,
                               .found = error_text("%m"),
                               .remedy = "make room, or let yourself write "
                                         "there; XDG_STATE_HOME is another "
                                         "place"});
}

static mlirplug_status refuse_lock(const char *path, mlirplug_error **error) {
  return error_set(
      error, &(mlirplug_error){.doing = WRITING,
                               .subject = path,
                               .found = "another process has it locked and "
                                        "does not let go of it",
                               .remedy = "end the other 'mlirplug trust'"});
}

/// 0, or an errno; EWOULDBLOCK if another process has it all the time.
static int lock_take(int descriptor) {
  for (int i = 0; i < lock_tries; ++i) {
    if (flock(descriptor, LOCK_EX | LOCK_NB) == 0)
      return 0;
    if (errno != EWOULDBLOCK && errno != EINTR)
      return errno;
    usleep(lock_pause);
  }
  return EWOULDBLOCK;
}

mlirplug_status record_lock(const char *path, int *lock,
                            mlirplug_error **error) {
  // Not the record itself: that is replaced while it is locked.
  char *name = NULL;
  if (asprintf(&name, "%s.lock", path) < 0)
    return error_set_memory(error);
  int descriptor = -1;
  int problem = store_parents(name);
  if (!problem) {
    descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    problem = descriptor < 0 ? errno : lock_take(descriptor);
  }
  mlirplug_status result = MLIRPLUG_OK;
  if (problem == EWOULDBLOCK)
    result = refuse_lock(name, error);
  else if (problem)
    result = refuse_writing(name, problem, error);
  free(name);
  if (result == MLIRPLUG_OK)
    *lock = descriptor;
  else if (descriptor >= 0)
    close(descriptor);
  return result;
}

/// False if `text` was made of `root` when memory ran out: json_dumps leaves
/// out what it has no room for (jansson 2.14), and says nothing.
static bool text_says(const char *text, const json_t *root) {
  json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
  bool is_same = read && json_equal(read, root);
  json_decref(read);
  return is_same;
}

/// The text of a record, to be freed; null if memory runs out.
static char *text_make(const json_t *trusted) {
  json_t *root = json_object();
  char *text = NULL;
  if (root && json_object_set(root, "trusted", (json_t *)trusted) == 0)
    text = json_dumps(root, JSON_INDENT(2) | JSON_SORT_KEYS);
  if (text && !text_says(text, root)) {
    free(text);
    text = NULL;
  }
  json_decref(root);
  return text;
}

mlirplug_status record_write(const char *path, const json_t *trusted,
                             mlirplug_error **error) {
  char *text = text_make(trusted);
  int problem = text ? store_replace(path, 0600, text, strlen(text)) : ENOMEM;
  free(text);
  return problem ? refuse_writing(path, problem, error) : MLIRPLUG_OK;
}
