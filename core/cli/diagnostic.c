// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/diagnostic.h"

#include "cli/diagnostic_json.h"
#include "cli/memory.h"
#include "cli/verification.h"

#include <stdlib.h>
#include <string.h>

enum {
  CALL_STACK_LIMIT = 10, // mlir-opt's
  // Parts of a location that are looked at. One with more was not made by
  // people, and where parts are shared, the paths through them grow without
  // bound.
  LOCATION_LIMIT = 500,
};

/// Whether locations tell what is in them. Up to MLIR 19 they do not.
static bool locations_are_open(void) {
  return MLIRPLUG_HAS(mlirLocationIsAFileLineColRange) &&
         MLIRPLUG_HAS(mlirLocationFileLineColRangeGetFilename) &&
         MLIRPLUG_HAS(mlirLocationFileLineColRangeGetStartLine) &&
         MLIRPLUG_HAS(mlirLocationFileLineColRangeGetStartColumn) &&
         MLIRPLUG_HAS(mlirLocationIsAName) &&
         MLIRPLUG_HAS(mlirLocationNameGetChildLoc) &&
         MLIRPLUG_HAS(mlirLocationIsACallSite) &&
         MLIRPLUG_HAS(mlirLocationCallSiteGetCallee) &&
         MLIRPLUG_HAS(mlirLocationCallSiteGetCaller) &&
         MLIRPLUG_HAS(mlirLocationIsAFused) &&
         MLIRPLUG_HAS(mlirLocationFusedGetNumLocations) &&
         MLIRPLUG_HAS(mlirLocationFusedGetLocations);
}

static MlirLocation no_location(void) { return (MlirLocation){NULL}; }

static void chunk_print(MlirStringRef chunk, void *stream) {
  fwrite(chunk.data, 1, chunk.length, stream);
}

//===----------------------------------------------------------------------===//
// Looking into locations
//===----------------------------------------------------------------------===//

typedef MlirLocation location_search(MlirLocation location, unsigned *visits);

/// The first of a fused location's parts in which `search` finds something.
static MlirLocation fused_search(MlirLocation location, unsigned *visits,
                                 location_search *search) {
  unsigned count = mlirLocationFusedGetNumLocations(location);
  MlirLocation *parts = calloc(count ? count : 1, sizeof *parts);
  if (!parts)
    return no_location();
  mlirLocationFusedGetLocations(location, parts);
  MlirLocation found = no_location();
  for (unsigned i = 0; i < count && mlirLocationIsNull(found); ++i)
    found = search(parts[i], visits);
  free(parts);
  return found;
}

/// The first location inside that is a place in a file.
static MlirLocation file_find(MlirLocation location, unsigned *visits) {
  if ((*visits)++ > LOCATION_LIMIT)
    return no_location();
  if (mlirLocationIsAFileLineColRange(location))
    return location;
  if (mlirLocationIsAName(location))
    return file_find(mlirLocationNameGetChildLoc(location), visits);
  if (mlirLocationIsACallSite(location)) {
    MlirLocation found =
        file_find(mlirLocationCallSiteGetCallee(location), visits);
    if (!mlirLocationIsNull(found))
      return found;
    return file_find(mlirLocationCallSiteGetCaller(location), visits);
  }
  if (mlirLocationIsAFused(location))
    return fused_search(location, visits, file_find);
  return no_location();
}

static MlirLocation call_site_find(MlirLocation location, unsigned *visits) {
  if ((*visits)++ > LOCATION_LIMIT)
    return no_location();
  if (mlirLocationIsACallSite(location))
    return location;
  if (mlirLocationIsAName(location))
    return call_site_find(mlirLocationNameGetChildLoc(location), visits);
  if (mlirLocationIsAFused(location))
    return fused_search(location, visits, call_site_find);
  return no_location();
}

