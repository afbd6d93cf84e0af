// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/opened.h"

#include "base/intern.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// Larger ones are no source files.
enum { bytes_at_most = 64 << 20 };

/// A file that was opened.
struct known_file {
  struct image image; // first, so that a pointer to it is one to the whole
  struct known_file *next;
  struct file_identity file;
  const struct image *by;
};

// What is opened stays so, in each process once. The lock is held for the list
// only: opening a file may open others.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known_file *files;

static mlirplug_status file_refuse(const struct file *file, const char *found,
                                   const char *expected, const char *remedy,
                                   mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot open the plugin",
                                            .subject = file->path,
                                            .found = found,
                                            .expected = expected,
                                            .remedy = remedy});
}

static const struct image *known_find(const struct image *by,
                                      const struct file_identity *file) {
  pthread_mutex_lock(&lock);
  const struct known_file *known = files;
  while (known && (known->by != by || !file_identity_equal(&known->file, file)))
    known = known->next;
  pthread_mutex_unlock(&lock);
  return known ? &known->image : NULL;
}

/// Reads the whole file. The bytes, with a NUL behind, are freed by the caller.
static mlirplug_status bytes_read(const struct file *file, char **bytes,
                                  mlirplug_error **error) {
  size_t size = (size_t)file->identity.size, have = 0;
  if (size > bytes_at_most)
    return file_refuse(file, error_text("it has %zu bytes", size),
                       error_text("at most %d", bytes_at_most), NULL, error);
  char *made = malloc(size + 1);
  if (!made)
    return error_set_memory(error);
  while (have < size) {
    ssize_t more =
        pread(file->descriptor, made + have, size - have, (off_t)have);
    if (more < 0 && errno == EINTR)
      continue;
    if (more > 0) {
      have += (size_t)more;
      continue;
    }
    free(made);
    return file_refuse(file,
                       more < 0 ? error_text("it cannot be read: %m")
                                : "it became shorter while it was read",
                       NULL, "try again", error);
  }
  made[size] = '\0';
  *bytes = made;
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

struct opening {
  mlirplug_opening shown; // first, so that a pointer to it is one to the whole
  const struct file *file;
  mlirplug_error *refused;
};

static void on_refuse(const mlirplug_opening *shown, const char *found,
                      const char *expected, const char *remedy) {
  struct opening *opening = (struct opening *)shown;
  if (!opening->refused)
    file_refuse(opening->file, found, expected, remedy, &opening->refused);
}

static const mlirplug_hosting *hosting_of(const struct image *by) {
  const mlirplug_descriptor *descriptor = by->descriptor;
  size_t end = offsetof(mlirplug_descriptor, hosting) + sizeof(void *);
  return descriptor->size >= end ? descriptor->hosting : NULL;
}

static const mlirplug_descriptor *descriptor_make(const struct image *by,
                                                  const struct file *file,
                                                  const char *bytes,
                                                  mlirplug_error **error) {
  struct opening opening = {.shown = {.size = sizeof opening.shown,
                                      .path = file->path,
                                      .bytes = bytes,
                                      .length = file->identity.size,
                                      .refuse = on_refuse},
                            .file = file};
  const mlirplug_descriptor *made = hosting_of(by)->open(&opening.shown);
  if (made) {
    mlirplug_error_destroy(opening.refused);
    return made;
  }
  if (!opening.refused)
    file_refuse(file, "its host plugin does not say why", NULL, NULL,
                &opening.refused);
  if (error)
    *error = opening.refused;
  else
    mlirplug_error_destroy(opening.refused);
  return NULL;
}

static const struct image *file_open_by(const struct image *by,
                                        const struct file *file,
                                        mlirplug_error **error) {
  char *bytes;
  if (bytes_read(file, &bytes, error) != MLIRPLUG_OK)
    return NULL;
  const mlirplug_descriptor *descriptor =
      descriptor_make(by, file, bytes, error);
  free(bytes);
  if (!descriptor)
    return NULL;
  struct known_file *made = calloc(1, sizeof *made);
  const char *path = intern(file->path);
  if (!made || !path) {
    free(made);
    (void)error_set_memory(error);
    return NULL;
  }
  *made = (struct known_file){
      .image = {descriptor, path}, .file = file->identity, .by = by};
  pthread_mutex_lock(&lock);
  made->next = files;
  files = made;
  pthread_mutex_unlock(&lock);
  return &made->image;
}

mlirplug_status opened_load(const struct plugin *by,
                            const struct service *services,
                            const struct file *file,
                            const struct image **opened,
                            mlirplug_error **error) {
  struct environment environment = {services, NULL};
  const struct image *host;
  if (image_load(by, &environment, &host, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (!hosting_of(host))
    return file_refuse(file, "its host plugin is none in memory", NULL,
                       "rebuild the host plugin", error);
  const struct image *found = known_find(host, &file->identity);
  if (!found)
    found = file_open_by(host, file, error);
  if (!found)
    return MLIRPLUG_FAILED;
  *opened = found;
  return MLIRPLUG_OK;
}
