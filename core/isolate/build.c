// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline whose plugin passes are isolated, in MLIR's pass manager.

#include "isolate/isolated.h"

#include "isolate/pass.h"
#include "pass/build.h"
#include "pass/check.h"
#include "pass/measure.h"
#include "pipeline/limit.h"

#include <stdlib.h>

/// The nests around what is being built. The managers of the inner ones are
/// made when something is put into them; an isolated pass closes them all.
struct walk {
  struct mlirplug_manager *manager;
  const struct pipeline_node *nests[PIPELINE_DEPTH_LIMIT + 1];
  MlirOpPassManager managers[PIPELINE_DEPTH_LIMIT + 1];
  size_t depth; ///< Of the innermost; the outermost is 0.
  size_t open;  ///< How many of them have managers, at least one.
};

static MlirOpPassManager innermost_open(struct walk *walk) {
  const struct provider_api *api = walk->manager->session.api;
  for (; walk->open <= walk->depth; ++walk->open)
    walk->managers[walk->open] = api->mlirOpPassManagerGetNestedUnder(
        walk->managers[walk->open - 1],
        provider_string(walk->nests[walk->open]->name));
  return walk->managers[walk->depth];
}

static mlirplug_status isolated_add(struct walk *walk,
                                    const struct pipeline_node *node,
                                    mlirplug_error **error) {
  struct mlirplug_manager *manager = walk->manager;
  struct place *place;
  MlirPass pass;
  if (build_check_clash(&manager->session, node, walk->nests[walk->depth]->name,
                        error) != MLIRPLUG_OK ||
      manager_add_place(manager, node, &place, error) != MLIRPLUG_OK ||
      isolated_make_pass(manager, place, walk->nests, walk->depth + 1, &pass,
                         error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  manager->session.api->mlirOpPassManagerAddOwnedPass(walk->managers[0], pass);
  walk->open = 1;
  return measures_note(manager, node, walk->managers[0], error);
}

/// The parser bounds the depth, and with it this recursion.
static mlirplug_status nest_build(struct walk *walk, mlirplug_error **error) {
  const struct session *session = &walk->manager->session;
  mlirplug_status status = MLIRPLUG_OK;
  const struct pipeline_node *node = walk->nests[walk->depth]->first_child;
  for (; node && status == MLIRPLUG_OK; node = node->next) {
    if (node->is_nest) {
      status = check_anchor(session, node->name, error);
      if (status != MLIRPLUG_OK)
        break;
      walk->nests[++walk->depth] = node;
      status = nest_build(walk, error);
      if (walk->open > walk->depth)
        walk->open = walk->depth;
      --walk->depth;
    } else if (node->pass) {
      status = isolated_add(walk, node, error);
    } else {
      status = build_add_builtin(session, innermost_open(walk), node, error);
      if (status == MLIRPLUG_OK)
        status =
            measures_note(walk->manager, node, innermost_open(walk), error);
    }
  }
  return status;
}

static mlirplug_status functions_refuse(const struct session *session,
                                        const char *absent,
                                        mlirplug_error **error) {
  return build_refuse(session,
                      error_text("plugin passes are to be isolated, for which "
                                 "%s lacks %s",
                                 binding_version(session->binding), absent),
                      "an MLIR that runs passes of others and reads and writes "
                      "bytecode",
                      "run without isolation", error);
}

mlirplug_status isolation_build(struct mlirplug_manager *manager,
                                mlirplug_error **error) {
  const char *absent = NULL;
  manager->isolation = calloc(1, sizeof *manager->isolation);
  if (!manager->isolation)
    return error_set_memory(error);
  const struct session *session = &manager->session;
  if (!manager->passes.ptr || !session->api->mlirOpPassManagerGetNestedUnder)
    return functions_refuse(session, "passes of others", error);
  if (!isolate_functions_find(session->binding, &manager->isolation->functions,
                              &absent))
    return functions_refuse(session, absent, error);
  struct walk *walk = calloc(1, sizeof *walk);
  if (!walk)
    return error_set_memory(error);
  walk->manager = manager;
  walk->nests[0] = session->pipeline->root;
  walk->managers[0] =
      session->api->mlirPassManagerGetAsOpPassManager(manager->passes);
  walk->open = 1;
  mlirplug_status status = nest_build(walk, error);
  free(walk);
  return status;
}
