// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug trust: which configuration files may make plugins run.

#include "cli/command.h"
#include "cli/describe.h"
#include "cli/output.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
  paths_print(memory.stream, "insertion", configuration->insertions,
              configuration->insertion_count);
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

/// The directory of a mlirplug.json that was named itself, to be freed; null
/// for want of memory.
static char *directory_of(const char *path) {
  static const char name[] = "mlirplug.json";
  const char *slash = strrchr(path, '/');
  const char *last = slash ? slash + 1 : path;
  struct stat status;
  if (strcmp(last, name) != 0 ||
      (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
    return strdup(path);
  if (!slash)
    return strdup(".");
  return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

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
    char *directory = directory_of(arguments->inputs.items[i]);
    if (!directory) {
      console_error(console, "out of memory");
      return COMMAND_FAILED;
    }
    all = (arguments->remove_trusted ? directory_remove(directory, console)
                                     : directory_trust(directory, console)) &&
          all;
    free(directory);
  }
  return all ? COMMAND_OK : COMMAND_FAILED;
}