bool diagnostics_place(MlirLocation location, struct place *place) {
  if (!locations_are_open())
    return place_read(location, place);
  MlirLocation file = file_find(location, &(unsigned){0});
  if (mlirLocationIsNull(file))
    return false;
  *place = (struct place){
      .file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(file)),
      .line = mlirLocationFileLineColRangeGetStartLine(file),
      .column = mlirLocationFileLineColRangeGetStartColumn(file)};
  return true;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

const char *diagnostics_severity(MlirDiagnosticSeverity severity) {
  switch (severity) {
  case MlirDiagnosticWarning:
    return "warning";
  case MlirDiagnosticNote:
    return "note";
  case MlirDiagnosticRemark:
    return "remark";
  default:
    return "error";
  }
}

/// `text` and its source line at a place in a file.
static void file_message_print(struct diagnostics *diagnostics, FILE *stream,
                               const struct place *place, const char *severity,
                               const char *text, bool show_line) {
  MlirStringRef name = place->file;
  int line = place->line, column = place->column;
  // What MLIR reads from memory it calls "-".
  if (diagnostics->input && name.length == 1 && name.data[0] == '-')
    name = mlirStringRefCreateFromCString(diagnostics->input);
  fprintf(stream, "%.*s:", (int)name.length, name.data);
  if (line > 0) // else it is about the file as a whole
    fprintf(stream, "%d:%d:", line, column);
  fprintf(stream, " %s: %s\n", severity, text);
  char *path = show_line && line > 0 && column > 0
                   ? strndup(name.data, name.length)
                   : NULL;
  if (path)
    source_print(&diagnostics->source, path, (size_t)line, (size_t)column,
                 stream);
  free(path);
}

static void message_print(struct diagnostics *diagnostics, FILE *stream,
                          MlirLocation location, const char *severity,
                          const char *text, bool show_line) {
  struct place place;
  if (diagnostics_place(location, &place)) {
    file_message_print(diagnostics, stream, &place, severity, text, show_line);
    free(place.text);
    return;
  }
  MlirLocation unknown =
      mlirLocationUnknownGet(mlirLocationGetContext(location));
  fprintf(stream, "<unknown>:0: %s: ", severity);
  if (!mlirLocationEqual(location, unknown)) {
    mlirLocationPrint(location, chunk_print, stream);
    fputs(": ", stream);
  }
  fprintf(stream, "%s\n", text);
}

/// The calls that led to a place, for code that was inlined. The last place
/// shown is the result.
static MlirLocation calls_print(struct diagnostics *diagnostics, FILE *stream,
                                MlirLocation location) {
  if (!locations_are_open())
    return location;
  MlirLocation call = call_site_find(location, &(unsigned){0});
  for (int i = 0; i < CALL_STACK_LIMIT && !mlirLocationIsNull(call); ++i) {
    location = mlirLocationCallSiteGetCaller(call);
    message_print(diagnostics, stream, location,
                  diagnostics_severity(MlirDiagnosticNote), "called from",
                  true);
    call = call_site_find(location, &(unsigned){0});
  }
  return location;
}

char *diagnostics_text(MlirDiagnostic diagnostic) {
  struct memory memory;
  if (!memory_open(&memory))
    return NULL;
  mlirDiagnosticPrint(diagnostic, chunk_print, memory.stream);
  if (memory_close(&memory))
    return memory.bytes;
  memory_release(&memory);
  return NULL;
}

/// One message of a diagnostic, which may be a note of another.
static void part_print(struct diagnostics *diagnostics, FILE *stream,
                       MlirDiagnostic part, bool show_line) {
  char *text = diagnostics_text(part);
  message_print(diagnostics, stream, mlirDiagnosticGetLocation(part),
                diagnostics_severity(mlirDiagnosticGetSeverity(part)),
                text ? text : "(out of memory)", show_line);
  free(text);
}

