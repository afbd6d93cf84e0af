// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "reproduce/reproducer.h"

#include "sign/digest.h"

#include <stdio.h>

/// A string as MLIR writes one.
static void string_add(struct text *text, const char *string) {
  text_add(text, "\"");
  for (const char *c = string; *c; ++c) {
    unsigned char byte = (unsigned char)*c;
    if (byte == '\\')
      text_add(text, "\\\\");
    else if (byte < 0x20 || byte >= 0x7f || byte == '"')
      text_format(text, "\\%02X", byte);
    else
      text_add_bytes(text, c, 1);
  }
  text_add(text, "\"");
}

static const char *boolean(bool value) { return value ? "true" : "false"; }

/// One of several entries: what comes before it ends with a comma.
static void entry_add(struct text *text, const char *key, const char *value) {
  text_format(text, ",\n      %s: ", key);
  string_add(text, value);
}

static void plugin_entry_add(struct text *text, size_t number, const char *what,
                             const char *value) {
  text_format(text, ",\n      plugin_%zu_%s: ", number, what);
  string_add(text, value);
}

mlirplug_status reproducer_checksum(const struct file *file,
                                    struct arena *arena, const char **checksum,
                                    mlirplug_error **error) {
  uint8_t hash[DIGEST_SIZE];
  if (digest_make(file, "cannot make the checksum of the plugin", hash,
                  error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  char *digits = arena_allocate(arena, (size_t)2 * DIGEST_SIZE + 1);
  if (!digits)
    return error_set_memory(error);
  for (size_t i = 0; i < DIGEST_SIZE; ++i)
    (void)snprintf(digits + 2 * i, 3, "%02x", hash[i]);
  *checksum = digits;
  return MLIRPLUG_OK;
}

/// Null if the file is gone, or another one by now.
static const char *plugin_checksum(const struct plugin *plugin,
                                   struct arena *arena) {
  struct file file;
  const char *checksum = NULL;
  if (file_open(plugin->path, &file, NULL) != MLIRPLUG_OK)
    return NULL;
  if (file_identity_equal(&file.identity, &plugin->file))
    (void)reproducer_checksum(&file, arena, &checksum, NULL);
  file_close(&file);
  return checksum;
}

static mlirplug_status plugin_add(struct text *text, size_t number,
                                  const struct plugin *plugin,
                                  mlirplug_error **error) {
  struct arena arena = {0};
  const mlirplug_plugin_description *description =
      plugin_describe(plugin, error);
  if (!description)
    return MLIRPLUG_FAILED;
  plugin_entry_add(text, number, "id", description->id);
  plugin_entry_add(text, number, "version", description->version);
  plugin_entry_add(text, number, "path", plugin->path);
  const char *checksum = plugin_checksum(plugin, &arena);
  if (checksum)
    plugin_entry_add(text, number, "blake2b", checksum);
  arena_release(&arena);
  return MLIRPLUG_OK;
}

mlirplug_status reproducer_print(const struct reproducer_facts *facts,
                                 struct text *text, mlirplug_error **error) {
  text_add(text, "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n"
                 "      pipeline: ");
  string_add(text, facts->pipeline);
  text_format(text,
              ",\n      disable_threading: %s,\n      verify_each: %s\n    },\n"
              "    mlirplug: {\n      version: \"%s\"",
              boolean(facts->disable_threading), boolean(facts->verify),
              mlirplug_version());
  entry_add(text, "provider", facts->provider);
  if (facts->allow_unregistered_dialects)
    text_add(text, ",\n      allow_unregistered_dialect: true");
  mlirplug_status status = MLIRPLUG_OK;
  for (size_t i = 0; i < facts->plugin_count && status == MLIRPLUG_OK; ++i)
    status = plugin_add(text, i, facts->plugins[i], error);
  text_add(text, "\n    }\n  }\n#-}\n");
  return status == MLIRPLUG_OK && text->failed ? error_set_memory(error)
                                               : status;
}
