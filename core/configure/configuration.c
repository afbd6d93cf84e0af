// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "configure/configuration.h"

#include "base/arena.h"
#include "configure/content.h"
#include "pipeline/closest.h"

#include <errno.h>
#include <jansson.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct configuration {
  mlirplug_configuration shown; ///< First: the public pointer is to it.
  struct configuration_checksum checksum;
  struct arena arena; ///< Has all strings and arrays.
};

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

struct configuration_checksum configuration_checksum_of(const char *bytes,
                                                        size_t length) {
  struct configuration_checksum checksum;
  // Needs no sodium_init, which would only choose a faster implementation.
  crypto_generichash(checksum.bytes, sizeof checksum.bytes,
                     (const unsigned char *)bytes, length, NULL, 0);
  return checksum;
}

static mlirplug_status refuse(const char *path, const char *found,
                              const char *expected, const char *remedy,
                              mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = CONFIGURATION_READING,
                                            .subject = path,
                                            .found = found,
                                            .expected = expected,
                                            .remedy = remedy});
}

/// The path of an open file without symbolic links, to be freed.
static mlirplug_status path_resolve(const struct file *file, char **path,
                                    mlirplug_error **error) {
  char *made = realpath(file->path, NULL);
  if (!made && errno == ENOMEM)
    return error_set_memory(error);
  struct stat status;
  if (made && stat(made, &status) == 0 &&
      status.st_dev == file->identity.device &&
      status.st_ino == file->identity.inode) {
    *path = made;
    return MLIRPLUG_OK;
  }
  free(made);
  return refuse(file->path, "it was replaced while it was read", NULL,
                "try again", error);
}

