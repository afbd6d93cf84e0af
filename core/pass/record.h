// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records: structured output of passes, one JSON object each. They are
// collected during a run and handed over at its end in the order (place in the
// pipeline, position of the root operation, order of writing), whatever the
// threads did.

#ifndef MLIRPLUG_PASS_RECORD_H
#define MLIRPLUG_PASS_RECORD_H

#include "base/error.h"

struct frame;
struct record;

/// The records of a run under way; zero bytes are none.
struct record_list {
  struct record *records;
  size_t count;
  size_t capacity;
};

/// Adds a record of the frame's pass to those of its session. `json` is the
/// text of an object without the keys "file" and "pass".
mlirplug_status record_add(struct frame *frame, const char *json, size_t length,
                           mlirplug_error **error);

/// Adds a line that is complete, behind all of the same place: it was put into
/// order by the process that it comes from.
struct place;
mlirplug_status record_add_line(const struct place *place, const char *line);

/// Hands all records over in order and empties the list.
void record_list_flush(struct record_list *list,
                       void (*callback)(const char *line, size_t length,
                                        void *user_data),
                       void *user_data);
void record_list_release(struct record_list *list);

#endif // MLIRPLUG_PASS_RECORD_H