static void diagnostic_print(struct diagnostics *diagnostics, FILE *stream,
                             MlirDiagnostic diagnostic) {
  part_print(diagnostics, stream, diagnostic, true);
  MlirLocation shown =
      calls_print(diagnostics, stream, mlirDiagnosticGetLocation(diagnostic));
  intptr_t count =
      diagnostics->no_notes ? 0 : mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < count; ++i) {
    MlirDiagnostic note = mlirDiagnosticGetNote(diagnostic, i);
    MlirLocation location = mlirDiagnosticGetLocation(note);
    // A line is not shown twice in a row.
    part_print(diagnostics, stream, note, !mlirLocationEqual(location, shown));
    shown = location;
  }
}

static bool is_hidden(const struct diagnostics *diagnostics,
                      MlirDiagnosticSeverity severity) {
  return (diagnostics->no_warnings && severity == MlirDiagnosticWarning) ||
         (diagnostics->no_remarks && severity == MlirDiagnosticRemark) ||
         (diagnostics->no_notes && severity == MlirDiagnosticNote);
}

/// MLIR calls it from any thread, one at a time.
static MlirLogicalResult handle(MlirDiagnostic diagnostic, void *user_data) {
  struct diagnostics *diagnostics = user_data;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  if (is_hidden(diagnostics, severity))
    return mlirLogicalResultSuccess();
  if (diagnostics->verification) {
    verification_take(diagnostics->verification, diagnostic);
    diagnostics->errors += severity == MlirDiagnosticError;
    return mlirLogicalResultSuccess();
  }
  struct memory memory;
  if (!memory_open(&memory))
    return mlirLogicalResultFailure();
  bool complete = true;
  if (diagnostics->console->json)
    complete = diagnostic_json_print(diagnostics, memory.stream, diagnostic);
  else
    diagnostic_print(diagnostics, memory.stream, diagnostic);
  complete = memory_close(&memory) && complete;
  if (complete)
    console_text(diagnostics->console, memory.bytes, memory.length);
  memory_release(&memory);
  if (complete && severity == MlirDiagnosticError)
    ++diagnostics->errors;
  // What could not be shown here is left to MLIR's own printing.
  return complete ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

void diagnostics_attach(struct diagnostics *diagnostics, MlirContext context) {
  mlirContextAttachDiagnosticHandler(context, handle, diagnostics, NULL);
}

//===----------------------------------------------------------------------===//
// The command's own
//===----------------------------------------------------------------------===//

/// Ends `memory` and shows it.
static void memory_show(struct diagnostics *diagnostics,
                        struct memory *memory) {
  if (memory_close(memory))
    console_text(diagnostics->console, memory->bytes, memory->length);
  else
    console_error(diagnostics->console, "out of memory");
  memory_release(memory);
}

void diagnostics_say(struct diagnostics *diagnostics, const char *file,
                     size_t line, size_t column, const char *severity,
                     const char *text) {
  struct memory memory;
  const struct place place = {.file = mlirStringRefCreateFromCString(file),
                              .line = (int)line,
                              .column = (int)column};
  bool is_open = memory_open(&memory);
  if (is_open && diagnostics->console->json)
    (void)diagnostic_json_say(diagnostics, memory.stream, &place, NULL,
                              severity, text);
  else if (is_open)
    file_message_print(diagnostics, memory.stream, &place, severity, text,
                       true);
  memory_show(diagnostics, &memory);
}

void diagnostics_say_at(struct diagnostics *diagnostics, MlirLocation location,
                        const char *severity, const char *text) {
  struct memory memory;
  struct place place = {.text = NULL};
  bool has_place =
      diagnostics->console->json && diagnostics_place(location, &place);
  bool is_open = memory_open(&memory);
  if (is_open && diagnostics->console->json)
    (void)diagnostic_json_say(diagnostics, memory.stream,
                              has_place ? &place : NULL, &location, severity,
                              text);
  else if (is_open)
    message_print(diagnostics, memory.stream, location, severity, text, true);
  free(place.text);
  memory_show(diagnostics, &memory);
}
