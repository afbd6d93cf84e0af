// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "stock/registry.h"

#include "base/intern.h"
#include "stock/command.h"
#include "stock/guest.h"
#include "stock/say.h"

#include <stdlib.h>
#include <string.h>

/// What the tool's registry has of a pass.
struct registered {
  struct registered *next;
  struct registry *registry;
  const char *name; ///< Interned.
};

mlirplug_status registry_attach(struct registry *registry,
                                mlirplug_error **error) {
  mlirplug_status status = MLIRPLUG_OK;
  pthread_mutex_lock(&registry->lock);
  if (!registry->host->binding)
    status = tool_bind(&registry->tool, &registry->host->binding, error);
  pthread_mutex_unlock(&registry->lock);
  return status;
}

//===----------------------------------------------------------------------===//
// What the tool calls
//===----------------------------------------------------------------------===//

static bool is_builtin(const struct registered *pass) {
  const struct tool *tool = &pass->registry->tool;
  return tool->find_pass && tool->find_pass(provider_string(pass->name));
}

static void anchor_collect(MlirStringRef part, void *user_data) {
  text_add_bytes(user_data, part.data, part.length);
}

/// The name of what `passes` runs on, "any" for anything. Freed by the caller;
/// null if memory runs out.
static char *anchor_of(const struct registry *registry,
                       MlirOpPassManager passes) {
  void (*function)(void) =
      binding_find(registry->host->binding, "mlirPrintPassPipeline");
  struct text text = {0};
  ((__typeof__(&mlirPrintPassPipeline))function)(passes, anchor_collect, &text);
  char *anchor = text_take(&text);
  if (anchor)
    anchor[strcspn(anchor, "(")] = '\0';
  return anchor;
}

/// The pass with its options as an element of a pipeline; likewise.
static char *element_of(const struct registered *pass, MlirStringRef options) {
  struct text text = {0};
  text_add(&text, pass->name);
  if (options.length) {
    text_add(&text, "{");
    text_add_bytes(&text, options.data, options.length);
    text_add(&text, "}");
  }
  return text_take(&text);
}

static mlirplug_status pass_build(const struct registered *pass,
                                  MlirOpPassManager passes,
                                  MlirStringRef options,
                                  mlirplug_error **error) {
  struct registry *registry = pass->registry;
  if (registry_attach(registry, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  char *anchor = anchor_of(registry, passes);
  char *element = element_of(pass, options);
  mlirplug_pipeline *pipeline;
  mlirplug_status status =
      anchor && element ? mlirplug_pipeline_parse_passes(
                              registry->host, anchor, element, &pipeline, error)
                        : error_set_memory(error);
  free(anchor);
  free(element);
  return status == MLIRPLUG_OK ? guest_add(pipeline, passes, error) : status;
}

/// The tool meets the pass in a pipeline.
static MlirLogicalResult on_build(const struct function_words *words,
                                  void *passes, const MlirStringRef *options,
                                  const void *error_handler) {
  (void)error_handler; // Takes a Twine: one layout more to know.
  const struct registered *pass = words->callable;
  mlirplug_error *error = NULL;
  if (is_builtin(pass))
    say("cannot use the pass '%s' of a plugin: the tool has a pass of that "
        "name itself; rename the plugin's pass",
        pass->name);
  else if (pass_build(pass, (MlirOpPassManager){passes}, *options, &error) ==
           MLIRPLUG_OK)
    return mlirLogicalResultSuccess();
  else
    say_error(error);
  return mlirLogicalResultFailure();
}

/// The tool wants the options as objects of C++, for its --help.
static void on_tell_options(const struct function_words *words,
                            const void *callback) {
  (void)words;
  (void)callback;
}

//===----------------------------------------------------------------------===//
// Entering
//===----------------------------------------------------------------------===//

static bool is_entered(const struct registry *registry, const char *name) {
  const struct registered *entry = registry->newest;
  while (entry && strcmp(entry->name, name) != 0)
    entry = entry->next;
  return entry;
}

/// Whether the tool has a pass or a pipeline of the name, from elsewhere.
static bool is_taken(const struct tool *tool, const char *name) {
  MlirStringRef wanted = provider_string(name);
  return (tool->find_pass && tool->find_pass(wanted)) ||
         (tool->find_pipeline && tool->find_pipeline(wanted));
}

/// Tells of places where the command line names the pass in vain.
static void use_check(const struct registry *registry, const char *pass) {
  mlirplug_pipeline *pipeline = NULL;
  if (!command_has_flag(&registry->words, pass) ||
      mlirplug_pipeline_parse_passes(registry->host, "builtin.module", pass,
                                     &pipeline, NULL) != MLIRPLUG_OK)
    pipeline = NULL;
  command_tell(&registry->words, pass, registry->is_early,
               pipeline ? mlirplug_pipeline_text(pipeline) : pass);
  mlirplug_pipeline_destroy(pipeline);
}

static void pass_enter(struct registry *registry,
                       const mlirplug_plugin_description *plugin,
                       const mlirplug_pass_description *pass) {
  if (is_entered(registry, pass->name))
    return;
  if (is_taken(&registry->tool, pass->name)) {
    say("cannot enter the pass '%s' of plugin '%s': the tool has a pass or a "
        "pipeline of that name itself; rename the plugin's pass",
        pass->name, plugin->path);
    return;
  }
  struct registered *made = malloc(sizeof *made);
  const char *name = intern(pass->name);
  const char *summary = intern(pass->summary);
  if (!made || !name || !summary) {
    free(made);
    say_memory();
    return;
  }
  *made = (struct registered){registry->newest, registry, name};
  registry->newest = made;
  struct function build = function_make(made, (void (*)(void))on_build);
  struct function tell = function_make(NULL, (void (*)(void))on_tell_options);
  registry->tool.register_pipeline(provider_string(name),
                                   provider_string(summary), &build, &tell);
  use_check(registry, name);
}

/// Tells of what the plugin needs and the tool's MLIR does not have, if that is
/// known yet.
static bool plugin_check(const struct registry *registry,
                         const mlirplug_plugin_description *plugin) {
  mlirplug_error *error = NULL;
  if (!registry->host->binding ||
      mlirplug_host_check_plugin(registry->host, plugin, &error) == MLIRPLUG_OK)
    return true;
  say_error(error);
  return false;
}

void registry_enter(struct registry *registry,
                    const mlirplug_plugin_description *plugin) {
  if (!plugin_check(registry, plugin))
    return;
  pthread_mutex_lock(&registry->lock);
  for (size_t i = 0; i < plugin->pass_count; ++i)
    pass_enter(registry, plugin, plugin->passes[i]);
  pthread_mutex_unlock(&registry->lock);
}
