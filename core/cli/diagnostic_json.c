// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/diagnostic_json.h"

#include "cli/json_value.h"
#include "cli/memory.h"

#include <stdlib.h>
#include <string.h>

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

/// The line at a place, or null if it cannot be shown.
static char *line_make(struct diagnostics *diagnostics, const char *file,
                       const struct place *place) {
  struct memory memory;
  if (!memory_open(&memory))
    return NULL;
  source_print(&diagnostics->source, file, (size_t)place->line,
               (size_t)place->column, memory.stream);
  char *line = NULL;
  if (memory_close(&memory) && memory.length)
    line = strndup(memory.bytes, strcspn(memory.bytes, "\n"));
  memory_release(&memory);
  return line;
}

static void place_set(struct diagnostics *diagnostics, json_t *object,
                      const struct place *place, bool *complete) {
  MlirStringRef name = place->file;
  char *file = strndup(name.data, name.length);
  // What MLIR reads from memory it calls "-".
  const char *shown = file && strcmp(file, "-") == 0 && diagnostics->input
                          ? diagnostics->input
                          : file;
  json_field(object, "file", file ? json_text(shown) : NULL, complete);
  if (place->line > 0) { // else it is about the file as a whole
    json_field(object, "line", json_integer(place->line), complete);
    json_field(object, "column", json_integer(place->column), complete);
  }
  char *line = file && place->line > 0 && place->column > 0
                   ? line_make(diagnostics, file, place)
                   : NULL;
  if (line)
    json_field(object, "source", json_text(line), complete);
  free(line);
  free(file);
}

static void location_set(json_t *object, MlirLocation location,
                         bool *complete) {
  struct memory memory;
  *complete = *complete && memory_open(&memory);
  if (!*complete)
    return;
  mlirLocationPrint(location, chunk_print, memory.stream);
  *complete = memory_close(&memory);
  if (*complete)
    json_field(object, "location", json_text(memory.bytes), complete);
  memory_release(&memory);
}

static json_t *message_make(struct diagnostics *diagnostics,
                            const struct place *place,
                            const MlirLocation *location, const char *severity,
                            const char *text, bool *complete) {
  json_t *object = json_object();
  if (!object || !text)
    *complete = false;
  json_field(object, "severity", json_text(severity), complete);
  json_field(object, "message", json_text(text), complete);
  if (place)
    place_set(diagnostics, object, place, complete);
  if (location)
    location_set(object, *location, complete);
  return object;
}

/// A diagnostic or a note, without notes of its own.
static json_t *part_make(struct diagnostics *diagnostics, MlirDiagnostic part,
                         bool *complete) {
  MlirLocation location = mlirDiagnosticGetLocation(part);
  struct place place = {.text = NULL};
  bool has_place = diagnostics_place(location, &place);
  char *text = diagnostics_text(part);
  json_t *object = message_make(
      diagnostics, has_place ? &place : NULL, &location,
      diagnostics_severity(mlirDiagnosticGetSeverity(part)), text, complete);
  free(text);
  free(place.text);
  return object;
}

static bool line_print(FILE *stream, json_t *object, bool complete) {
  char *text = complete ? json_dumps(object, 0) : NULL;
  if (text)
    fprintf(stream, "%s\n", text);
  free(text);
  json_decref(object);
  return text != NULL;
}

bool diagnostic_json_print(struct diagnostics *diagnostics, FILE *stream,
                           MlirDiagnostic diagnostic) {
  bool complete = true;
  json_t *object = part_make(diagnostics, diagnostic, &complete);
  json_t *notes = json_array();
  intptr_t count =
      diagnostics->no_notes ? 0 : mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < count; ++i)
    if (json_array_append_new(
            notes, part_make(diagnostics, mlirDiagnosticGetNote(diagnostic, i),
                             &complete)) != 0)
      complete = false;
  json_field(object, "notes", notes, &complete);
  return line_print(stream, object, complete);
}

bool diagnostic_json_say(struct diagnostics *diagnostics, FILE *stream,
                         const struct place *place,
                         const MlirLocation *location, const char *severity,
                         const char *text) {
  bool complete = true;
  json_t *object =
      message_make(diagnostics, place, location, severity, text, &complete);
  json_field(object, "notes", json_array(), &complete);
  return line_print(stream, object, complete);
}
