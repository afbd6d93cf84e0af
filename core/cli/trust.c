// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug trust: which configuration files may make plugins run.

#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"

//===----------------------------------------------------------------------===//
// Trusting
//===----------------------------------------------------------------------===//

static void paths_print(FILE *stream, const char *what,
                        const char *const *paths, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    fprintf(stream, "  %-10s", what);
    describe_text(stream, paths[i]);
    fputc('\n', stream);
  }
}

/// Shows what the user agrees to.
static bool configuration_print(const mlirplug_configuration *configuration,
                                struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return false;
  }
  fputs("Trusting ", memory.stream);
  describe_text(memory.stream, configuration->path);
  fputs(" as it is now. It names\n", memory.stream);
  paths_print(memory.stream, "plugin", configuration->plugins,
              configuration->plugin_count);
  paths_print(memory.stream, "directory", configuration->directories,
              configuration->directory_count);
  if (!configuration->plugin_count && !configuration->directory_count)
    fputs("  no plugin and no directory\n", memory.stream);
  return output_memory(console, &memory);
}

static bool directory_trust(const char *directory, struct console *console) {
  mlirplug_configuration *configuration = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_configuration_read(directory, &configuration, &error) !=
      MLIRPLUG_OK) {
    console_failure(console, error);
    return false;
  }
  // What could not be shown is not recorded.
  bool done = configuration_print(configuration, console);
  if (done &&
      mlirplug_configuration_approve(configuration, &error) != MLIRPLUG_OK) {
    console_failure(console, error);
    done = false;
  }
  mlirplug_configuration_destroy(configuration);
  return done;
}

static bool directory_remove(const char *directory, struct console *console) {
  mlirplug_error *error = NULL;
  if (mlirplug_configuration_withdraw(directory, &error) == MLIRPLUG_OK)
    return true;
  console_failure(console, error);
  return false;
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static void approval_print(const char *path, bool current, void *user_data) {
  FILE *stream = user_data;
  describe_text(stream, path);
  fputs(current ? "\n" : "  (changed or gone, not used)\n", stream);
}

static bool list_print(struct console *console) {
  struct memory memory;
  if (!memory_open(&memory)) {
    console_error(console, "out of memory");
    return false;
  }
  mlirplug_error *error = NULL;
  if (mlirplug_configuration_list_approved(approval_print, memory.stream,
                                           &error) != MLIRPLUG_OK) {
    console_failure(console, error);
    memory_release(&memory);
    return false;
  }
  return output_memory(console, &memory);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static bool usage_check(const struct arguments *arguments,
                        struct console *console) {
  bool has_directories = arguments->inputs.count;
  if (arguments->list_trusted && (has_directories || arguments->remove_trusted))
    console_error(console, "--list shows all that is trusted; it goes with "
                           "nothing else");
  else if (!arguments->list_trusted && !has_directories)
    console_error(console, "no directory; give the one that mlirplug.json is "
                           "in: mlirplug trust .");
  else
    return true;
  return false;
}

enum command_status command_trust(const struct arguments *arguments,
                                  struct console *console) {
  if (!usage_check(arguments, console))
    return COMMAND_WRONG_USAGE;
  if (arguments->list_trusted)
    return list_print(console) ? COMMAND_OK : COMMAND_FAILED;
  bool all = true;
  for (size_t i = 0; i < arguments->inputs.count; ++i) {
    const char *directory = arguments->inputs.items[i];
    all = (arguments->remove_trusted ? directory_remove(directory, console)
                                     : directory_trust(directory, console)) &&
          all;
  }
  return all ? COMMAND_OK : COMMAND_FAILED;
}
