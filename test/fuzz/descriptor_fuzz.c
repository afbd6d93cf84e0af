// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a plugin file. What comes out is a description that can be read
// to its end, or an error that says something.

#include "read/descriptor.h"

#include <stdlib.h>
#include <string.h>

static size_t characters;

/// Reads a string to its end, so that AddressSanitizer sees it.
static void look_at(const char *string) {
  if (string)
    characters += strlen(string);
}

static void look_at_all(const char *const *strings, size_t count) {
  for (size_t i = 0; i < count; ++i)
    look_at(strings[i]);
}

static void look_at_pass(const mlirplug_pass_description *pass) {
  look_at(pass->name);
  look_at(pass->summary);
  look_at(pass->description);
  look_at_all(pass->anchors, pass->anchor_count);
  look_at_all(pass->dialects, pass->dialect_count);
  look_at_all(pass->names, pass->name_count);
  for (size_t i = 0; i < pass->option_count; ++i) {
    look_at(pass->options[i]->name);
    look_at(pass->options[i]->help);
    look_at(pass->options[i]->default_text);
    look_at(pass->options[i]->choices);
  }
  for (size_t i = 0; i < pass->statistic_count; ++i) {
    look_at(pass->statistics[i]->name);
    look_at(pass->statistics[i]->help);
  }
}

static void look_at_plugin(const mlirplug_plugin_description *plugin) {
  look_at(plugin->path);
  look_at(plugin->id);
  look_at(plugin->version);
  look_at(plugin->sdk);
  for (size_t i = 0; i < plugin->pass_count; ++i)
    look_at_pass(plugin->passes[i]);
  look_at_all(plugin->imports, plugin->import_count);
  look_at_all(plugin->optional_imports, plugin->optional_import_count);
  look_at_all(plugin->warnings, plugin->warning_count);
}

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t size) {
  mlirplug_plugin_description *description = NULL;
  mlirplug_error *error = NULL;
  mlirplug_status status =
      descriptor_read_memory("fuzz.so", bytes, size, &description, &error);
  if (status == MLIRPLUG_OK)
    look_at_plugin(description);
  else if (!error || strlen(error->message) <= strlen(error->subject))
    abort();
  mlirplug_plugin_description_destroy(description);
  mlirplug_error_destroy(error);
  return 0;
}
