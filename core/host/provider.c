// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the host can say of copies of MLIR, and of plugins on them.

#include "host/host.h"

#include "load/bind.h"
#include "pass/services.h"
#include "provider/describe.h"
#include "provider/installed.h"

const char *mlirplug_provider_kind(size_t index) {
  return installed_provider_kind(index);
}

static mlirplug_status unattached_refuse(const char *doing,
                                         mlirplug_error **error) {
  return error_set(
      error,
      &(mlirplug_error){.doing = doing,
                        .found = "no provider is attached",
                        .remedy = "call mlirplug_host_attach_library first"});
}

mlirplug_status
mlirplug_host_describe_provider(const mlirplug_host *host,
                                mlirplug_provider_description **description,
                                mlirplug_error **error) {
  if (!host->binding)
    return unattached_refuse("cannot describe the provider", error);
  return provider_describe(host->binding, description, error);
}

void mlirplug_provider_description_destroy(
    mlirplug_provider_description *description) {
  provider_description_destroy(description);
}

mlirplug_status
mlirplug_host_check_plugin(const mlirplug_host *host,
                           const mlirplug_plugin_description *plugin,
                           mlirplug_error **error) {
  if (!host->binding)
    return unattached_refuse("cannot check the plugin", error);
  struct environment environment = {services, host->binding};
  return bind_check(plugin, &environment, error);
}
