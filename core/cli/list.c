// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug list: plugins and their passes, those that were refused, and where
// plugins are looked for. Runs no code of theirs.

#include "cli/describe.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/plugins.h"

static void refusals_print(const mlirplug_host *host, FILE *stream) {
  size_t count = mlirplug_host_refusal_count(host);
  if (count)
    fputs("\nRefused:\n", stream);
  for (size_t i = 0; i < count; ++i)
    fprintf(stream, "  %s\n", mlirplug_host_refusal(host, i)->error->message);
}

static void directories_print(const mlirplug_host *host, FILE *stream) {
  size_t count = mlirplug_host_directory_count(host);
  if (count)
    fputs("\nSearched:\n", stream);
  for (size_t i = 0; i < count; ++i) {
    const mlirplug_directory *directory = mlirplug_host_directory(host, i);
    fputs("  ", stream);
    describe_text(stream, directory->path);
    fputs("  ", stream);
    describe_origin(stream, directory);
    fprintf(stream, "%s\n",
            directory->error    ? ", refused"
            : directory->exists ? ""
                                : ", does not exist");
  }
}

static bool names_files(const struct arguments *arguments) {
  return arguments->plugins.count || arguments->inputs.count;
}

static void text_print(const struct arguments *arguments,
                       const mlirplug_host *host, FILE *stream) {
  plugins_describe(host, stream, "");
  if (!mlirplug_host_plugin_count(host) && !names_files(arguments))
    fputs("No plugins.\n", stream);
  refusals_print(host, stream);
  directories_print(host, stream);
}

static bool plugins_print(const struct arguments *arguments,
                          const mlirplug_host *host, struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return false;
  }
  if (!arguments->json) {
    text_print(arguments, host, memory.stream);
  } else if (!json_list_print(memory.stream, host)) {
    console_error(console, "out of memory");
    memory_release(&memory);
    return false;
  }
  return output_memory(console, &memory);
}

enum command_status command_list(const struct arguments *arguments,
                                 struct console *console) {
  mlirplug_host *host = plugins_host_create(arguments, console);
  if (!host)
    return COMMAND_FAILED;
  static const struct argument_texts no_inputs = {0};
  bool all = plugins_add(host, console, &arguments->plugins, false);
  all = plugins_add(host, console, &arguments->inputs, false) && all;
  all = plugins_search(host, console, arguments, &no_inputs,
                       !names_files(arguments)) &&
        all;
  all = plugins_print(arguments, host, console) && all;
  mlirplug_host_destroy(host);
  return all ? COMMAND_OK : COMMAND_FAILED;
}
