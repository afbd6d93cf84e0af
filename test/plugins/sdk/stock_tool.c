// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens plugins as mlir-opt does, all of them into one name space, and then
// asks each for its passes.

#include <mlirplug/option.h>
#include <mlirplug/plugin.h>

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int count, char **paths) {
  void *plugins[8];
  for (int i = 1; i < count && i < 8; ++i) {
    plugins[i] = dlopen(paths[i], RTLD_LAZY | RTLD_GLOBAL);
    if (!plugins[i]) {
      printf("%s\n", dlerror());
      return 1;
    }
  }
  for (int i = 1; i < count && i < 8; ++i) {
    const mlirplug_descriptor *descriptor =
        (const mlirplug_descriptor *)dlsym(plugins[i], "mlirplug_plugin");
    mlirplug_stock_information (*inform)(void);
    void *symbol = dlsym(plugins[i], "mlirGetPassPluginInfo");
    memcpy(&inform, &symbol, sizeof inform);
    mlirplug_stock_information information = inform();
    printf("%s %s %s: ", descriptor->id, descriptor->passes[0]->name,
           information.name);
    fflush(stdout);
    information.register_passes();
  }
  return 0;
}
