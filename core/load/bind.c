// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "load/bind.h"

#include "base/text.h"
#include "provider/absent.h"

#include <string.h>

#define OWN_PREFIX "mlirplug_"
#define SHOWN_AT_MOST 5

void (*environment_find(const struct environment *environment,
                        const char *name))(void) {
  for (const struct service *service = environment->services; service->name;
       ++service)
    if (strcmp(service->name, name) == 0)
      return service->function;
  return environment->binding ? binding_find(environment->binding, name) : NULL;
}

static bool name_is_ours(const char *name) {
  return strncmp(name, OWN_PREFIX, sizeof OWN_PREFIX - 1) == 0;
}

/// "mlirEmitWarning (seen in 24git)"
static void absent_describe(struct text *text, const char *name) {
  const char *seen = absent_seen(name);
  text_add(text, name);
  if (seen)
    text_format(text, " (seen in %s)", seen);
  else if (!name_is_ours(name))
    text_add(text, " (not seen in any MLIR)");
}

mlirplug_status bind_check(const mlirplug_plugin_description *description,
                           const struct environment *environment,
                           mlirplug_error **error) {
  struct text absent = {0};
  size_t count = 0;
  bool ours = false;
  for (size_t i = 0; i < description->import_count; ++i) {
    const char *name = description->imports[i];
    if (environment_find(environment, name))
      continue;
    ours = ours || name_is_ours(name);
    if (++count > SHOWN_AT_MOST)
      continue;
    text_add(&absent, count > 1 ? ", " : "");
    absent_describe(&absent, name);
  }
  if (count > SHOWN_AT_MOST)
    text_format(&absent, " and %zu more", count - SHOWN_AT_MOST);
  mlirplug_status status = MLIRPLUG_OK;
  if (count && ours)
    status = error_set(
        error,
        &(mlirplug_error){
            .doing = "cannot load plugin",
            .subject = description->path,
            .found = error_text("it uses %s, which this mlirplug (version %s) "
                                "does not have",
                                absent.bytes, mlirplug_version()),
            .expected = error_text("mlirplug %s or newer", description->sdk),
            .remedy = "install a newer mlirplug"});
  else if (count)
    status = error_set(
        error,
        &(mlirplug_error){
            .doing = "cannot load plugin",
            .subject = description->path,
            .found = error_text(
                "it uses %s, which %s does not have", absent.bytes,
                environment->binding ? binding_description(environment->binding)
                                     : "what a host plugin is given"),
            .expected = "an MLIR that has it",
            .remedy = "use another provider, or make the function "
                      "optional in the plugin (MLIRPLUG_HAS)"});
  text_release(&absent);
  return status;
}

void bind_fill(mlirplug_import *begin, mlirplug_import *end,
               const struct environment *environment) {
  for (mlirplug_import *import = begin; import != end; ++import) {
    bool optional = import->name[0] == '?';
    const char *name = import->name + optional;
    void (*function)(void) = environment_find(environment, name);
    // What a plugin asks for with '?' it may see as null; what it calls is
    // never.
    import->function = function || optional ? function : absent_stub(name);
  }
}
