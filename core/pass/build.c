// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/build.h"

#include "base/text.h"
#include "pass/instance.h"
#include "pipeline/closest.h"

#include <stdlib.h>
#include <string.h>

#define ANY_ANCHOR "any"
#define CHECK_NAME "check the name and the options"

static struct span span_of(const char *string) {
  return (struct span){string, string + strlen(string)};
}

static mlirplug_status build_refuse(const struct session *session,
                                    const char *found, const char *expected,
                                    const char *remedy,
                                    mlirplug_error **error) {
  return error_set(error,
                   &(mlirplug_error){.doing = "cannot build the pipeline",
                                     .subject = session->pipeline->source,
                                     .found = found,
                                     .expected = expected,
                                     .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// Checks that need the context
//===----------------------------------------------------------------------===//

/// Passes can be nested on operations that are registered and isolated from
/// above. On others MLIR takes the nest and runs nothing.
static mlirplug_status anchor_check(const struct session *session,
                                    const char *anchor,
                                    mlirplug_error **error) {
  const struct provider_api *api = session->api;
  if (strcmp(anchor, ANY_ANCHOR) == 0 || !api->operation_traits)
    return MLIRPLUG_OK;
  int32_t traits =
      api->operation_traits(session->context, provider_string(anchor));
  const char *version = binding_version(session->binding);
  if (!(traits & PROVIDER_TRAIT_REGISTERED))
    return build_refuse(
        session,
        error_text("passes are nested on '%s', an operation that %s does not "
                   "know, so none would run",
                   anchor, version),
        "the name of a registered operation",
        "check the spelling, or anchor the pass on builtin.module and walk",
        error);
  if (!(traits & PROVIDER_TRAIT_ISOLATED))
    return build_refuse(
        session,
        error_text("passes are nested on '%s', which is not isolated from "
                   "above, so none would run",
                   anchor),
        "an operation that is isolated from above, such as func.func",
        "nest the pass on the operation around it and walk", error);
  return MLIRPLUG_OK;
}

/// Loads the dialects that a pass makes things of.
static mlirplug_status dialects_load(const struct place *place,
                                     mlirplug_error **error) {
  const mlirplug_pass_description *pass = place->node->pass;
  for (size_t i = 0; i < pass->dialect_count; ++i) {
    MlirDialect dialect = place->api->mlirContextGetOrLoadDialect(
        place->session->context, provider_string(pass->dialects[i]));
    if (!dialect.ptr)
      return build_refuse(
          place->session,
          error_text("pass '%s' needs the dialect '%s', which this context of "
                     "%s does not have",
                     pass->name, pass->dialects[i],
                     binding_version(place->binding)),
          "a context whose registry has the dialect",
          "register it, or use an MLIR that has it", error);
  }
  return MLIRPLUG_OK;
}

static mlirplug_status function_check(const struct place *place,
                                      mlirplug_error **error) {
  const mlirplug_pass_description *pass = place->node->pass;
  for (size_t i = 0; i < pass->anchor_count; ++i)
    if (pass->anchors[i][0] == '@' && !place->api->operation_is_function)
      return build_refuse(
          place->session,
          error_text("pass '%s' runs on '%s', which %s cannot tell", pass->name,
                     pass->anchors[i], binding_version(place->binding)),
          "a provider that comes with mlirplug",
          "name the operations in the pass's anchor instead", error);
  return MLIRPLUG_OK;
}

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

/// What to do about a pass that MLIR does not know: a plugin may have one of a
/// like name, or one that was refused may have it.
static void unknown_remedy(const struct session *session, const char *name,
                           struct text *remedy) {
  struct closest closest = {0};
  const struct catalogue *catalogue = session->pipeline->catalogue;
  for (size_t i = 0; i < catalogue_count(catalogue); ++i) {
    const struct plugin *plugin = catalogue_plugin(catalogue, i);
    for (size_t j = 0; j < plugin->pass_count; ++j)
      closest_consider(&closest, span_of(name), span_of(plugin->pass_names[j]));
  }
  if (closest.name.begin)
    text_format(remedy, "did you mean '%s'?", closest.name.begin);
  else
    text_add(remedy, CHECK_NAME "; a pass of a plugin needs its plugin loaded");
  host_add_refusals(session->pipeline->host, remedy);
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
    unknown_remedy(session, node->name, &remedy);
  else
    text_add(&remedy, CHECK_NAME);
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

/// Adds a pass that MLIR has.
static mlirplug_status builtin_add(const struct session *session,
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

/// A plugin's pass must not take the place of one that MLIR has there.
static mlirplug_status clash_check(const struct session *session,
                                   const struct pipeline_node *node,
                                   const char *anchor, mlirplug_error **error) {
  const struct provider_api *api = session->api;
  MlirPassManager trial = api->mlirPassManagerCreateOnOperation(
      session->context, provider_string(anchor));
  struct text complaint = {0};
  bool clashes = mlirLogicalResultIsSuccess(api->mlirOpPassManagerAddPipeline(
      api->mlirPassManagerGetAsOpPassManager(trial),
      provider_string(node->name), text_collect, &complaint));
  text_release(&complaint);
  api->mlirPassManagerDestroy(trial);
  if (!clashes)
    return MLIRPLUG_OK;
  return build_refuse(
      session,
      error_text("the pass '%s' of plugin '%s' has the name of a pass of %s",
                 node->name, node->plugin->path,
                 binding_version(session->binding)),
      "a name that MLIR does not have", "rename the plugin's pass", error);
}

static mlirplug_status plugin_pass_add(struct mlirplug_manager *manager,
                                       MlirOpPassManager passes,
                                       const struct pipeline_node *node,
                                       const char *anchor,
                                       mlirplug_error **error) {
  struct place *place;
  if (clash_check(&manager->session, node, anchor, error) != MLIRPLUG_OK ||
      place_create(&manager->session, node, manager->place_count, &place,
                   error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  struct place **places =
      reallocarray(manager->places, manager->place_count + 1, sizeof *places);
  if (!places) {
    place_destroy(place);
    return error_set_memory(error);
  }
  manager->places = places;
  manager->places[manager->place_count++] = place;
  MlirPass pass;
  if (dialects_load(place, error) != MLIRPLUG_OK ||
      function_check(place, error) != MLIRPLUG_OK ||
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
      status = anchor_check(&manager->session, node->name, error);
      if (status == MLIRPLUG_OK)
        status =
            nest_build(manager,
                       manager->session.api->mlirOpPassManagerGetNestedUnder(
                           passes, provider_string(node->name)),
                       node, error);
    } else if (node->pass) {
      status = plugin_pass_add(manager, passes, node, nest->name, error);
    } else {
      status = builtin_add(&manager->session, passes, node, error);
    }
    if (status != MLIRPLUG_OK)
      return status;
  }
  return MLIRPLUG_OK;
}

mlirplug_status manager_build(struct mlirplug_manager *manager,
                              mlirplug_error **error) {
  const struct provider_api *api = manager->session.api;
  const struct pipeline_node *root = manager->session.pipeline->root;
  if (anchor_check(&manager->session, root->name, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  manager->passes = api->mlirPassManagerCreateOnOperation(
      manager->session.context, provider_string(root->name));
  api->mlirPassManagerEnableVerifier(manager->passes,
                                     manager->configuration.verify);
  return nest_build(manager,
                    api->mlirPassManagerGetAsOpPassManager(manager->passes),
                    root, error);
}
