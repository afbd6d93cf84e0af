// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/verification.h"

#include "cli/diagnostic.h"
#include "cli/place.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void fault_say(size_t line, size_t column, const char *text,
                      void *user_data) {
  struct verification *verification = user_data;
  verification->failed = true;
  diagnostics_say(verification->diagnostics, verification->file, line, column,
                  "error", text);
}

bool verification_begin(struct verification *verification,
                        struct diagnostics *diagnostics, const char *file,
                        const char *content, size_t length,
                        bool only_expected) {
  *verification = (struct verification){
      .diagnostics = diagnostics, .file = file, .only_expected = only_expected};
  if (!expectations_find(&verification->expectations, content, length,
                         fault_say, verification)) {
    console_error(diagnostics->console, "out of memory");
    return false;
  }
  diagnostics->verification = verification;
  return true;
}

/// Says something of an expectation.
__attribute__((format(printf, 3, 4))) static void
expectation_say(struct verification *verification,
                const struct expectation *expectation, const char *format,
                ...) {
  char *text = NULL;
  va_list values;
  va_start(values, format);
  if (vasprintf(&text, format, values) < 0)
    text = NULL;
  va_end(values);
  fault_say(expectation->at_line, expectation->at_column,
            text ? text : "out of memory", verification);
  free(text);
}

static void unexpected_say(struct verification *verification,
                           MlirDiagnostic part, const char *severity,
                           const char *text) {
  char *line = NULL;
  verification->failed = true;
  if (asprintf(&line, "unexpected %s: %s", severity, text) < 0)
    return;
  diagnostics_say_at(verification->diagnostics, mlirDiagnosticGetLocation(part),
                     "error", line);
  free(line);
}

/// The line that a part of a diagnostic is about, 0 for none; SIZE_MAX if it is
/// in another file.
static size_t line_of(const struct verification *verification,
                      MlirDiagnostic part) {
  struct place place;
  if (!diagnostics_place(mlirDiagnosticGetLocation(part), &place))
    return 0;
  const char *file = verification->file;
  bool here = (place.file.length == strlen(file) &&
               memcmp(place.file.data, file, place.file.length) == 0) ||
              verification->diagnostics->input;
  size_t line = here ? (size_t)place.line : SIZE_MAX;
  free(place.text);
  return line;
}

static void part_take(struct verification *verification, MlirDiagnostic part) {
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(part);
  char *text = diagnostics_text(part);
  const struct expectation *near;
  if (!text) {
    verification->failed = true;
  } else if (!expectations_meet(&verification->expectations,
                                line_of(verification, part), severity, text,
                                &near) &&
             !verification->only_expected) {
    if (near)
      expectation_say(
          verification, near, "'%s' diagnostic emitted when expecting a '%s'",
          diagnostics_severity(severity), diagnostics_severity(near->severity));
    else
      unexpected_say(verification, part, diagnostics_severity(severity), text);
  }
  free(text);
}

void verification_take(struct verification *verification,
                       MlirDiagnostic diagnostic) {
  part_take(verification, diagnostic);
  intptr_t count = mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < count; ++i)
    part_take(verification, mlirDiagnosticGetNote(diagnostic, i));
}

bool verification_end(struct verification *verification) {
  const struct expectations *expectations = &verification->expectations;
  for (size_t i = 0; i < expectations->count; ++i) {
    const struct expectation *expectation = &expectations->items[i];
    if (!expectation->met)
      expectation_say(
          verification, expectation, "expected %s \"%s\" was not produced",
          diagnostics_severity(expectation->severity), expectation->text);
  }
  bool fine = !verification->failed;
  expectations_release(&verification->expectations);
  verification->diagnostics->verification = NULL;
  return fine;
}
