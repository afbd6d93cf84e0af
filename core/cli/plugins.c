// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/plugins.h"

#include "cli/describe.h"
#include "cli/directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

mlirplug_host *plugins_host_create(struct console *console) {
  mlirplug_host_configuration configuration = {
      .size = sizeof configuration,
      .log = console->debug ? console_decision : NULL,
      .warn = console_warning,
      .user_data = console,
  };
  mlirplug_host *host = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_host_create(&configuration, &host, &error) != MLIRPLUG_OK)
    console_failure(console, error);
  return host;
}

bool plugins_add(mlirplug_host *host, struct console *console,
                 const struct argument_texts *paths) {
  bool all = true;
  for (size_t i = 0; i < paths->count; ++i) {
    mlirplug_error *error = NULL;
    if (mlirplug_host_add_plugin(host, paths->items[i], NULL, &error) ==
        MLIRPLUG_OK)
      continue;
    console_failure(console, error);
    all = false;
  }
  return all;
}

/// The directory of plugins beside the command, to be freed: bin/mlirplug has
/// its plugins in lib/mlirplug/plugins (or where the build puts libraries),
/// built as well as installed.
static char *installed_directory(void) {
  char *own = realpath("/proc/self/exe", NULL);
  char *path = NULL;
  if (!own)
    return NULL;
  for (int i = 0; i < 2; ++i) {
    char *slash = strrchr(own, '/');
    if (slash)
      *slash = '\0';
  }
  if (asprintf(&path, "%s/" MLIRPLUG_PLUGIN_DIRECTORY, own) < 0)
    path = NULL;
  free(own);
  return path;
}

bool plugins_add_installed(mlirplug_host *host, struct console *console) {
  static const char *const endings[] = {".so", NULL};
  char *directory = installed_directory();
  struct directory_files files = {0};
  int error = directory ? directory_read(directory, endings, &files) : ENOMEM;
  if (error)
    console_error(console,
                  "cannot list the plugins in '%s': %s; name plugin files on "
                  "the command line",
                  directory ? directory : MLIRPLUG_PLUGIN_DIRECTORY,
                  strerror(error));
  for (size_t i = 0; i < files.count; ++i) {
    mlirplug_error *failure = NULL;
    if (mlirplug_host_add_plugin(host, files.paths[i], NULL, &failure) ==
        MLIRPLUG_OK)
      continue;
    console_warning(failure ? failure->message : files.paths[i], console);
    mlirplug_error_destroy(failure);
  }
  directory_release(&files);
  free(directory);
  return !error;
}

void plugins_describe(const mlirplug_host *host, FILE *stream,
                      const char *prefix) {
  for (size_t i = 0; i < mlirplug_host_plugin_count(host); ++i) {
    const mlirplug_plugin_description *plugin = mlirplug_host_plugin(host, i);
    fputs(i ? "\n" : "", stream);
    describe_text(stream, plugin->id);
    fputs(" ", stream);
    describe_text(stream, plugin->version);
    fputs("  ", stream);
    describe_text(stream, plugin->path);
    fputs("\n", stream);
    for (size_t j = 0; j < plugin->pass_count; ++j)
      describe_pass(stream, &plugin->passes[j], prefix);
    if (!plugin->pass_count)
      fputs("  (no passes)\n", stream);
  }
}
