// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/named.h"

#include "base/text.h"
#include "pass/build.h"
#include "pass/check.h"
#include "pass/instance.h"
#include "pass/report.h"
#include "pipeline/nesting.h"

#include <stdlib.h>
#include <string.h>

struct named {
  struct named *next;
  struct arena arena;  ///< Has the tree of its own that the pass is in.
  const char *printed; ///< With its options.
  const char *nest;    ///< The nest that it was parsed in.
  struct place *place;
  bool original_is_retired; ///< While a run is ended.
};

static mlirplug_status refuse(const char *element, const char *found,
                              const char *remedy, mlirplug_error **error) {
  return error_set(error, &(mlirplug_error){.doing = "cannot make the pass",
                                            .subject = element,
                                            .found = found,
                                            .remedy = remedy});
}

//===----------------------------------------------------------------------===//
// What MLIR calls
//===----------------------------------------------------------------------===//

static void on_construct(void *user_data) { (void)user_data; }

/// What an instance has counted is merged at the end of the run, so none goes
/// before, not even the original.
static void on_destruct(void *user_data) {
  struct instance *instance = user_data;
  struct place *place = instance->place;
  if (instance == place->spare || !atomic_load(&place->session->running)) {
    instance_callbacks.destruct(user_data);
    return;
  }
  pthread_mutex_lock(&place->lock);
  instance->retired = true;
  pthread_mutex_unlock(&place->lock);
}

static MlirLogicalResult on_initialize(MlirContext context, void *user_data) {
  struct instance *instance = user_data;
  const struct place *place = instance->place;
  if (context.ptr == place->session->context.ptr)
    return instance_callbacks.initialize(context, user_data);
  report_error(place->api, place->api->mlirLocationUnknownGet(context),
               "pass '%s' was made while another pipeline ran, in another "
               "context; run one after the other, or disable threading",
               place->node->name);
  return mlirLogicalResultFailure();
}

static void *on_clone(void *user_data) {
  return instance_callbacks.clone(user_data);
}

static void on_run(MlirOperation root, MlirExternalPass pass, void *user_data) {
  instance_callbacks.run(root, pass, user_data);
}

static const MlirExternalPassCallbacks named_callbacks = {
    .construct = on_construct,
    .destruct = on_destruct,
    .initialize = on_initialize,
    .clone = on_clone,
    .run = on_run,
};

//===----------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------===//

/// The request as an element of a pipeline, made in `arena`.
static const char *element_make(const struct named_request *request,
                                struct arena *arena) {
  struct text text = {0};
  text_add(&text, request->name);
  if (*request->options)
    text_format(&text, "{%s}", request->options);
  const char *element = text.failed ? NULL : arena_copy(arena, text.bytes);
  text_release(&text);
  return element;
}

/// The nest that the pass is to be parsed in. A manager for any operation takes
/// a pass for one, and MLIR checks what it is run on.
static const char *nest_choose(const struct mlirplug_manager *manager,
                               const struct named_request *request,
                               struct arena *arena, mlirplug_error **error) {
  size_t index;
  const char *nest = request->anchor;
  if (strcmp(nest, CHECK_ANY_ANCHOR) == 0) {
    const struct plugin *plugin = catalogue_find_pass(
        manager->session.pipeline->catalogue, request->name, &index);
    const mlirplug_plugin_description *description =
        plugin_describe(plugin, error);
    if (!description)
      return NULL;
    nest = nesting_own_anchor(description->passes[index]);
  }
  nest = arena_copy(arena, nest);
  if (!nest)
    error_set_memory(error);
  return nest;
}

/// Parses and resolves the request; the node of the pass, or null.
static const struct pipeline_node *
request_parse(const struct mlirplug_manager *manager,
              const struct named_request *request, const char *nest,
              struct arena *arena, mlirplug_error **error) {
  struct pipeline_node *root;
  const char *element = element_make(request, arena);
  if (!element) {
    error_set_memory(error);
    return NULL;
  }
  if (pipeline_tree_parse_elements(nest, element, arena, &root, error) !=
      MLIRPLUG_OK)
    return NULL;
  if (!root->first_child || root->first_child->next ||
      root->first_child->is_nest) {
    refuse(element, "it is more than one pass",
           "close the braces and quotes of its options", error);
    return NULL;
  }
  if (pipeline_resolve(manager->session.pipeline, root, element, arena,
                       error) != MLIRPLUG_OK)
    return NULL;
  return root->first_child;
}

