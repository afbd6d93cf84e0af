// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlirplug info: everything that plugin files say of themselves. Reads them and
// does not load them, but for files of other languages, which say nothing until
// they are opened.

#include "cli/command.h"
#include "cli/describe.h"
#include "cli/json.h"
#include "cli/json_value.h"
#include "cli/output.h"
#include "cli/plugins.h"
#include "cli/signature.h"

#include <string.h>

static void text_line(FILE *stream, const char *label, const char *text) {
  fprintf(stream, "%-14s", label);
  describe_text(stream, text);
  fputc('\n', stream);
}

static void texts_print(FILE *stream, const char *label,
                        const char *const *texts, size_t count) {
  if (!count)
    return;
  fprintf(stream, "    %-14s", label);
  for (size_t i = 0; i < count; ++i) {
    fputs(i ? ", " : "", stream);
    describe_text(stream, texts[i]);
  }
  fputc('\n', stream);
}

static void pass_print(FILE *stream, const mlirplug_pass_description *pass) {
  fputs("\n  pass ", stream);
  describe_text(stream, pass->name);
  fputs("\n", stream);
  if (*pass->summary)
    texts_print(stream, "summary", &pass->summary, 1);
  if (*pass->description)
    texts_print(stream, "description", &pass->description, 1);
  fprintf(stream, "    %-14s", "runs on");
  describe_anchors(stream, pass);
  fputs("\n", stream);
  texts_print(stream, "dialects", pass->dialects, pass->dialect_count);
  texts_print(stream, "compares", pass->names, pass->name_count);
  if (pass->option_count)
    fprintf(stream, "    options (%zu bytes)\n", pass->options_size);
  describe_options(stream, pass, 6);
  if (pass->statistic_count)
    fputs("    statistics\n", stream);
  for (size_t i = 0; i < pass->statistic_count; ++i) {
    fputs("      ", stream);
    describe_text(stream, pass->statistics[i]->name);
    fputs("  ", stream);
    const char *help = pass->statistics[i]->help;
    describe_text(stream, help ? help : "");
    fputs("\n", stream);
  }
}

static void lines_print(FILE *stream, const char *title,
                        const char *const *lines, size_t count) {
  fprintf(stream, "\n  %s (%zu)\n", title, count);
  for (size_t i = 0; i < count; ++i) {
    fputs("    ", stream);
    describe_text(stream, lines[i]);
    fputc('\n', stream);
  }
}

static void plugin_print(FILE *stream,
                         const mlirplug_plugin_description *plugin,
                         const char *key_directory, bool *is_fine) {
  describe_text(stream, plugin->path);
  fputc('\n', stream);
  text_line(stream, "  id", plugin->id);
  text_line(stream, "  version", plugin->version);
  if (plugin->language)
    text_line(stream, "  language", plugin->language);
  fprintf(stream, "%-14s%u.%u\n", "  ABI", plugin->abi_major,
          plugin->abi_minor);
  text_line(stream, "  SDK", plugin->sdk);
  *is_fine = signature_print(stream, plugin->path, key_directory) && *is_fine;
  for (size_t i = 0; i < plugin->pass_count; ++i)
    pass_print(stream, plugin->passes[i]);
  lines_print(stream, "functions it needs", plugin->imports,
              plugin->import_count);
  if (plugin->optional_import_count)
    lines_print(stream, "functions it can do without", plugin->optional_imports,
                plugin->optional_import_count);
  if (plugin->warning_count)
    lines_print(stream, "warnings", plugin->warnings, plugin->warning_count);
}

static bool plugin_append(json_t *plugins,
                          const mlirplug_plugin_description *plugin,
                          const char *key_directory, bool *is_fine) {
  json_t *object = json_plugin(plugin, JSON_EVERYTHING);
  bool complete = object != NULL;
  json_field(object, "signature",
             signature_json(plugin->path, key_directory, is_fine), &complete);
  return json_array_append_new(plugins, json_finish(object, complete)) == 0;
}

/// Puts one plugin into the text or the array; false if memory runs out.
/// `*is_fine` becomes false if its signature is not good.
static bool plugin_add(const mlirplug_plugin_description *plugin, size_t number,
                       const char *key_directory, FILE *stream, json_t *plugins,
                       bool *is_fine) {
  if (plugins)
    return plugin_append(plugins, plugin, key_directory, is_fine);
  fputs(number ? "\n" : "", stream);
  plugin_print(stream, plugin, key_directory, is_fine);
  return true;
}

/// A plugin that is shown, and whose its description is.
struct shown_plugin {
  const mlirplug_plugin_description *description;
  mlirplug_plugin_description *own; ///< Its own, or null.
  mlirplug_host *host;              ///< Whose it is else.
};

static void shown_release(struct shown_plugin *shown) {
  mlirplug_plugin_description_destroy(shown->own);
  mlirplug_host_destroy(shown->host);
}

/// Reads an object; any other file a host plugin opens, which runs it.
static bool shown_read(struct shown_plugin *shown, const char *path,
                       const struct arguments *arguments,
                       struct console *console) {
  size_t length = strlen(path);
  bool is_object = length >= 3 && strcmp(path + length - 3, ".so") == 0;
  mlirplug_error *error = NULL, *refused = NULL;
  *shown = (struct shown_plugin){0};
  if (!is_object && (shown->host = plugins_host_create(arguments, console)) &&
      mlirplug_host_add_plugin(shown->host, path, &shown->description,
                               &refused) == MLIRPLUG_OK)
    return true;
  bool is_read = mlirplug_plugin_read(path, &shown->own, &error) == MLIRPLUG_OK;
  shown->description = shown->own;
  if (is_read) {
    mlirplug_error_destroy(refused);
    return true;
  }
  if (refused)
    mlirplug_error_destroy(error);
  console_failure(console, refused ? refused : error);
  shown_release(shown);
  return false;
}

enum command_status command_info(const struct arguments *arguments,
                                 struct console *console) {
  if (!arguments->inputs.count) {
    console_error(console, "no plugin is named; usage: mlirplug info FILE…");
    return COMMAND_WRONG_USAGE;
  }
  struct memory memory = {0};
  json_t *plugins = arguments->json ? json_array() : NULL;
  bool complete = memory_open(&memory) && (plugins || !arguments->json);
  bool all = true;
  size_t number = 0;
  for (size_t i = 0; complete && i < arguments->inputs.count; ++i) {
    struct shown_plugin plugin;
    if (!shown_read(&plugin, arguments->inputs.items[i], arguments, console)) {
      all = false;
      continue;
    }
    complete =
        plugin_add(plugin.description, number++, arguments->key_directory,
                   memory.stream, plugins, &all);
    shown_release(&plugin);
  }
  if (complete && plugins) {
    complete = json_plugins_print(memory.stream, plugins);
    plugins = NULL;
  }
  json_decref(plugins);
  if (complete)
    return output_memory(console, &memory) && all ? COMMAND_OK : COMMAND_FAILED;
  memory_release(&memory);
  console_error(console, "out of memory");
  return COMMAND_FAILED;
}
