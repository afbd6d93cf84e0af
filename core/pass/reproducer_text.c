// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/reproducer.h"

#include "pass/check.h"
#include "pass/manager.h"
#include "reproduce/reproducer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void text_collect(MlirStringRef part, void *text) {
  text_add_bytes(text, part.data, part.length);
}

/// The plugins of the passes of a pipeline, each once.
struct plugin_list {
  const struct plugin **items;
  size_t count;
  bool failed;
};

static void plugin_note(struct plugin_list *list, const struct plugin *plugin) {
  for (size_t i = 0; i < list->count; ++i)
    if (list->items[i] == plugin)
      return;
  const struct plugin **items =
      reallocarray(list->items, list->count + 1, sizeof(void *));
  if (!items) {
    list->failed = true;
    return;
  }
  list->items = items;
  list->items[list->count++] = plugin;
}

/// Notes those with a pass that is named anywhere in `text`.
static void plugins_note_named(const struct catalogue *catalogue,
                               const char *text, struct plugin_list *list) {
  for (size_t i = 0; i < catalogue_count(catalogue); ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    bool is_named = false;
    for (size_t j = 0; j < plugin->pass_count && !is_named; ++j)
      is_named = strstr(text, plugin->pass_names[j]);
    if (is_named)
      plugin_note(list, plugin);
  }
}

/// As deep as the pipeline is nested, which the parser limits.
static void plugins_collect(const struct session *session,
                            const struct pipeline_node *node,
                            struct plugin_list *list) {
  const struct catalogue *catalogue = session->pipeline->catalogue;
  const struct plugin *plugin =
      node->pass ? catalogue_find_pass(catalogue, node->name, NULL) : NULL;
  if (plugin)
    plugin_note(list, plugin);
  else if (node->options) // which may be a pipeline: inline{op-pipelines=…}
    plugins_note_named(catalogue, node->options, list);
  for (const struct pipeline_node *child = node->first_child; child;
       child = child->next)
    plugins_collect(session, child, list);
}

bool reproduction_has_threads(const struct session *session) {
  const struct provider_api *api = session->api;
  return !api->mlirContextGetNumThreads ||
         api->mlirContextGetNumThreads(session->context) > 1;
}

mlirplug_status reproduction_print(const struct session *session, bool verify,
                                   MlirOperation root, const char *pipeline,
                                   const struct pipeline_node *node,
                                   struct text *text, mlirplug_error **error) {
  const struct provider_api *api = session->api;
  struct plugin_list plugins = {0};
  api->mlirOperationPrint(root, text_collect, text);
  if (node)
    plugins_collect(session, node, &plugins);
  if (text->bytes && strstr(text->bytes, "apply_registered_pass"))
    plugins_note_named(session->pipeline->catalogue, text->bytes, &plugins);
  if (text->bytes && text->bytes[text->length - 1] != '\n')
    text_add(text, "\n"); // an operation that is no module
  struct reproducer_facts facts = {
      .pipeline = pipeline,
      .disable_threading = !reproduction_has_threads(session),
      .verify = verify,
      .allow_unregistered_dialects =
          api->mlirContextGetAllowUnregisteredDialects &&
          api->mlirContextGetAllowUnregisteredDialects(session->context),
      .provider = binding_description(session->binding),
      .plugins = plugins.items,
      .plugin_count = plugins.count,
  };
  mlirplug_status status = plugins.failed
                               ? error_set_memory(error)
                               : reproducer_print(&facts, text, error);
  free(plugins.items);
  return status;
}

mlirplug_status reproduction_check(const struct session *session,
                                   mlirplug_error **error) {
  if (session->api->mlirOperationPrint)
    return MLIRPLUG_OK;
  return build_refuse(session,
                      error_text("a reproducer is asked for, and %s cannot "
                                 "print the IR",
                                 binding_version(session->binding)),
                      "an MLIR with mlirOperationPrint", "ask for none", error);
}

int reproduction_write(const char *path, const char *bytes, size_t length) {
  bool is_standard = strcmp(path, "-") == 0;
  int descriptor =
      is_standard ? STDOUT_FILENO
                  : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return errno;
  int problem = 0;
  while (length && !problem) {
    ssize_t written = write(descriptor, bytes, length);
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
    } else if (written == 0 || errno != EINTR) {
      problem = written ? errno : EIO;
    }
  }
  if (!is_standard && close(descriptor) != 0 && !problem)
    problem = errno;
  return problem;
}

mlirplug_status
mlirplug_manager_write_reproducer(const mlirplug_manager *manager,
                                  MlirOperation root, const char *path,
                                  mlirplug_error **error) {
  const struct session *session = &manager->session;
  struct text text = {0};
  mlirplug_status status =
      reproduction_check(session, error) == MLIRPLUG_OK
          ? reproduction_print(session, manager->configuration.verify, root,
                               session->pipeline->text, session->pipeline->root,
                               &text, error)
          : MLIRPLUG_FAILED;
  int problem = status == MLIRPLUG_OK
                    ? reproduction_write(path, text.bytes, text.length)
                    : 0;
  text_release(&text);
  if (problem)
    return error_set(error,
                     &(mlirplug_error){.doing = "cannot write the reproducer",
                                       .subject = path,
                                       .found = strerror(problem),
                                       .remedy = "name another file"});
  return status;
}