mlirplug_status configuration_read(const struct file *file,
                                   struct configuration_text *text,
                                   mlirplug_error **error) {
  struct configuration_text made = {0};
  if (content_read(CONFIGURATION_READING, file, &made.bytes, &made.length,
                   error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  if (path_resolve(file, &made.path, error) != MLIRPLUG_OK) {
    configuration_text_release(&made);
    return MLIRPLUG_FAILED;
  }
  made.checksum = configuration_checksum_of(made.bytes, made.length);
  *text = made;
  return MLIRPLUG_OK;
}

void configuration_text_release(struct configuration_text *text) {
  free(text->path);
  free(text->bytes);
  *text = (struct configuration_text){0};
}

char *configuration_directory(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

//===----------------------------------------------------------------------===//
// What is in it
//===----------------------------------------------------------------------===//

/// A list of paths, or of requests, and where it goes.
struct list {
  const char *key;
  const char *expected; ///< What it is, with an example.
  bool has_paths;
  const char *const **items;
  size_t *count;
};

static const char *kind_of(const json_t *value) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "a list";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
  case JSON_REAL:
    return "a number";
  case JSON_NULL:
    return "null";
  default:
    return "true or false";
  }
}

static mlirplug_status refuse_key(const char *path, const char *key,
                                  const struct list *lists, size_t count,
                                  mlirplug_error **error) {
  struct closest closest = {0};
  for (size_t i = 0; i < count; ++i)
    closest_consider(
        &closest, (struct span){key, key + strlen(key)},
        (struct span){lists[i].key, lists[i].key + strlen(lists[i].key)});
  return refuse(path, error_text("it has the unknown key \"%s\"", key),
                "only \"plugins\", \"directories\" and \"insert\"",
                closest.name.begin
                    ? error_text("did you mean \"%s\"?", closest.name.begin)
                    : "remove it, or install a newer mlirplug",
                error);
}

/// `path` behind `directory`, without slashes at its end. The files are found
/// by these paths, but nobody has looked at them yet.
static const char *path_place(const char *directory, const char *path,
                              struct arena *arena) {
  while (path[0] == '.' && path[1] == '/')
    for (++path; *path == '/';)
      ++path;
  char *joined = NULL;
  const char *slash = strcmp(directory, "/") != 0 ? "/" : "";
  if (path[0] == '/')
    joined = strdup(path);
  else if (asprintf(&joined, "%s%s%s", directory, slash, path) < 0)
    joined = NULL;
  if (!joined)
    return NULL;
  for (size_t length = strlen(joined); length > 1 && joined[length - 1] == '/';)
    joined[--length] = '\0';
  const char *placed = arena_copy(arena, joined);
  free(joined);
  return placed;
}

static mlirplug_status list_read(const char *path, const char *directory,
                                 const json_t *value, const struct list *list,
                                 struct arena *arena, mlirplug_error **error) {
  if (!json_is_array(value))
    return refuse(path, error_text("\"%s\" is %s", list->key, kind_of(value)),
                  list->expected, NULL, error);
  size_t count = json_array_size(value);
  const char **items = arena_array(arena, count, sizeof *items);
  if (!items)
    return error_set_memory(error);
  for (size_t i = 0; i < count; ++i) {
    const json_t *item = json_array_get(value, i);
    const char *text = json_string_value(item);
    if (!text || !*text)
      return refuse(path,
                    error_text("item %zu of \"%s\" is %s", i + 1, list->key,
                               text ? "an empty string" : kind_of(item)),
                    list->expected, NULL, error);
    items[i] = list->has_paths ? path_place(directory, text, arena)
                               : arena_copy(arena, text);
    if (!items[i])
      return error_set_memory(error);
  }
  *list->items = items;
  *list->count = count;
  return MLIRPLUG_OK;
}

static mlirplug_status root_read(const char *path, json_t *root,
                                 struct configuration *made,
                                 mlirplug_error **error) {
  if (!json_is_object(root))
    return refuse(path, error_text("it is %s", kind_of(root)),
                  "an object, such as {\"plugins\": [\"build/my-passes.so\"]}",
                  NULL, error);
  static const char paths[] =
      "a list of paths, such as [\"build/my-passes.so\"]";
  const struct list lists[] = {
      {"plugins", paths, true, &made->shown.plugins, &made->shown.plugin_count},
      {"directories", paths, true, &made->shown.directories,
       &made->shown.directory_count},
      {"insert", "a list of requests, such as [\"after:cse:my-pass\"]", false,
       &made->shown.insertions, &made->shown.insertion_count}};
  const size_t list_count = sizeof lists / sizeof *lists;
  char *directory = configuration_directory(path);
  if (!directory)
    return error_set_memory(error);
  mlirplug_status result = MLIRPLUG_OK;
  const char *key;
  json_t *value;
  json_object_foreach(root, key, value) {
    size_t i = 0;
    while (i < list_count && strcmp(lists[i].key, key) != 0)
      ++i;
    result = i == list_count ? refuse_key(path, key, lists, list_count, error)
                             : list_read(path, directory, value, &lists[i],
                                         &made->arena, error);
    if (result != MLIRPLUG_OK)
      break;
  }
  free(directory);
  return result;
}

static mlirplug_status refuse_syntax(const char *path,
                                     const json_error_t *problem,
                                     mlirplug_error **error) {
  if (json_error_code(problem) == json_error_out_of_memory)
    return error_set_memory(error);
  return refuse(path,
                error_text("%s at line %d, column %d", problem->text,
                           problem->line, problem->column),
                "JSON, such as {\"plugins\": [\"build/my-passes.so\"]}", NULL,
                error);
}

mlirplug_status configuration_parse(const struct configuration_text *text,
                                    mlirplug_configuration **configuration,
                                    mlirplug_error **error) {
  json_error_t problem;
  json_t *root =
      json_loadb(text->bytes, text->length, JSON_REJECT_DUPLICATES, &problem);
  if (!root)
    return refuse_syntax(text->path, &problem, error);
  struct configuration *made = calloc(1, sizeof *made);
  if (!made) {
    json_decref(root);
    return error_set_memory(error);
  }
  made->checksum = text->checksum;
  made->shown.path = arena_copy(&made->arena, text->path);
  mlirplug_status result = made->shown.path
                               ? root_read(text->path, root, made, error)
                               : error_set_memory(error);
  json_decref(root);
  if (result == MLIRPLUG_OK)
    *configuration = &made->shown;
  else
    mlirplug_configuration_destroy(&made->shown);
  return result;
}

const struct configuration_checksum *
configuration_checksum(const mlirplug_configuration *configuration) {
  return &((const struct configuration *)configuration)->checksum;
}

void mlirplug_configuration_destroy(mlirplug_configuration *configuration) {
  struct configuration *made = (struct configuration *)configuration;
  if (!made)
    return;
  arena_release(&made->arena);
  free(made);
}
