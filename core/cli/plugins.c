// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cli/plugins.h"

#include "cli/describe.h"
#include "cli/same_file.h"

#include <string.h>
#include <unistd.h>

mlirplug_host *plugins_host_create(const struct arguments *arguments,
                                   struct console *console) {
  mlirplug_host_configuration configuration = {
      .size = sizeof configuration,
      .log = console->debug ? console_decision : NULL,
      .warn = console_warning,
      .user_data = console,
      .trust_any = arguments->trust_any,
      .require_signature = arguments->require_signature,
      .key_directory = arguments->key_directory,
      .no_cache = arguments->no_cache,
      // The list shows them.
      .quiet_refusals = arguments->command == ARGUMENT_LIST,
  };
  mlirplug_host *host = NULL;
  mlirplug_error *error = NULL;
  if (mlirplug_host_create(&configuration, &host, &error) != MLIRPLUG_OK)
    console_failure(console, error);
  return host;
}

bool plugins_add(mlirplug_host *host, struct console *console,
                 const struct argument_texts *paths, bool for_mlir) {
  bool all = true;
  for (size_t i = 0; i < paths->count; ++i) {
    mlirplug_error *error = NULL;
    if (for_mlir && mlirplug_is_cxx_plugin(paths->items[i]))
      continue;
    if (mlirplug_host_add_plugin(host, paths->items[i], NULL, &error) ==
        MLIRPLUG_OK)
      continue;
    console_failure(console, error);
    all = false;
  }
  return all;
}

bool plugins_load_cxx(const mlirplug_host *host, struct console *console,
                      const struct argument_texts *paths) {
  for (size_t i = 0; i < paths->count; ++i) {
    mlirplug_error *error = NULL;
    if (plugins_is_repeated(paths, i) ||
        !mlirplug_is_cxx_plugin(paths->items[i]) ||
        mlirplug_host_load_cxx_plugin(host, paths->items[i], &error) ==
            MLIRPLUG_OK)
      continue;
    console_failure(console, error);
    return false;
  }
  return true;
}

void plugins_note_cxx(struct console *console,
                      const struct argument_texts *paths) {
  for (size_t i = 0; i < paths->count; ++i)
    if (mlirplug_is_cxx_plugin(paths->items[i]))
      console_note(console,
                   "'%s' is a plugin of MLIR's own kind, written in C++; its "
                   "passes show only when it is loaded",
                   paths->items[i]);
}

/// What to do about trust, once for all that was refused for want of it.
static void trust_explain(const mlirplug_host *host, struct console *console) {
  size_t count = 0;
  for (size_t i = 0; i < mlirplug_host_refusal_count(host); ++i)
    count += mlirplug_host_refusal(host, i)->error->untrusted;
  if (count)
    console_note(console,
                 "to use what is not trusted (%zu) nonetheless: --trust=any",
                 count);
}

/// Says what went wrong, if anything.
static bool result_report(struct console *console, mlirplug_status status,
                          mlirplug_error *error) {
  if (status != MLIRPLUG_OK)
    console_failure(console, error);
  return status == MLIRPLUG_OK;
}

bool plugins_is_repeated(const struct argument_texts *paths, size_t index) {
  for (size_t i = 0; i < index; ++i)
    if (same_file(paths->items[i], paths->items[index]))
      return true;
  return false;
}

static bool directories_add(mlirplug_host *host, struct console *console,
                            const struct argument_texts *directories) {
  bool all = true;
  for (size_t i = 0; i < directories->count; ++i) {
    if (plugins_is_repeated(directories, i))
      continue;
    mlirplug_error *error = NULL;
    mlirplug_status status =
        mlirplug_host_add_directory(host, directories->items[i], &error);
    all = result_report(console, status, error) && all;
  }
  return all;
}

static bool configuration_find(mlirplug_host *host, struct console *console,
                               const char *input) {
  mlirplug_error *error = NULL;
  mlirplug_status status =
      mlirplug_host_find_configuration(host, input, &error);
  return result_report(console, status, error);
}

