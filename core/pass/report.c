// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/report.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void report_error(const struct provider_api *api, MlirLocation location,
                  const char *format, ...) {
  char *text = NULL;
  va_list values;
  va_start(values, format);
  int length = vasprintf(&text, format, values);
  va_end(values);
  api->mlirEmitError(location, length < 0 ? "out of memory" : text);
  if (length >= 0)
    free(text);
}

void report(const struct provider_api *api, MlirLocation location,
            int32_t severity, const char *text, size_t length) {
  static const char *const names[] = {"", "warning: ", "note: ", "remark: "};
  if (api->emit) {
    api->emit(location, severity, (MlirStringRef){text, length});
    return;
  }
  void (*function)(MlirLocation, const char *) = NULL;
  if (severity == MlirDiagnosticWarning)
    function = api->emit_warning;
  else if (severity == MlirDiagnosticRemark)
    function = api->emit_remark;
  struct text shown = {0};
  if (!function && severity > MlirDiagnosticError &&
      severity <= MlirDiagnosticRemark)
    text_add(&shown, names[severity]);
  text_add_bytes(&shown, text, length);
  if (!function)
    function = api->mlirEmitError;
  const char *whole = shown.bytes ? shown.bytes : "";
  function(location, shown.failed ? "out of memory" : whole);
  text_release(&shown);
}

static bool notes_attach(const struct provider_api *api, MlirLocation location,
                         int32_t severity, MlirStringRef text,
                         const struct report_note *notes, size_t count) {
  MlirLocation *locations = calloc(count, sizeof *locations);
  MlirStringRef *texts = calloc(count, sizeof *texts);
  bool possible = api->emit_with_notes && locations && texts;
  for (size_t i = 0; possible && i < count; ++i) {
    locations[i] = notes[i].location;
    texts[i] = notes[i].text;
  }
  if (possible)
    api->emit_with_notes(location, severity, text, (intptr_t)count, locations,
                         texts);
  free(locations);
  free(texts);
  return possible;
}

void report_with_notes(const struct provider_api *api, MlirLocation location,
                       int32_t severity, MlirStringRef text,
                       const struct report_note *notes, size_t count) {
  if (count && notes_attach(api, location, severity, text, notes, count))
    return;
  report(api, location, severity, text.data, text.length);
  for (size_t i = 0; i < count; ++i)
    report(api, notes[i].location, MlirDiagnosticNote, notes[i].text.data,
           notes[i].text.length);
}
