// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/build.h"

#include "base/text.h"
#include "isolate/isolated.h"
#include "pass/check.h"
#include "pass/direct.h"
#include "pass/instance.h"
#include "pass/measure.h"
#include "pass/registration.h"

#include <stdlib.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static void text_collect(MlirStringRef part, void *user_data) {
  text_add_bytes(user_data, part.data, part.length);
}

/// The first words of what MLIR's parser says, without where it says it: that
/// is a position in the one element that it was given.
static const char *complaint_line(struct text *complaint) {
  static const char mark[] = "error: ";
  if (!complaint->length)
    return "it cannot be added";
  const char *marked = strstr(complaint->bytes, mark);
  char *line = marked ? (char *)marked + sizeof mark - 1 : complaint->bytes;
  line += strspn(line, "\n");
  line[strcspn(line, "\n")] = '\0';
  return line;
}

/// Makes the complaint of MLIR's parser about `element` the error.
static mlirplug_status builtin_refuse(const struct session *session,
                                      const struct pipeline_node *node,
                                      const char *element,
                                      struct text *complaint,
                                      mlirplug_error **error) {
  struct text remedy = {0};
  if (complaint->length &&
      strstr(complaint->bytes, "does not refer to a registered pass"))
    check_unknown_pass(session, node->name, &remedy);
  else
    text_add(&remedy, CHECK_NAME);
  if (node->options)
    check_named_pass(session, node->options, &remedy);
  mlirplug_status status =
      remedy.failed
          ? error_set_memory(error)
          : build_refuse(session,
                         error_text("at character %zu: %s says of '%s': %s",
                                    node->position + 1,
                                    binding_version(session->binding), element,
                                    complaint_line(complaint)),
                         NULL, remedy.bytes, error);
  text_release(&remedy);
  return status;
}

mlirplug_status build_add_builtin(const struct session *session,
                                  MlirOpPassManager passes,
                                  const struct pipeline_node *node,
                                  mlirplug_error **error) {
  struct text element = {0}, complaint = {0};
  text_add(&element, node->name);
  if (node->options)
    text_format(&element, "{%s}", node->options);
  mlirplug_status status = MLIRPLUG_OK;
  if (element.failed)
    status = error_set_memory(error);
  else if (mlirLogicalResultIsFailure(
               session->api->mlirOpPassManagerAddPipeline(
                   passes, (MlirStringRef){element.bytes, element.length},
                   text_collect, &complaint)))
    status = builtin_refuse(session, node, element.bytes, &complaint, error);
  text_release(&element);
  text_release(&complaint);
  return status;
}

/// Whether MLIR has a pass of the name, on `anchor`. Not looked at where each
/// pass that MLIR has not would be told on standard error.
static bool is_builtin(const struct session *session, const char *name,
                       const char *anchor) {
  const struct provider_api *api = session->api;
  if (registration_has(session->binding, name))
    return api->has_pass(provider_string(name));
  if (!api->tries_quietly)
    return false;
  MlirPassManager trial = api->mlirPassManagerCreateOnOperation(
      session->context, provider_string(anchor));
  struct text complaint = {0};
  bool known = mlirLogicalResultIsSuccess(api->mlirOpPassManagerAddPipeline(
      api->mlirPassManagerGetAsOpPassManager(trial), provider_string(name),
      text_collect, &complaint));
  text_release(&complaint);
  api->mlirPassManagerDestroy(trial);
  return known;
}

mlirplug_status build_check_clash(const struct session *session,
                                  const struct pipeline_node *node,
                                  const char *anchor, mlirplug_error **error) {
  if (!is_builtin(session, node->name, anchor))
    return MLIRPLUG_OK;
  return build_refuse(
      session,
      error_text("the pass '%s' of plugin '%s' has the name of a pass of %s",
                 node->name, node->plugin->path,
                 binding_version(session->binding)),
      "a name that MLIR does not have", "rename the plugin's pass", error);
}

mlirplug_status manager_add_place(struct mlirplug_manager *manager,
                                  const struct pipeline_node *node,
                                  struct place **place,
                                  mlirplug_error **error) {
  struct place *made;
  if (place_create(&manager->session, node, manager->place_count, &made,
                   error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct place **places =
      reallocarray(manager->places, manager->place_count + 1, sizeof *places);
  if (!places) {
    place_destroy(made);
    return error_set_memory(error);
  }
  manager->places = places;
  manager->places[manager->place_count++] = made;
  *place = made;
  return check_place(made, error);
}

static mlirplug_status plugin_pass_add(struct mlirplug_manager *manager,
                                       MlirOpPassManager passes,
                                       const struct pipeline_node *node,
                                       const char *anchor,
                                       mlirplug_error **error) {
  struct place *place;
  MlirPass pass;
  if (build_check_clash(&manager->session, node, anchor, error) !=
          MLIRPLUG_OK ||
      manager_add_place(manager, node, &place, error) != MLIRPLUG_OK ||
      place_make_pass(place, anchor, &pass, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  manager->session.api->mlirOpPassManagerAddOwnedPass(passes, pass);
  return MLIRPLUG_OK;
}

static mlirplug_status nest_build(struct mlirplug_manager *manager,
                                  MlirOpPassManager passes,
                                  const struct pipeline_node *nest,
                                  mlirplug_error **error) {
  for (const struct pipeline_node *node = nest->first_child; node;
       node = node->next) {
    mlirplug_status status;
    if (node->is_nest) {
      status = check_anchor(&manager->session, node->name, error);
      if (status == MLIRPLUG_OK)
        status =
            nest_build(manager,
                       manager->session.api->mlirOpPassManagerGetNestedUnder(
                           passes, provider_string(node->name)),
                       node, error);
    } else if (node->pass) {
      status = plugin_pass_add(manager, passes, node, nest->name, error);
    } else {
      status = build_add_builtin(&manager->session, passes, node, error);
    }
    if (status == MLIRPLUG_OK && !node->is_nest)
      status = measures_note(manager, node, passes, error);
    if (status != MLIRPLUG_OK)
      return status;
  }
  return MLIRPLUG_OK;
}

/// Whether MLIR can run the pipeline: it takes passes of others, and also
/// inside of other pipelines if there are such.
static bool mlir_runs(const struct session *session) {
  if (!binding_has_passes(session->binding))
    return false;
  if (session->api->mlirOpPassManagerGetNestedUnder)
    return true;
  const struct pipeline_node *node = session->pipeline->root->first_child;
  while (node && !node->is_nest)
    node = node->next;
  return !node;
}

mlirplug_status manager_build(struct mlirplug_manager *manager,
                              mlirplug_error **error) {
  const struct provider_api *api = manager->session.api;
  const struct pipeline_node *root = manager->session.pipeline->root;
  if (check_anchor(&manager->session, root->name, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  bool isolates = manager->configuration.isolate_command;
  if (!mlir_runs(&manager->session))
    return isolates ? isolation_build(manager, error)
                    : direct_build(manager, error);
  manager->passes = api->mlirPassManagerCreateOnOperation(
      manager->session.context, provider_string(root->name));
  if (!manager->passes.ptr) // MLIR 15 makes them for modules only
    return isolates ? isolation_build(manager, error)
                    : direct_build(manager, error);
  api->mlirPassManagerEnableVerifier(manager->passes,
                                     manager->configuration.verify);
  if (isolates)
    return isolation_build(manager, error);
  return nest_build(manager,
                    api->mlirPassManagerGetAsOpPassManager(manager->passes),
                    root, error);
}