/// The one that is named, or else that of the inputs. One error will do: the
/// others would be of other inputs with the same.
static bool configuration_add(mlirplug_host *host, struct console *console,
                              const struct arguments *arguments,
                              const struct argument_texts *inputs, bool find) {
  if (arguments->configuration) {
    mlirplug_error *error = NULL;
    mlirplug_status status =
        mlirplug_host_add_configuration(host, arguments->configuration, &error);
    return result_report(console, status, error);
  }
  bool all = true;
  if (!find || arguments->no_configuration)
    return all;
  if (!inputs->count)
    return configuration_find(host, console, NULL);
  for (size_t i = 0; all && i < inputs->count; ++i) {
    const char *input = inputs->items[i];
    all = configuration_find(host, console,
                             strcmp(input, "-") == 0 ? NULL : input);
  }
  return all;
}

bool plugins_search(mlirplug_host *host, struct console *console,
                    const struct arguments *arguments,
                    const struct argument_texts *inputs, bool defaults) {
  bool all = directories_add(host, console, &arguments->directories);
  all = configuration_add(host, console, arguments, inputs, defaults) && all;
  if (defaults && !arguments->no_default_plugins) {
    mlirplug_error *error = NULL;
    mlirplug_status status =
        mlirplug_host_add_default_directories(host, &error);
    all = result_report(console, status, error) && all;
  }
  trust_explain(host, console);
  return all;
}

/// How a plugin that was found goes by `name`, or null.
static const char *kind_of_name(const mlirplug_plugin_description *plugin,
                                const char *name) {
  const char *file = strrchr(plugin->path, '/') + 1;
  size_t length = strlen(name);
  if (strncmp(file, name, length) == 0 && strcmp(file + length, ".so") == 0)
    return "a file";
  for (size_t i = 0; i < plugin->pass_count; ++i)
    if (strcmp(plugin->passes[i]->name, name) == 0)
      return "a pass";
  return strcmp(plugin->id, name) == 0 ? "a plugin" : NULL;
}

void plugins_explain_names(const mlirplug_host *host, struct console *console,
                           const struct argument_texts *paths) {
  for (size_t i = 0; i < paths->count; ++i) {
    const char *name = paths->items[i], *kind = NULL;
    if (strchr(name, '/') || access(name, F_OK) == 0)
      continue;
    for (size_t j = 0; !kind && j < mlirplug_host_plugin_count(host); ++j) {
      const mlirplug_plugin_description *plugin = mlirplug_host_plugin(host, j);
      kind = plugin && mlirplug_host_plugin_directory(host, j)
                 ? kind_of_name(plugin, name)
                 : NULL;
      if (kind)
        console_note(console,
                     "'%s' is %s that was found already, in '%s'; leave "
                     "--load-pass-plugin=%s out",
                     name, kind, plugin->path, name);
    }
  }
}

void plugins_describe(const mlirplug_host *host, FILE *stream,
                      const char *prefix) {
  for (size_t i = 0; i < mlirplug_host_plugin_count(host); ++i) {
    const mlirplug_plugin_description *plugin = mlirplug_host_plugin(host, i);
    if (!plugin)
      continue;
    fputs(i ? "\n" : "", stream);
    describe_text(stream, plugin->id);
    fputs(" ", stream);
    describe_text(stream, plugin->version);
    fputs("  ", stream);
    describe_text(stream, plugin->path);
    const mlirplug_directory *directory =
        mlirplug_host_plugin_directory(host, i);
    if (directory) {
      fputs("  ", stream);
      describe_origin(stream, directory);
    }
    fputs("\n", stream);
    for (size_t j = 0; j < plugin->pass_count; ++j)
      describe_pass(stream, plugin->passes[j], prefix);
    if (plugin->is_unopened)
      fprintf(stream, "  (%s; its passes are known once it is named)\n",
              plugin->language);
    else if (plugin->suffixes)
      fprintf(stream, "  (brings %s files as plugins: %s)\n", plugin->language,
              plugin->suffixes);
    else if (!plugin->pass_count)
      fputs("  (no passes)\n", stream);
  }
}
