// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pass/place.h"

#include "base/intern.h"
#include "load/image.h"
#include "pass/frame.h"
#include "pass/instance.h"
#include "pass/position.h"
#include "pass/services.h"

#include <stdlib.h>
#include <string.h>

/// Loads the plugin that the pass comes from, and takes the pass's code from
/// it.
static mlirplug_status code_load(struct place *place, mlirplug_error **error) {
  const mlirplug_pipeline *pipeline = place->session->pipeline;
  size_t index;
  const struct plugin *plugin =
      catalogue_find_pass(pipeline->catalogue, place->node->name, &index);
  struct environment environment = {services, place->binding};
  const struct image *image;
  if (image_load(plugin, &environment, &image, error) != MLIRPLUG_OK)
    return MLIRPLUG_FAILED;
  bool is_copy = strcmp(image->path, plugin->path) != 0;
  host_log(pipeline->host, "pass %s: runs from %s%s%s on %s", place->node->name,
           image->path, is_copy ? ", a copy of " : "",
           is_copy ? plugin->path : "", binding_description(place->binding));
  place->identity = image->descriptor->passes[index];
  place->code = image_pass(image, index);
  return MLIRPLUG_OK;
}

/// The pass as MLIR is to show it, with its options.
static const char *label_make(const struct pipeline_node *node) {
  struct arena scratch = {0};
  const char *printed = pipeline_pass_print(node, &scratch);
  const char *label = printed ? intern(printed) : NULL;
  arena_release(&scratch);
  return label;
}

mlirplug_status place_create(struct session *session,
                             const struct pipeline_node *node, size_t index,
                             struct place **place, mlirplug_error **error) {
  struct place *made = calloc(1, sizeof *made);
  if (!made)
    return error_set_memory(error);
  pthread_mutex_init(&made->lock, NULL);
  made->session = session;
  made->node = node;
  made->index = index;
  made->binding = session->binding;
  made->api = session->api;
  made->callbacks = &instance_callbacks;
  made->label = label_make(node);
  made->totals = calloc(node->pass->statistic_count + 1, sizeof(uint64_t));
  made->spare = instance_allocate(made);
  mlirplug_status status = MLIRPLUG_OK;
  if (!made->label || !made->totals || !made->spare)
    status = error_set_memory(error);
  else if (!session->is_isolated)
    status = code_load(made, error);
  if (made->spare)
    made->spare->usable = false;
  if (status == MLIRPLUG_OK)
    *place = made;
  else
    place_destroy(made);
  return status;
}

void place_destroy(struct place *place) {
  if (!place)
    return;
  if (place->spare)
    instance_destroy(place->spare);
  position_forget(place);
  pthread_mutex_destroy(&place->lock);
  free(place->totals);
  free(place);
}

/// The operation that MLIR itself should hold the pass to, "" for any.
static const char *operation_name(const struct place *place,
                                  const char *anchor) {
  const mlirplug_pass_description *pass = place->node->pass;
  bool is_one =
      pass->anchor_count == 1 && strcmp(pass->anchors[0], anchor) == 0;
  return is_one ? pass->anchors[0] : "";
}

mlirplug_status place_make_pass(struct place *place, const char *anchor,
                                MlirPass *pass, mlirplug_error **error) {
  // MLIR copies none of these strings.
  const char *name = intern(place->node->name);
  const char *summary = intern(place->node->pass->summary);
  const char *operation = intern(operation_name(place, anchor));
  if (!name || !summary || !operation)
    return error_set_memory(error);
  struct instance *instance = instance_create(place, error);
  if (!instance)
    return MLIRPLUG_FAILED;
  *pass = place->api->mlirCreateExternalPass(
      place->api->mlirTypeIDCreate(place->identity), provider_string(name),
      provider_string(place->label), provider_string(summary),
      provider_string(operation), 0, NULL, *place->callbacks, instance);
  return MLIRPLUG_OK;
}

//===----------------------------------------------------------------------===//
// The end of a run
//===----------------------------------------------------------------------===//

/// Adds the state of a clone to that of the original.
static mlirplug_status state_merge(struct place *place,
                                   const struct instance *clone) {
  struct frame frame;
  frame_enter(&frame, place->original, (MlirOperation){NULL});
  place->code.merge(place->original->state, clone->state);
  return frame_leave(&frame, MLIRPLUG_OK, session_location(place->session), "");
}

static mlirplug_status state_reset(struct place *place,
                                   struct instance *instance) {
  struct frame frame;
  frame_enter(&frame, instance, (MlirOperation){NULL});
  place->code.reset(instance->state);
  return frame_leave(&frame, MLIRPLUG_OK, session_location(place->session), "");
}

/// Adds what `instance` has counted to the totals, and its state to that of the
/// original.
static mlirplug_status instance_merge(struct place *place,
                                      struct instance *instance) {
  for (size_t i = 0; i < place->node->pass->statistic_count; ++i) {
    place->totals[i] += instance->counters[i];
    instance->counters[i] = 0;
  }
  if (instance != place->original && place->original && place->code.merge &&
      instance->state && place->original->state)
    return state_merge(place, instance);
  return MLIRPLUG_OK;
}

static mlirplug_status original_finish(struct place *place) {
  struct frame frame;
  frame_enter(&frame, place->original, (MlirOperation){NULL});
  mlirplug_status status = place->code.finish(&frame.run);
  return frame_leave(&frame, status, session_location(place->session),
                     "failed at the end of the run");
}

/// Frees the instances that MLIR has destroyed during the run.
static void retired_destroy(struct place *place) {
  for (struct instance **link = &place->instances; *link;) {
    struct instance *instance = *link;
    if (!instance->retired) {
      link = &instance->next;
      continue;
    }
    *link = instance->next;
    instance_destroy(instance);
  }
}

mlirplug_status place_finish_run(struct place *place, bool succeeded) {
  mlirplug_status status = MLIRPLUG_OK;
  for (struct instance *instance = place->instances; instance;
       instance = instance->next)
    if (instance_merge(place, instance) != MLIRPLUG_OK)
      status = MLIRPLUG_FAILED;
  if (succeeded && place->original && place->code.finish &&
      original_finish(place) != MLIRPLUG_OK)
    status = MLIRPLUG_FAILED;
  if (place->original) // what `finish` has counted
    (void)instance_merge(place, place->original);
  retired_destroy(place);
  if (place->code.reset)
    for (struct instance *instance = place->instances; instance;
         instance = instance->next)
      if (instance->state && state_reset(place, instance) != MLIRPLUG_OK)
        status = MLIRPLUG_FAILED;
  position_forget(place);
  return status;
}
