// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/watch.h"

#include "pass/check.h"
#include "pass/dump.h"
#include "pass/measure.h"
#include "pass/timing.h"

static mlirplug_status watch_refuse(const struct session *session,
                                    const char *what, mlirplug_error **error) {
  return build_refuse(
      session,
      error_text("%s cannot %s", binding_version(session->binding), what),
      "a provider of mlirplug", "use --provider=static or --provider=shared",
      error);
}

mlirplug_status watch_begin(struct mlirplug_manager *manager,
                            mlirplug_error **error) {
  const struct session *session = &manager->session;
  const mlirplug_manager_configuration *asked = &manager->configuration;
  bool has_passes = manager->passes.ptr;
  if (asked->ir_dumps && (!has_passes || !session->api->dump_ir))
    return watch_refuse(session, "show the IR around passes", error);
  if (asked->timing && (!has_passes || !session->api->timing_attach))
    return watch_refuse(session, "take the times of passes", error);
  if (has_passes)
    measures_begin(manager);
  if (asked->ir_dumps &&
      dumps_begin(manager, asked->ir_dumps, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  return asked->timing ? timing_attach(manager, error) : MLIRPLUG_OK;
}

void watch_end(struct mlirplug_manager *manager) {
  dumps_end(manager->dumps);
  measures_release(&manager->measures);
}