static struct named *named_find(const struct mlirplug_manager *manager,
                                const char *printed, const char *nest) {
  struct named *named = manager->named;
  while (named && (strcmp(named->printed, printed) != 0 ||
                   strcmp(named->nest, nest) != 0))
    named = named->next;
  return named;
}

/// Takes the arena, also on failure.
static struct named *named_make(struct mlirplug_manager *manager,
                                const struct pipeline_node *node,
                                const char *printed, const char *nest,
                                struct arena *arena, mlirplug_error **error) {
  struct named *made = calloc(1, sizeof *made);
  if (!made)
    error_set_memory(error);
  // The manager keeps a place that fails a check.
  if (!made ||
      manager_add_place(manager, node, &made->place, error) != MLIRPLUG_OK) {
    if (made && made->place)
      manager->places[--manager->place_count] = NULL;
    place_destroy(made ? made->place : NULL);
    free(made);
    arena_release(arena);
    return NULL;
  }
  *made =
      (struct named){manager->named, *arena, printed, nest, made->place, false};
  made->place->callbacks = &named_callbacks;
  return manager->named = made;
}

/// The one for the request, with the manager's lock held.
static struct named *named_get(struct mlirplug_manager *manager,
                               const struct named_request *request,
                               mlirplug_error **error) {
  struct arena arena = {0};
  const char *nest = nest_choose(manager, request, &arena, error);
  const struct pipeline_node *node =
      nest ? request_parse(manager, request, nest, &arena, error) : NULL;
  const char *printed = node ? pipeline_pass_print(node, &arena) : NULL;
  if (node && !printed)
    error_set_memory(error);
  struct named *known = printed ? named_find(manager, printed, nest) : NULL;
  if (printed && !known)
    return named_make(manager, node, printed, nest, &arena, error);
  arena_release(&arena);
  return known;
}

/// Makes an instance; the first one there is stays the original.
static mlirplug_status pass_make(const struct named *named, MlirPass *pass,
                                 mlirplug_error **error) {
  struct place *place = named->place;
  struct instance *original = place->original;
  mlirplug_status status = place_make_pass(place, named->nest, pass, error);
  if (original) {
    pthread_mutex_lock(&place->lock);
    place->original = original;
    pthread_mutex_unlock(&place->lock);
  }
  return status;
}

mlirplug_status named_add(struct mlirplug_manager *manager,
                          const struct named_request *request,
                          MlirOpPassManager passes, mlirplug_error **error) {
  if (manager->session.is_isolated)
    return refuse(request->name,
                  "passes of plugins run in children, and one that MLIR asks "
                  "for by its name would not",
                  "run it without isolation", error);
  MlirPass pass;
  pthread_mutex_lock(&manager->named_lock);
  const struct named *named = named_get(manager, request, error);
  mlirplug_status status =
      named ? pass_make(named, &pass, error) : MLIRPLUG_FAILED;
  pthread_mutex_unlock(&manager->named_lock);
  if (status == MLIRPLUG_OK)
    manager->session.api->mlirOpPassManagerAddOwnedPass(passes, pass);
  return status;
}

bool named_has(const struct mlirplug_manager *manager,
               const struct place *place) {
  const struct named *named = manager->named;
  while (named && named->place != place)
    named = named->next;
  return named;
}

//===----------------------------------------------------------------------===//
// The end of a run
//===----------------------------------------------------------------------===//

/// MLIR initializes copies and not what they are copies of: one that has a
/// state stands for the original.
void named_begin_finish(struct mlirplug_manager *manager) {
  for (struct named *named = manager->named; named; named = named->next) {
    struct place *place = named->place;
    struct instance *instance = place->instances;
    while (instance && !instance->state)
      instance = instance->next;
    if (instance && (!place->original || !place->original->state))
      place->original = instance;
    else if (!place->original)
      place->original = place->instances;
    named->original_is_retired = place->original && place->original->retired;
  }
}

void named_end_finish(struct mlirplug_manager *manager) {
  for (struct named *named = manager->named; named; named = named->next)
    if (named->original_is_retired)
      named->place->original = named->place->instances;
}

void named_release(struct mlirplug_manager *manager) {
  while (manager->named) {
    struct named *first = manager->named;
    manager->named = first->next;
    arena_release(&first->arena);
    free(first);
  }
}
