// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/record.h"

#include "base/text.h"
#include "pass/frame.h"
#include "pass/instance.h"
#include "pass/position.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct record {
  size_t place;
  bool is_final; // written by `finish`: behind those of the runs
  size_t *path;  // position of the root operation
  size_t path_length;
  size_t ordinal; // order of writing
  char *line;
};

static void record_release(struct record *record) {
  free(record->path);
  free(record->line);
}

static int number_compare(size_t left, size_t right) {
  return (left > right) - (left < right);
}

static int path_compare(const struct record *a, const struct record *b) {
  size_t common =
      a->path_length < b->path_length ? a->path_length : b->path_length;
  for (size_t i = 0; i < common; ++i)
    if (a->path[i] != b->path[i])
      return number_compare(a->path[i], b->path[i]);
  return number_compare(a->path_length, b->path_length);
}

static int record_compare(const void *left, const void *right) {
  const struct record *a = left, *b = right;
  int order = number_compare(a->place, b->place);
  if (!order)
    order = (int)a->is_final - (int)b->is_final;
  if (!order)
    order = path_compare(a, b);
  return order ? order : number_compare(a->ordinal, b->ordinal);
}

//===----------------------------------------------------------------------===//
// One record
//===----------------------------------------------------------------------===//

#define taken_key                                                              \
  "it has the key '%s', which the host adds; put names from the IR into an "   \
  "object of their own"

static mlirplug_status json_refuse(const char *found, mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot write the record",
                                     .found = found,
                                     .expected = "the text of a JSON object "
                                                 "without 'file' and 'pass'"});
}

/// A file name as JSON. Names are bytes: what is not UTF-8 is shown as '?'.
static json_t *name_make(const char *name) {
  json_t *string = json_string(name);
  if (string)
    return string;
  char *shown = strdup(name);
  for (char *c = shown; c && *c; ++c)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  string = shown ? json_string(shown) : NULL;
  free(shown);
  return string;
}

/// "{"file": "x.mlir", "pass": "my-pass"}"
static char *head_make(const struct place *place) {
  const char *input = place->session->input;
  json_t *head = json_object();
  char *text = NULL;
  if (head &&
      (!input || json_object_set_new(head, "file", name_make(input)) == 0) &&
      json_object_set_new(head, "pass", json_string(place->node->name)) == 0)
    text = json_dumps(head, 0);
  json_decref(head);
  return text;
}

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/// Adds what stands between the braces of an object's text, as it was written:
/// decoding would take digits from its numbers. A line break can only be
/// between tokens.
static void members_add(struct text *line, const char *json, size_t length) {
  const char *begin = (const char *)memchr(json, '{', length) + 1;
  const char *end = (const char *)memrchr(json, '}', length);
  while (is_blank(*begin))
    ++begin;
  while (end > begin && is_blank(end[-1]))
    --end;
  if (begin == end)
    return;
  text_add(line, ", ");
  for (; begin < end; ++begin)
    text_add_bytes(line, is_blank(*begin) ? " " : begin, 1);
}

/// The line for the plugin's object: with "file" and "pass" in front.
static char *line_make(const struct place *place, const char *json,
                       size_t length, mlirplug_error **error) {
  char *head = head_make(place);
  struct text text = {0};
  if (head) {
    text_add_bytes(&text, head, strlen(head) - 1);
    members_add(&text, json, length);
    text_add(&text, "}");
  }
  free(head);
  char *line = head ? text_take(&text) : NULL;
  if (!line)
    error_set_memory(error);
  return line;
}

static char *line_parse(const struct place *place, const char *json,
                        size_t length, mlirplug_error **error) {
  // Values are checked only, so none is too large.
  size_t flags =
      JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
  json_error_t problem;
  json_t *object = json_loadb(json, length, flags, &problem);
  char *line = NULL;
  if (!object)
    json_refuse(error_text("it is not JSON: %s at byte %d", problem.text,
                           problem.position),
                error);
  else if (!json_is_object(object))
    json_refuse("it is a JSON value, but not an object", error);
  else if (json_object_get(object, "file"))
    json_refuse(error_text(taken_key, "file"), error);
  else if (json_object_get(object, "pass"))
    json_refuse(error_text(taken_key, "pass"), error);
  else
    line = line_make(place, json, length, error);
  json_decref(object);
  return line;
}

static bool list_append(struct record_list *list, struct record record) {
  if (list->count == list->capacity) {
    size_t capacity = list->capacity ? 2 * list->capacity : 16;
    struct record *records =
        reallocarray(list->records, capacity, sizeof *records);
    if (!records)
      return false;
    list->records = records;
    list->capacity = capacity;
  }
  record.ordinal = list->count;
  list->records[list->count++] = record;
  return true;
}

mlirplug_status record_add(struct frame *frame, const char *json, size_t length,
                           mlirplug_error **error) {
  const struct place *place = frame->instance->place;
  struct record record = {.place = place->index,
                          .is_final = frame->root.ptr == NULL};
  record.line = line_parse(place, json, length, error);
  if (!record.line)
    return MLIRPLUG_FAILED;
  bool complete = position_find(frame);
  if (complete && frame->path_length) {
    size_t size = frame->path_length * sizeof *record.path;
    record.path = malloc(size);
    complete = record.path != NULL;
    if (complete) {
      memcpy(record.path, frame->path, size);
      record.path_length = frame->path_length;
    }
  }
  pthread_mutex_lock(&place->session->record_lock);
  complete = complete && list_append(&place->session->records, record);
  pthread_mutex_unlock(&place->session->record_lock);
  if (complete)
    return MLIRPLUG_OK;
  record_release(&record);
  return error_set_memory(error);
}

mlirplug_status record_add_line(const struct place *place, const char *line) {
  struct record record = {.place = place->index, .line = strdup(line)};
  pthread_mutex_lock(&place->session->record_lock);
  bool complete = record.line && list_append(&place->session->records, record);
  pthread_mutex_unlock(&place->session->record_lock);
  if (complete)
    return MLIRPLUG_OK;
  record_release(&record);
  return MLIRPLUG_FAILED;
}

//===----------------------------------------------------------------------===//
// All of a run
//===----------------------------------------------------------------------===//

void record_list_flush(struct record_list *list,
                       void (*callback)(const char *line, size_t length,
                                        void *user_data),
                       void *user_data) {
  if (list->count)
    qsort(list->records, list->count, sizeof *list->records, record_compare);
  for (size_t i = 0; i < list->count; ++i) {
    if (callback)
      callback(list->records[i].line, strlen(list->records[i].line), user_data);
    record_release(&list->records[i]);
  }
  list->count = 0;
}

void record_list_release(struct record_list *list) {
  record_list_flush(list, NULL, NULL);
  free(list->records);
  *list = (struct record_list){0};
}
