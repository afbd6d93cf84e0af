// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/timing.h"

#include "base/error.h"
#include "host/host.h"

#include <stdlib.h>

struct mlirplug_timing {
  const struct binding *binding;
  const struct provider_api *api;
  void *state; ///< The provider's.
  void (*write)(const char *text, size_t length, void *user_data);
  void *user_data;
};

static mlirplug_status timing_refuse(const char *found, const char *expected,
                                     const char *remedy,
                                     mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot take times",
                                            .found = found,
                                            .expected = expected,
                                            .remedy = remedy});
}

static void report_write(MlirStringRef part, void *user_data) {
  const mlirplug_timing *timing = user_data;
  if (timing->write)
    timing->write(part.data, part.length, timing->user_data);
}

static mlirplug_status provider_check(const mlirplug_host *host,
                                      mlirplug_error **error) {
  if (!host->binding)
    return timing_refuse("no provider is attached", NULL,
                         "call mlirplug_host_attach_library first", error);
  if (binding_api(host->binding)->timing_create)
    return MLIRPLUG_OK;
  return timing_refuse(
      error_text("%s cannot", binding_description(host->binding)),
      "a provider of mlirplug", "use --provider=static or --provider=shared",
      error);
}

mlirplug_status
mlirplug_timing_create(mlirplug_host *host,
                       const mlirplug_timing_configuration *configuration,
                       mlirplug_timing **timing, mlirplug_error **error) {
  if (provider_check(host, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  mlirplug_timing *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  int32_t how = 0;
  if (configuration) // both have been there from the first
    how = (configuration->list ? PROVIDER_TIMING_LIST : 0) |
          (configuration->json ? PROVIDER_TIMING_JSON : 0);
  made->binding = host->binding;
  made->api = binding_api(host->binding);
  made->state = made->api->timing_create(how, report_write, made);
  if (!made->state) {
    free(made);
    return timing_refuse(
        error_text("%s has no report in JSON", binding_version(host->binding)),
        "MLIR 22", "report as text", error);
  }
  *timing = made;
  return MLIRPLUG_OK;
}

void mlirplug_timing_begin(mlirplug_timing *timing, const char *name) {
  if (timing)
    timing->api->timing_begin(timing->state, provider_string(name));
}

void mlirplug_timing_end(mlirplug_timing *timing) {
  if (timing)
    timing->api->timing_end(timing->state);
}

void mlirplug_timing_finish(mlirplug_timing *timing,
                            void (*write)(const char *text, size_t length,
                                          void *user_data),
                            void *user_data) {
  if (!timing)
    return;
  timing->write = write;
  timing->user_data = user_data;
  timing->api->timing_finish(timing->state);
  free(timing);
}

mlirplug_status timing_attach(struct mlirplug_manager *manager,
                              mlirplug_error **error) {
  mlirplug_timing *timing = manager->configuration.timing;
  if (timing->binding != manager->session.binding)
    return timing_refuse("the times are those of another copy of MLIR", NULL,
                         "create the timing for the same host", error);
  timing->api->timing_attach(timing->state, manager->passes);
  return MLIRPLUG_OK;
}
