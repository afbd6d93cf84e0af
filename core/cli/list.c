// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug list: plugins and their passes. Runs no code of theirs.

#include "cli/json.h"
#include "cli/output.h"
#include "cli/plugins.h"

static bool json_print(const mlirplug_host *host, FILE *stream) {
  json_t *plugins = json_array();
  for (size_t i = 0; plugins && i < mlirplug_host_plugin_count(host); ++i)
    if (json_array_append_new(
            plugins, json_plugin(mlirplug_host_plugin(host, i), JSON_PASSES)) !=
        0) {
      json_decref(plugins);
      plugins = NULL;
    }
  return json_plugins_print(stream, plugins);
}

static bool plugins_print(const struct arguments *arguments,
                          const mlirplug_host *host, struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return false;
  }
  if (!arguments->json) {
    plugins_describe(host, memory.stream, "");
  } else if (!json_print(host, memory.stream)) {
    console_error(console, "out of memory");
    memory_release(&memory);
    return false;
  }
  return output_memory(console, &memory);
}

enum command_status command_list(const struct arguments *arguments,
                                 struct console *console) {
  mlirplug_host *host = plugins_host_create(console);
  if (!host)
    return COMMAND_FAILED;
  bool all = true;
  if (!arguments->plugins.count && !arguments->inputs.count)
    all = plugins_add_installed(host, console);
  all = plugins_add(host, console, &arguments->plugins) && all;
  all = plugins_add(host, console, &arguments->inputs) && all;
  all = plugins_print(arguments, host, console) && all;
  mlirplug_host_destroy(host);
  return all ? COMMAND_OK : COMMAND_FAILED;
}
