// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/diagnosis.h"

#include "pass/instance.h"
#include "pass/report.h"

#include <stdlib.h>

/// What is kept, in the frame's scratch memory.
struct diagnosis {
  MlirLocation location;
  int32_t severity;
  MlirStringRef text;
  struct diagnosis_note *first;
  struct diagnosis_note *last;
  size_t note_count;
};

struct diagnosis_note {
  struct diagnosis_note *next;
  struct report_note note;
};

static const struct provider_api *api_of(const struct frame *frame) {
  return frame->instance->place->api;
}

/// False if memory runs out.
static bool text_keep(struct frame *frame, MlirStringRef text,
                      MlirStringRef *kept) {
  char *bytes = arena_copy_bytes(&frame->scratch, text.data, text.length);
  *kept = (MlirStringRef){bytes, text.length};
  return bytes != NULL;
}

static bool note_keep(struct frame *frame, MlirLocation location,
                      MlirStringRef text) {
  struct diagnosis *diagnosis = frame->diagnosis;
  struct diagnosis_note *made = arena_allocate(&frame->scratch, sizeof *made);
  if (!made || !text_keep(frame, text, &made->note.text))
    return false;
  made->note.location = location;
  if (diagnosis->last)
    diagnosis->last->next = made;
  else
    diagnosis->first = made;
  diagnosis->last = made;
  ++diagnosis->note_count;
  return true;
}

static bool diagnosis_keep(struct frame *frame, MlirLocation location,
                           int32_t severity, MlirStringRef text) {
  struct diagnosis *made = arena_allocate(&frame->scratch, sizeof *made);
  if (!made || !text_keep(frame, text, &made->text))
    return false;
  made->location = location;
  made->severity = severity;
  frame->diagnosis = made;
  return true;
}

void diagnosis_add(struct frame *frame, MlirLocation location, int32_t severity,
                   MlirStringRef text) {
  const struct provider_api *api = api_of(frame);
  bool is_note = severity == MlirDiagnosticNote;
  if (is_note && frame->diagnosis && note_keep(frame, location, text))
    return;
  diagnosis_flush(frame);
  if (is_note || !api->emit_with_notes ||
      !diagnosis_keep(frame, location, severity, text))
    report(api, location, severity, text.data, text.length);
}

void diagnosis_flush(struct frame *frame) {
  struct diagnosis *diagnosis = frame->diagnosis;
  frame->diagnosis = NULL;
  if (!diagnosis)
    return;
  struct report_note *notes = calloc(diagnosis->note_count + 1, sizeof *notes);
  size_t count = 0;
  for (struct diagnosis_note *note = diagnosis->first; notes && note;
       note = note->next)
    notes[count++] = note->note;
  report_with_notes(api_of(frame), diagnosis->location, diagnosis->severity,
                    diagnosis->text, notes, count);
  free(notes);
}
