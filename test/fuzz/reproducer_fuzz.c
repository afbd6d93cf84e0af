// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as a reproducer. What is taken is complete; what is not has a
// reason.

#include <mlirplug/host.h>

#include <stdlib.h>

static void require(bool condition) {
  if (!condition)
    abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  mlirplug_reproducer *reproducer = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_reproducer_read((const char *)bytes, size, "r.mlir", &reproducer,
                               &error) != MLIRPLUG_OK) {
    require(!reproducer && error && *error->message);
    mlirplug_error_destroy(error);
    return 0;
  }
  require(reproducer && !error);
  for (size_t i = 0; i < reproducer->plugin_count; ++i) {
    const mlirplug_reproducer_plugin *plugin = reproducer->plugins[i];
    require(plugin->id && plugin->version && plugin->path[0] == '/');
  }
  mlirplug_reproducer_destroy(reproducer);
  return 0;
}
