// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/direct.h"

#include "base/arena.h"
#include "pass/build.h"
#include "pass/check.h"
#include "pass/instance.h"

#include <stdlib.h>
#include <string.h>

/// One thing after the other inside a nest: a pass, or a group of nests.
struct step {
  struct step *next;
  struct place *place; ///< Null for a group.
  struct nest *group;  ///< What each operation inside is looked up in.
};

/// What is done on operations of one name, or on any.
struct nest {
  struct nest *next;      ///< In the group.
  const char *anchor;     ///< "any" on any.
  const void *identifier; ///< Of the anchor, in the context; null on any.
  struct step *first;
  struct step *last;
};

struct direct {
  struct arena arena; ///< Of the steps and nests.
  struct nest *root;
  bool is_initialized;
};

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static bool anchor_is_any(const char *anchor) {
  return strcmp(anchor, CHECK_ANY_ANCHOR) == 0;
}

static struct step *step_add(struct direct *direct, struct nest *nest) {
  struct step *made = arena_allocate(&direct->arena, sizeof *made);
  if (!made)
    return NULL;
  if (nest->last)
    nest->last->next = made;
  else
    nest->first = made;
  nest->last = made;
  return made;
}

static struct nest *nest_make(struct mlirplug_manager *manager,
                              const char *anchor) {
  struct nest *made = arena_allocate(&manager->direct->arena, sizeof *made);
  if (!made)
    return NULL;
  made->anchor = anchor;
  if (!anchor_is_any(anchor))
    made->identifier = manager->session.api
                           ->mlirIdentifierGet(manager->session.context,
                                               provider_string(anchor))
                           .ptr;
  return made;
}

/// The nest on `anchor` behind the last step of `outer`. As in MLIR, nests that
/// follow one another are one group, and those on the same operation one nest:
/// all of it is done on an operation before the next one has its turn. One on
/// any operation stands alone.
static struct nest *nest_add(struct mlirplug_manager *manager,
                             struct nest *outer, const char *anchor) {
  struct step *last = outer->last;
  bool joins = last && last->group && !anchor_is_any(anchor) &&
               !anchor_is_any(last->group->anchor);
  struct step *step = joins ? last : step_add(manager->direct, outer);
  if (!step)
    return NULL;
  struct nest **link = &step->group;
  for (; *link; link = &(*link)->next)
    if (strcmp((*link)->anchor, anchor) == 0)
      return *link;
  *link = nest_make(manager, anchor);
  return *link;
}

/// A pass of MLIR, or one that nobody has.
static mlirplug_status builtin_refuse(const struct session *session,
                                      const struct pipeline_node *node,
                                      mlirplug_error **error) {
  struct text remedy = {0};
  check_unknown_pass(session, node->name, &remedy);
  mlirplug_status status =
      remedy.failed
          ? error_set_memory(error)
          : build_refuse(
                session,
                error_text(
                    "at character %zu: no plugin has the pass '%s', and "
                    "the passes of %s itself cannot be used from outside",
                    node->position + 1, node->name,
                    binding_version(session->binding)),
                "passes of plugins only", remedy.bytes, error);
  text_release(&remedy);
  return status;
}

/// In a nest on any operation MLIR leaves out those that passes cannot run on,
/// which cannot be told here: only a pass that names its operations may stand
/// there.
static mlirplug_status any_check(const struct session *session,
                                 const struct pipeline_node *node,
                                 mlirplug_error **error) {
  if (node->pass && node->pass->anchor_count)
    return MLIRPLUG_OK;
  return build_refuse(
      session,
      error_text("at character %zu: '%s' is nested on 'any', and %s cannot "
                 "tell which operations passes can run on",
                 node->position + 1, node->name,
                 binding_version(session->binding)),
      "the name of an operation", "nest it on an operation, such as func.func",
      error);
}

static mlirplug_status pass_build(struct mlirplug_manager *manager,
                                  struct nest *nest,
                                  const struct pipeline_node *node,
                                  mlirplug_error **error) {
  struct place *place;
  if (!node->pass)
    return builtin_refuse(&manager->session, node, error);
  if (manager_add_place(manager, node, &place, error) != MLIRPLUG_OK ||
      !instance_create(place, error))
    return MLIRPLUG_FAILED;
  struct step *step = step_add(manager->direct, nest);
  if (!step)
    return error_set_memory(error);
  step->place = place;
  return MLIRPLUG_OK;
}

