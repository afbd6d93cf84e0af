// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "isolate/diagnostic.h"

#include "isolate/transfer_ir.h"
#include "pass/report.h"

#include <stdlib.h>
#include <string.h>

/// A NUL would end the string.
static void chunk_add(MlirStringRef chunk, void *text) {
  for (size_t i = 0; i < chunk.length; ++i)
    text_add_bytes(text, chunk.data[i] ? &chunk.data[i] : " ", 1);
}

static void part_write(const struct isolate_functions *functions,
                       MlirDiagnostic part, struct text *text) {
  location_write(functions, functions->mlirDiagnosticGetLocation(part), text);
  text_add_bytes(text, "", 1);
  functions->mlirDiagnosticPrint(part, chunk_add, text);
  text_add_bytes(text, "", 1);
}

void diagnostic_write(const struct isolate_functions *functions,
                      MlirDiagnostic diagnostic, struct text *text) {
  text_format(text, "%d",
              (int)functions->mlirDiagnosticGetSeverity(diagnostic));
  part_write(functions, diagnostic, text);
  intptr_t count = functions->mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < count; ++i)
    part_write(functions, functions->mlirDiagnosticGetNote(diagnostic, i),
               text);
}

/// The string at `*bytes`, which moves behind it; null if there is none.
static const char *string_take(const char **bytes, const char *end) {
  const char *string = *bytes;
  const char *last =
      string < end ? memchr(string, '\0', (size_t)(end - string)) : NULL;
  if (!last)
    return NULL;
  *bytes = last + 1;
  return string;
}

bool diagnostic_emit(const struct isolate_functions *functions,
                     const struct provider_api *api, MlirContext context,
                     MlirLocation location, const char *bytes, size_t length,
                     bool *is_error) {
  const char *end = bytes + length, *at = bytes + 1;
  if (!length || bytes[0] < '0' + MlirDiagnosticError ||
      bytes[0] > '0' + MlirDiagnosticRemark)
    return false;
  size_t count = 0;
  for (const char *c = at; c < end; ++c)
    count += !*c;
  struct report_note *parts = calloc(count / 2 + 1, sizeof *parts);
  const char *where = NULL, *text = NULL;
  size_t found = 0;
  while (parts && found <= count / 2 && (where = string_take(&at, end)) &&
         (text = string_take(&at, end))) {
    MlirLocation read = location_read(functions, context, where);
    parts[found++] =
        (struct report_note){read.ptr ? read : location, provider_string(text)};
  }
  int32_t severity = bytes[0] - '0';
  *is_error = severity == MlirDiagnosticError;
  if (found)
    report_with_notes(api, parts[0].location, severity, parts[0].text,
                      parts + 1, found - 1);
  free(parts);
  return found;
}
