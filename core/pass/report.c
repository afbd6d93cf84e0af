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