static mlirplug_status nest_build(struct mlirplug_manager *manager,
                                  struct nest *nest,
                                  const struct pipeline_node *from,
                                  mlirplug_error **error) {
  bool on_any = nest != manager->direct->root && anchor_is_any(nest->anchor);
  mlirplug_status status = MLIRPLUG_OK;
  for (const struct pipeline_node *node = from->first_child;
       node && status == MLIRPLUG_OK; node = node->next) {
    if (on_any)
      status = any_check(&manager->session, node, error);
    if (status == MLIRPLUG_OK && !node->is_nest) {
      status = pass_build(manager, nest, node, error);
    } else if (status == MLIRPLUG_OK) {
      status = check_anchor(&manager->session, node->name, error);
      struct nest *inner = NULL;
      if (status == MLIRPLUG_OK)
        inner = nest_add(manager, nest, node->name);
      if (inner)
        status = nest_build(manager, inner, node, error);
      else if (status == MLIRPLUG_OK)
        status = error_set_memory(error);
    }
  }
  return status;
}

static mlirplug_status verifier_check(const struct mlirplug_manager *manager,
                                      mlirplug_error **error) {
  const struct session *session = &manager->session;
  if (!manager->configuration.verify || session->api->mlirOperationVerify)
    return MLIRPLUG_OK;
  return build_refuse(
      session,
      error_text("%s cannot verify the IR", binding_version(session->binding)),
      "an MLIR with mlirOperationVerify", "run without verifying", error);
}

mlirplug_status direct_build(struct mlirplug_manager *manager,
                             mlirplug_error **error) {
  const struct pipeline_node *root = manager->session.pipeline->root;
  if (verifier_check(manager, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  manager->direct = calloc(1, sizeof *manager->direct);
  if (manager->direct)
    manager->direct->root = nest_make(manager, root->name);
  if (!manager->direct || !manager->direct->root)
    return error_set_memory(error);
  return nest_build(manager, manager->direct->root, root, error);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static bool nest_run(const struct mlirplug_manager *manager,
                     const struct nest *nest, MlirOperation root);

static bool place_run(const struct mlirplug_manager *manager,
                      const struct place *place, MlirOperation root) {
  return instance_run(place->original, root) == MLIRPLUG_OK &&
         (!manager->configuration.verify ||
          manager->session.api->mlirOperationVerify(root));
}

static const struct nest *nest_find(const struct step *step, const void *name) {
  const struct nest *nest = step->group;
  while (nest && nest->identifier && nest->identifier != name)
    nest = nest->next;
  return nest;
}

static bool block_run(const struct mlirplug_manager *manager,
                      const struct step *step, MlirBlock block) {
  const struct provider_api *api = manager->session.api;
  MlirOperation child = api->mlirBlockGetFirstOperation(block);
  bool succeeded = true;
  for (; child.ptr; child = api->mlirOperationGetNextInBlock(child)) {
    const struct nest *nest =
        nest_find(step, api->mlirOperationGetName(child).ptr);
    if (nest && !nest_run(manager, nest, child))
      succeeded = false;
  }
  return succeeded;
}

/// Runs a group of nests on what is inside `root`. As in MLIR, a failure on one
/// operation does not keep the others from their turn, but ends the run after
/// the group.
static bool group_run(const struct mlirplug_manager *manager,
                      const struct step *step, MlirOperation root) {
  const struct provider_api *api = manager->session.api;
  bool succeeded = true;
  intptr_t regions = api->mlirOperationGetNumRegions(root);
  for (intptr_t i = 0; i < regions; ++i)
    for (MlirBlock block =
             api->mlirRegionGetFirstBlock(api->mlirOperationGetRegion(root, i));
         block.ptr; block = api->mlirBlockGetNextInRegion(block))
      succeeded = block_run(manager, step, block) && succeeded;
  return succeeded;
}

/// As deep as the pipeline is nested, which the parser limits.
static bool nest_run(const struct mlirplug_manager *manager,
                     const struct nest *nest, MlirOperation root) {
  bool succeeded = true;
  for (const struct step *step = nest->first; step && succeeded;
       step = step->next)
    succeeded = step->place ? place_run(manager, step->place, root)
                            : group_run(manager, step, root);
  return succeeded;
}

/// Once, as MLIR does it, or again after a failure.
static bool places_initialize(struct mlirplug_manager *manager) {
  struct direct *direct = manager->direct;
  for (size_t i = 0; i < manager->place_count && !direct->is_initialized; ++i)
    if (instance_initialize(manager->places[i]->original,
                            manager->session.context) != MLIRPLUG_OK)
      return false;
  direct->is_initialized = true;
  return true;
}

bool direct_run(struct mlirplug_manager *manager, MlirOperation root) {
  return places_initialize(manager) &&
         nest_run(manager, manager->direct->root, root);
}

void direct_destroy(struct mlirplug_manager *manager) {
  if (!manager->direct)
    return;
  for (size_t i = 0; i < manager->place_count; ++i)
    if (manager->places[i]->original)
      instance_callbacks.destruct(manager->places[i]->original);
  arena_release(&manager->direct->arena);
  free(manager->direct);
  manager->direct = NULL;
}
