// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/json_value.h"

#include <stdlib.h>
#include <string.h>

json_t *json_text(const char *text) {
  text = text ? text : "";
  json_t *made = json_string(text);
  if (made)
    return made;
  char *copy = strdup(text);
  for (char *c = copy; c && *c; ++c)
    if ((unsigned char)*c >= 0x80)
      *c = '?';
  made = copy ? json_string(copy) : NULL;
  free(copy);
  return made;
}

json_t *json_texts(const char *const *texts, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < count; ++i)
    if (json_array_append_new(array, json_text(texts[i])) != 0) {
      json_decref(array);
      return NULL;
    }
  return array;
}

void json_field(json_t *object, const char *key, json_t *value,
                bool *complete) {
  if (json_object_set_new(object, key, value) != 0)
    *complete = false;
}

json_t *json_finish(json_t *object, bool complete) {
  if (complete)
    return object;
  json_decref(object);
  return NULL;
}

bool json_print(FILE *stream, json_t *object, bool complete) {
  char *text = complete ? json_dumps(object, JSON_INDENT(2)) : NULL;
  if (text)
    fprintf(stream, "%s\n", text);
  free(text);
  json_decref(object);
  return text != NULL;
}
