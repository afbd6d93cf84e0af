// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/reason.h"

#include <string.h>

static const char *loader_remedy(const char *reason) {
  static const struct {
    const char *part;
    const char *remedy;
  } known[] = {
      {"undefined symbol",
       "define the symbol or link the library that has it; -Wl,-z,defs finds "
       "such symbols when the plugin is linked"},
      {"cannot open shared object file",
       "install the library, or say where it is (LD_LIBRARY_PATH, -Wl,-rpath)"},
      {"static TLS",
       "compile it without -ftls-model=initial-exec, and so the libraries it "
       "needs"},
      {"' not found (required by",
       "build the plugin on the oldest system that it is for, or install a "
       "newer library here"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strstr(reason, known[i].part))
      return known[i].remedy;
  return "rebuild the plugin";
}

mlirplug_status loader_refuse(const char *plugin, const char *opened,
                              const char *reason, mlirplug_error **error) {
  const char *remedy = loader_remedy(reason);
  // Most reasons begin with the path, which the error has anyway.
  size_t length = strlen(opened);
  if (strncmp(reason, opened, length) == 0 &&
      strncmp(reason + length, ": ", 2) == 0)
    reason += length + 2;
  return error_set(error, &(mlirplug_error){.doing = "cannot load plugin",
                                            .subject = plugin,
                                            .found = reason,
                                            .remedy = remedy});
}
