// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/frame.h"

#include "pass/diagnosis.h"
#include "pass/instance.h"
#include "pass/report.h"
#include "provider/absent.h"

#include <stdarg.h>
#include <stdio.h>

// Of a kind that a handler of a signal may read: it is there when the thread
// is.
static _Thread_local struct frame *current
    __attribute__((tls_model("initial-exec")));

struct frame *frame_current(void) { return current; }

void frame_enter(struct frame *frame, struct instance *instance,
                 MlirOperation root) {
  if (current)
    diagnosis_flush(current);
  *frame = (struct frame){
      .run = {.size = sizeof frame->run,
              .options = instance->place->node->filled_options,
              .state = instance->state,
              .identifiers = instance->identifiers,
              .pass = instance->place->identity},
      .instance = instance,
      .root = root,
      .outer = current,
      .outer_absent = absent_called,
  };
  current = frame;
  absent_called = NULL;
  frame->slot =
      running_begin(&instance->place->session->now, instance->place, root.ptr);
}

mlirplug_status frame_leave(struct frame *frame, mlirplug_status status,
                            MlirLocation location, const char *what) {
  const struct place *place = frame->instance->place;
  diagnosis_flush(frame);
  const char *absent = absent_called;
  running_end(&place->session->now, frame->slot);
  current = frame->outer;
  absent_called = frame->outer_absent;
  arena_release(&frame->scratch);
  if (absent)
    report_error(place->api, location,
                 "pass '%s' called %s, which %s does not have; ask "
                 "MLIRPLUG_HAS before",
                 place->node->name, absent, binding_version(place->binding));
  else if (status != MLIRPLUG_OK && !frame->failed)
    report_error(place->api, location, "pass '%s' %s", place->node->name, what);
  return absent || frame->failed ? MLIRPLUG_FAILED : status;
}

MlirLocation frame_location(const struct frame *frame) {
  const struct place *place = frame->instance->place;
  return frame->root.ptr ? place->api->mlirOperationGetLocation(frame->root)
                         : session_location(place->session);
}

void frame_fail(struct frame *frame, const char *format, ...) {
  const struct place *place = frame->instance->place;
  struct error_buffer what = {{0}};
  va_list values;
  va_start(values, format);
  (void)vsnprintf(what.bytes, sizeof what.bytes, format, values);
  va_end(values);
  diagnosis_flush(frame);
  report_error(place->api, frame_location(frame), "pass '%s' %s",
               place->node->name, what.bytes);
  frame->failed = true;
}
