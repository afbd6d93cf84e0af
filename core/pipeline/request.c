// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pipeline/request.h"

#include "pipeline/closest.h"

#include <string.h>

static const struct {
  const char *word;
  enum request_place place;
  bool has_target;
} places[] = {
    {"after", REQUEST_AFTER, true},  {"before", REQUEST_BEFORE, true},
    {"start", REQUEST_START, false}, {"end", REQUEST_END, false},
    {"each", REQUEST_EACH, false},
};

enum { PLACE_COUNT = sizeof places / sizeof *places };

static const char forms[] = "after:PASS:NEW, before:PASS:NEW, start:NEW, "
                            "end:NEW or each:NEW";

mlirplug_status request_refuse(const struct request *request, const char *found,
                               const char *expected, const char *remedy,
                               mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot insert",
                                            .subject = request->text,
                                            .found = found,
                                            .expected = expected,
                                            .remedy = remedy});
}

/// The text up to a ':' or the end.
static struct span part_of(const char *text) {
  return (struct span){text, text + strcspn(text, ":")};
}

static int shown_length(struct span span) {
  return (int)(span.end - span.begin);
}

static mlirplug_status place_refuse(const struct request *request,
                                    struct span word, mlirplug_error **error) {
  struct closest closest = {0};
  for (size_t i = 0; i < PLACE_COUNT; ++i)
    closest_consider(
        &closest, word,
        (struct span){places[i].word, places[i].word + strlen(places[i].word)});
  return request_refuse(
      request,
      error_text("it begins with '%.*s', which is no place", shown_length(word),
                 word.begin),
      forms,
      closest.name.begin ? error_text("did you mean '%s'?", closest.name.begin)
                         : NULL,
      error);
}

/// The number behind the '#'; false if it is none.
static bool number_read(struct span digits, size_t *number) {
  size_t value = 0;
  for (const char *at = digits.begin; at < digits.end; ++at) {
    if (*at < '0' || *at > '9' || value > 1000000)
      return false;
    value = value * 10 + (size_t)(*at - '0');
  }
  *number = value;
  return value;
}

/// The name that new elements stand after or before, and its number.
static mlirplug_status target_parse(struct request *request,
                                    struct span written,
                                    mlirplug_error **error) {
  const char *sharp =
      memchr(written.begin, '#', (size_t)(written.end - written.begin));
  request->target =
      scan_trim((struct span){written.begin, sharp ? sharp : written.end});
  if (request->target.begin == request->target.end)
    return request_refuse(request, "it does not say which pass", forms, NULL,
                          error);
  if (sharp &&
      !number_read((struct span){sharp + 1, written.end}, &request->number))
    return request_refuse(
        request,
        error_text("'%.*s' does not end with a number", shown_length(written),
                   written.begin),
        error_text("which of the passes of that name, from 1: %.*s#2",
                   shown_length(request->target), request->target.begin),
        NULL, error);
  return MLIRPLUG_OK;
}

static size_t place_find(struct span word) {
  size_t found = 0;
  while (found < PLACE_COUNT && !scan_equal(word, places[found].word))
    ++found;
  return found;
}

mlirplug_status request_parse(const char *text, struct request *request,
                              mlirplug_error **error) {
  struct request made = {.text = text};
  struct span part = part_of(text);
  size_t found = place_find(scan_trim(part));
  if (found == PLACE_COUNT)
    return place_refuse(&made, part, error);
  made.place = places[found].place;
  if (places[found].has_target && *part.end) {
    part = part_of(part.end + 1);
    if (target_parse(&made, part, error) != MLIRPLUG_OK)
      return MLIRPLUG_FAILED;
  }
  if (!*part.end || !part.end[1 + strspn(part.end + 1, " ")])
    return request_refuse(&made, "it does not say what to insert", forms, NULL,
                          error);
  made.elements = part.end + 1;
  made.beginning = (struct span){text, made.elements};
  *request = made;
  return MLIRPLUG_OK;
}
